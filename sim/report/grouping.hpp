// SPDX-License-Identifier: Apache-2.0
// Findings that have one cause: which of them is shown first, with the others as its members.
#pragma once

#include <vector>

#include "finding.hpp"

namespace simt {

// Fills finding::part_of and finding::members, and puts each group's members behind its first. Nothing is left out.
// What explains why a kernel did not finish comes first, then a counter without order before what it counts; errors
// come before warnings. One group are
// - races of one function that one barrier would order: those whose two lines have a place between them in common, or
//   that cross to the next turn of the same loop. The first is the one whose lines are closest together;
// - races between blocks of one launch, likewise: a barrier of the grid or the border between two launches orders them.
//   Where the blocks may wait for each other, races within a block that this barrier would order are of the group;
// - races within one loop that has no barrier, and those of its lines with lines before it: a barrier in its body;
// - races between blocks that one fence in front of a flag would order;
// - a barrier that threads went around, and the races of its function whose lines it stands between: of blocks, too,
//   where it is the grid's;
// - a barrier that threads or blocks went around or left before, and the deadlock of the others;
// - a shuffle that lanes of its mask went around, and what it reads from lanes that take no part;
// - races between threads that hold one lock, and those on the lock where it is given back by a plain store;
// - a write out of bounds, and the races that the same line has with accesses to other objects;
// - a copy that reached past the end of memory, and the reads of that before anything was written;
// - any of these, and the reads of memory before anything was written that stand at a line of theirs.
void group_findings(std::vector<finding>& findings);

}  // namespace simt
