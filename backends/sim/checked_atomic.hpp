// SPDX-License-Identifier: Apache-2.0
// Atomic operations of the check variant, out of the instrumented code.
#pragma once

#include <cstdint>

#include <backends/sim/atomics.hpp>

namespace simt::sim {

// Performs the operation and announces it as done at code address `pc`. failure: the order of a compare-and-swap that fails.
// a: operand or desired value, b: expected value of cas; gives the old value, zero-extended.
std::uint64_t atomic_at(void* p, atomic_type type, atomic_action action, std::uint64_t a, std::uint64_t b, memory_order o,
                        memory_order failure, simt::scope s, std::uintptr_t pc);
void checked_fence(memory_order o, simt::scope s);

// Takes from the running thread's spin budget; others run when it is spent.
void spend_checked(std::int32_t cost);

}  // namespace simt::sim
