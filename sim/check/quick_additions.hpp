// SPDX-License-Identifier: Apache-2.0
// Additions to words of device memory, the quick way: what histograms, counters and sums do.
//
// An addition is a relaxed read-modify-write of a whole aligned word of 4 or 8 bytes, at a scope that holds every
// device thread, by a thread that passes on nothing with it. Where a cell keeps only such additions of the running
// launch and what is ordered before all its threads, one more can race with nothing, reads nothing uninitialised, and
// no variable's release sequence is there. Such a cell is opened: one more is an entry of a log (addition_log.hpp), and
// nothing else is asked.
//
// Invariants
//  1. A cell is open only while what is said above holds. Whoever does anything else there gathers first
//     (cell_forms::gather), with the guard: the cell is closed, and the entries are records of the slow cell.
//  2. So each addition is compared with all that comes later, with its thread and its line, as if it had been recorded
//     at once.
#pragma once

#include "sim/check/slow_cells.hpp"
#include "sim/check/thread_state.hpp"

namespace simt::check {

// With what it does now, does t pass on anything that it or others have done before, or take part in a hand-over?
bool passes_on(const thread_state& t);

// The operation is recorded. False: nothing is done. Guarded.
// is_sum: see `counting`.
bool quick_addition(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc,
                    bool is_sum);

// The same before the operation, and without a guard: with several workers it does nothing. A row whose cells do not
// speak has none that is open.
bool addition_by_only_worker(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc);

// t has recorded a relaxed read-modify-write there: the cells are opened for more of this kind, where they may be.
void open_for_additions(const thread_state& t, std::uintptr_t address, std::uint32_t size, scope s);

// Is it an atomic operation at device scope or wider, by a device thread, that is ordered before all threads of b's
// launch? One more by such a thread conflicts with all that it could still conflict with.
bool is_past_of_all(const block_state& b, const access_record& o);

}  // namespace simt::check
