// SPDX-License-Identifier: Apache-2.0
// Arrays that a launch only reads: what the compiler pass (sim/compile/read_only.hpp) asks in a kernel's loops, and is
// told. Both include this file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

inline constexpr std::size_t kMostReadOnly = 16;  // pointers that a kernel writes through, or only reads through

struct quiet_array {
  std::uintptr_t pointer;     // asked: the parameter
  std::uintptr_t from, size;  // answered: reads that lie within are silent; size 0: none
  std::uintptr_t low, high;   // at the end: what was read, counted from `from`; low > high: nothing
};
static_assert(sizeof(quiet_array) == 40);

}  // namespace simt::sim
