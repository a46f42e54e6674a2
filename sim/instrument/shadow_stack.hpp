// SPDX-License-Identifier: Apache-2.0
// The calls that are active on a device thread's stack, as the entries and exits of functions tell them.
#pragma once

#include <cstdint>
#include <span>

namespace simt::sim {

// Outermost first; deeper ones are only counted.
struct shadow_stack {
  static constexpr std::uint32_t kDepth = 62;
  std::uintptr_t* top = frames;  // behind the innermost; of the running thread, see running_thread::top
  std::uint32_t deeper = 0;
  std::uintptr_t frames[kDepth];
  std::span<const std::uintptr_t> active() const { return {frames, top}; }
};

}  // namespace simt::sim
