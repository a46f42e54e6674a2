// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <sim/memory/address_space.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {
// `t < d ? 0 : shared[t - d]` loads nothing for the first threads. As one of AVX-512's masked loads that reaches below
// the array it takes a hundred nanoseconds more on AMD's processors where the page there has never been touched: then
// the processor looks up its mask. So far below and above may threads of a block reach.
constexpr std::size_t kReach = 16 * 1024;
// What most blocks have, with what lies above it.
constexpr std::size_t kUsual = 48 * 1024 + kReach;

#if !defined(MADV_POPULATE_READ)
#define MADV_POPULATE_READ 22
#endif

void touch_for_reading(std::byte* begin, std::size_t bytes) {
  constexpr std::uintptr_t kPage = 4096;
  std::byte* const page = begin - reinterpret_cast<std::uintptr_t>(begin) % kPage;
  madvise(page, bytes, MADV_POPULATE_READ);  // Linux before 5.14 refuses, and is slow as above
}
}  // namespace

address_range shared_range() {
  static const address_range range = [] {
    const reservation_plan& plan = reservations();
    const std::size_t bytes = kSharedSlotBytes * static_cast<std::size_t>(plan.shared_slots_per_worker) *
                              static_cast<std::size_t>(plan.shared_workers);
    void* p = mmap(nullptr, kReach + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) end_without_address_space(bytes, "shared memory");
    return address_range{reinterpret_cast<std::uintptr_t>(p) + kReach, bytes};
  }();
  return range;
}

std::byte* block_slot(int worker, int slot) {
  const auto per_worker = static_cast<std::size_t>(reservations().shared_slots_per_worker);
  const std::size_t number = static_cast<std::size_t>(worker) * per_worker + static_cast<std::size_t>(slot);
  // 1 KiB alignment for what kernels may ask; neighbours differ in their cache sets.
  const std::size_t stagger = (number % 16) * 1024;
  std::byte* const begin = reinterpret_cast<std::byte*>(shared_range().base) + number * kSharedSlotBytes + stagger;
  touch_for_reading(begin - kReach, kReach + kUsual);
  return begin;
}

}  // namespace simt::sim
