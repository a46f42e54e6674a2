// SPDX-License-Identifier: Apache-2.0
// A hang is proved by stacks that are twice the same (hangs.hpp). Frames have words that nobody writes, which hold what
// functions left there that have returned: where those work with numbers that only grow, such as that of the step, no
// stack is ever what it was.
#pragma once

#include <cstddef>
#include <cstring>

namespace simt::sim {

// Zeros where such functions have been, below the frame of the caller.
[[gnu::noinline]] inline void clean_stack_below() {
  constexpr std::size_t kDepth = 3072;  // a thread's stack may be 16 KiB
  std::byte below[kDepth];
  std::memset(below, 0, kDepth);
  asm volatile("" ::"r"(below) : "memory");  // or nobody would need it
}

}  // namespace simt::sim
