// SPDX-License-Identifier: Apache-2.0
// What the turns of a loop have to do with each other's elements, read from the text alone.
#pragma once

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// Of a loop around a place: no side names its element by what the loop's head counts, so each turn has the same.
bool turns_share_memory(source_reader& sources, const finding& f, const access& inside, int loop_line);
// Whether a loop's condition on the way to the place lets those threads alone through whose elements are not read in
// the same turn: if (t < d) s[t] += s[t + d]; if (t % (2 * d) == 0). Also where the element is named by what a turn
// computes, of which the text says too little.
bool turn_picks(source_reader& sources, const access& write, int loop_line);

}  // namespace simt
