// SPDX-License-Identifier: Apache-2.0
// Where blocks keep their shared memory: one address range, cut into slots, one slot a resident block.
//
// A slot holds the dynamic part first, then the static arrays in the order of their first use. Slots are reserved
// address space: only what blocks touch takes memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

inline constexpr std::size_t kSharedSlotBytes = 256 * 1024;  // over the largest opt-in limit of a device, 227 KiB

// First byte of slot `slot` of worker `worker`, asked for before its first use; reservations() (address_space.hpp) says
// how many there are. Starts are staggered by cache lines, not by more than a page.
std::byte* block_slot(int worker, int slot);

struct address_range {
  std::uintptr_t base = 0;
  std::size_t bytes = 0;
  bool contains(std::uintptr_t p) const { return p - base < bytes; }
};
address_range shared_range();

}  // namespace simt::sim
