// SPDX-License-Identifier: Apache-2.0
// Data that one block hands to another through volatile variables, and that no fence keeps before its flag.
//
// Volatile accesses do not race, so nothing asks what orders them. But a block that writes data and then a flag or a
// counter means the other block to see the data first, and that takes a fence. So each write of a flag leaves a mark
// there: what its thread, and its block up to the last barrier, had done before. Who reads the flag takes the mark
// over, and the next barrier of its block hands it to the others. A volatile read of data that such a mark holds and no
// release fence does is a `missing-fence`.
//
// The reader's own fence is not asked for (docs/decisions/0034). An array of which some element was touched while
// no mark said that the other side was done holds flags: it is polled, and nothing in it is reported.
//
// All of this is for device memory and blocks of one launch. Whoever calls holds the guard of the variable's cells.
#pragma once

#include "sim/check/object_table.hpp"
#include "sim/check/reporter.hpp"

namespace simt::check {

// What t, and its block up to the last barrier, has done so far. Its later accesses take younger epochs.
vector_clock own_clock(thread_state& t);
// t has written the variable; `before`: its own_clock() just before. A plain store ends what others left.
void leave_mark(shadow_memory& shadow, thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what,
                vector_clock before, std::uintptr_t pc);
// t has read the variable.
void see_mark(const shadow_memory& shadow, thread_state& t, std::uintptr_t address, std::uint32_t size);
// All threads of the block have arrived at a barrier.
void share_marks(block_state& b);
// A volatile access that nothing orders after the volatile access o, and of which one is a write.
void judge_handover(reporter& reports, operation& op, std::uintptr_t granule, std::uint8_t mask,
                    const earlier_access& o);

}  // namespace simt::check
