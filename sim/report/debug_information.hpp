// SPDX-License-Identifier: Apache-2.0
// What the debug information and the symbol tables of the loaded files say about an address of code.
//
// What was read is kept for the process, since a check that begins anew asks for the same files: a file is read again
// where another one lies at its place, or where it has changed. All calls are thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt {

struct debug_frame {
  std::string function{};   // without parameters; empty: unknown
  std::string path{};       // as the compiler wrote it; empty: unknown
  std::string directory{};  // what a relative path is relative to
  int line = 0;             // 0: unknown
  int column = 0;           // counts from 1; 0: unknown
};

// The function at an address and those inlined there, innermost first. Empty where there is no debug information.
std::vector<debug_frame> debug_frames(std::uintptr_t address);

// The name of the function at an address from symbol tables, else "module+0xoffset".
std::string symbol_at(std::uintptr_t address);

}  // namespace simt
