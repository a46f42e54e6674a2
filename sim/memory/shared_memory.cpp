// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <sim/memory/address_space.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

address_range shared_range() {
  static const address_range range = [] {
    const reservation_plan& plan = reservations();
    const std::size_t bytes = kSharedSlotBytes * static_cast<std::size_t>(plan.shared_slots_per_worker) *
                              static_cast<std::size_t>(plan.shared_workers);
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) end_without_address_space(bytes, "shared memory");
    return address_range{reinterpret_cast<std::uintptr_t>(p), bytes};
  }();
  return range;
}

std::byte* block_slot(int worker, int slot) {
  const auto per_worker = static_cast<std::size_t>(reservations().shared_slots_per_worker);
  const std::size_t number = static_cast<std::size_t>(worker) * per_worker + static_cast<std::size_t>(slot);
  // 1 KiB alignment for what kernels may ask; neighbours differ in their cache sets.
  const std::size_t stagger = (number % 16) * 1024;
  return reinterpret_cast<std::byte*>(shared_range().base) + number * kSharedSlotBytes + stagger;
}

}  // namespace simt::sim
