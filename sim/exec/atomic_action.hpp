// SPDX-License-Identifier: Apache-2.0
// What an atomic operation does, and what it costs of a block's spin budget.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sim/exec/kernel_calls.hpp>

namespace simt::sim {

enum class atomic_action : std::uint8_t { load, store, exch, cas, add, sub, min, max, and_, or_, xor_, nand, inc, dec };

// Whether an operation left memory as it was, as operations do that wait for another thread in a loop: a load, a failed
// compare-and-swap, an exchange for the same value, an addition of 0 (CUDA's old way to read). old: the value that it
// found; v: its operand, or what a compare-and-swap would store; both zero-extended. Of 16 bytes: any two numbers that
// are equal where those are.
constexpr bool is_a_way_to_read(atomic_action action, bool wrote, std::uint64_t old, std::uint64_t v,
                                std::size_t bytes) {
  const std::uint64_t all = ~std::uint64_t{0} >> (bytes < 8 ? 64 - 8 * bytes : 0);
  switch (action) {
    case atomic_action::load:
      return true;
    case atomic_action::cas:
      return !wrote || ((old ^ v) & all) == 0;
    case atomic_action::exch:
      return ((old ^ v) & all) == 0;
    case atomic_action::add:
    case atomic_action::sub:
    case atomic_action::or_:
    case atomic_action::xor_:
      return (v & all) == 0;
    case atomic_action::and_:
      return (v & all) == all;
    default:
      return false;
  }
}
constexpr std::int32_t spin_cost(atomic_action action, bool wrote, std::uint64_t old, std::uint64_t v,
                                 std::size_t bytes) {
  return is_a_way_to_read(action, wrote, old, v, bytes) ? kSpinCostLoad : kSpinCostRmw;
}

}  // namespace simt::sim
