// SPDX-License-Identifier: Apache-2.0
// Additions to words of device memory, the quick way: what histograms, counters and sums do.
//
// An addition is a relaxed read-modify-write of a whole aligned word of 4 or 8 bytes, at a scope that holds every device
// thread, by a thread that passes on nothing with it. Where a cell keeps only such additions of the running launch and
// what is ordered before all its threads, one more can race with nothing, reads nothing uninitialised, and no
// variable's release sequence is there. So it becomes a word of the cell, and nothing else is asked.
//
// Invariants
//  1. quick_addition() leaves what access_checker::atomic() would leave, but for the form: words instead of records.
//     The first addition of a launch to a cell goes that way.
//  2. A word is dropped where slow_cells.hpp lets a record be dropped: an addition of the same block that is ordered
//     after it takes its place.
//  3. Who may conflict with additions makes records of them first (fold), so each is compared with thread and line.
#pragma once

#include "sim/check/slow_cells.hpp"
#include "sim/check/thread_state.hpp"

namespace simt::check {

class side_memory;

// With what it does now, does t pass on anything that it or others have done before, or take part in a hand-over?
bool passes_on(const thread_state& t);

// The operation is made and recorded. False: nothing is done. Guarded.
bool quick_addition(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc);

// The words of e become records. `next`: an addition by this thread follows; those that it takes the place of go.
void fold(slow_cell& e, slow_cell_pool& pool, thread_state* next = nullptr);

}  // namespace simt::check
