// SPDX-License-Identifier: Apache-2.0
// What is kept of an asynchronous copy where somebody watches, and who knows of it when it has been performed.
#pragma once

#include <cstdint>

namespace simt::sim {

struct watched_thread;

// What the observer keeps of a copy from its issue on: as of a thread of its own, or, where that is null, when it began
// in the life of its issuer. The numbers are the observer's.
struct copy_start {
  watched_thread* agent = nullptr;
  std::uint64_t base = 0, own = 0, grid = 0;
};

enum class copy_end : std::uint8_t {
  nobody,  // its thread leaves
  issuer,  // which waited for it
  object,  // a barrier object of the block, which is told of it: those who wait for that
};

}  // namespace simt::sim
