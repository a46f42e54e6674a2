// SPDX-License-Identifier: Apache-2.0
// Data that is handed over through volatile variables, and that no fence keeps before its flag.
//
// Volatile accesses do not race, so nothing asks what orders them. But a thread that writes data and then a flag or a
// counter means others to see the data first, and that takes a fence. So each write of a flag leaves a mark there: what
// its thread had done and knew, and what it had been told itself. Who reads the flag has been told that, and the next
// barrier of its block or warp tells the others. A volatile read of volatile data that its thread has been told of,
// and that no fence of the writer keeps before the flag, is a `missing-fence`. Where only the reader lacks its fence,
// it is a warning (docs/decisions/0034).
//
// What was touched while nobody had been told that the other side was done is a flag: somebody polls it. It is no data,
// and whatever the same instruction reads of the same object is none either, for a loop over flags finds some of them
// set that it has been told of. The other words of the object are judged.
//
// The data lies in device memory; flags may also be single variables in shared memory. Lanes of one warp are left
// alone. Whoever calls holds the guard of the variable's cells.
#pragma once

#include <span>

#include "sim/check/object_table.hpp"
#include "sim/check/reporter.hpp"

namespace simt::check {

// t has written the variable, a flag perhaps. A store ends what others left there. `own`: what t had done and knew just
// before; null: nothing that matters.
void leave_mark(const shadow_memory& shadow, const thread_state& t, std::uintptr_t address, std::uint32_t size,
                atomic_op what, const vector_clock& own, std::uintptr_t pc);
// t has read the variable.
void see_mark(const shadow_memory& shadow, thread_state& t, std::uintptr_t address, std::uint32_t size,
              std::uintptr_t pc);
// All threads of the block have arrived at a barrier.
void share_told(block_state& b);
// These threads have synchronised.
void share_told(block_state& b, std::span<const std::uint32_t> ranks);
// A volatile access that nothing orders after the volatile access o, and of which one is a write.
// `e`: the cell.
void judge_handover(reporter& reports, operation& op, slow_cell& e, std::uintptr_t granule, std::uint8_t mask,
                    const earlier_access& o);

}  // namespace simt::check
