// SPDX-License-Identifier: Apache-2.0
// Accesses of single bytes and halves, for the tests of their cells.
#pragma once

#include "sim/check/core.hpp"
#include "world.hpp"

namespace check_tests {

inline constexpr std::uintptr_t kRead = 0x100, kWrite = 0x200;  // instructions

inline void rd1(world& w, int block, int rank, std::uintptr_t at, std::uint32_t size = 1, std::uintptr_t pc = kRead) {
  read(w.t(block, rank), at, size, pc);
}
inline void wr1(world& w, int block, int rank, std::uintptr_t at, std::uint32_t size = 1, std::uintptr_t pc = kWrite) {
  write(w.t(block, rank), at, size, pc);
  ++*reinterpret_cast<unsigned char*>(at);
}
inline std::size_t slow_cells(world& w) { return w.d.core().shadow.slow_cells.in_use(); }

}  // namespace check_tests
