// SPDX-License-Identifier: Apache-2.0
// What the source says about the two places of a race: whether they are one update, whether a loop's turn or a barrier
// lies between them, what the kernel calls the memory. Read from the text alone, so advice may rest on it.
#pragma once

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// Fills the facts of a race whose accesses have their lines: in_place, target, update and operand, both_update,
// update_line and other_updates, step, flag, steps_of_lanes, same_array, reads_first, unlock_line, place, loop_begin
// and loop_end, next_turn or next_call, narrow_line. `barrier` holds line and column of the last barrier that both have
// passed, in the later access's file; line 0: none is known.
void find_places(source_reader& sources, finding& f, const stack_frame& barrier, int barrier_column);

}  // namespace simt
