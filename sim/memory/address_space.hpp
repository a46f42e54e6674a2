// SPDX-License-Identifier: Apache-2.0
// Address space that is reserved in one piece, and what happens where the system refuses it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace simt::sim {

// One line for people, and the exit code of a launch error: it may be before main, and no fault of the program.
[[noreturn]] inline void end_without_address_space(std::size_t bytes, const char* what) {
  std::fprintf(stderr, "simt: cannot reserve %zu bytes of address space for %s; is `ulimit -v` set?\n", bytes, what);
  std::_Exit(2);
}

}  // namespace simt::sim
