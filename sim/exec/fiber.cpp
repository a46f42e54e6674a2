// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <new>

#include <sim/exec/async_copy.hpp>
#include <sim/exec/fiber.hpp>
#include <sim/exec/fiber_switch.hpp>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace simt::sim {

namespace {
// Valgrind is told where stacks are, or it takes a jump to a near one for a large frame. What it is told of a stack
// that is gone does no harm: the next one there is told anew.
#if defined(VALGRIND_STACK_REGISTER)
void show_stack(const void* low, const void* high) { (void)VALGRIND_STACK_REGISTER(low, high); }
#else
void show_stack(const void*, const void*) {}
#endif

constexpr std::size_t kPage = 4096;
// Of the first slab, and of later ones: most launches of tests have few threads that wait.
constexpr std::size_t kFewestOfSlab = 4, kMostOfSlab = 32;
constexpr std::size_t kCacheLine = 64;
// Stacks of one slab start at 0..kStaggerLines-1 cache lines below their top.
constexpr std::size_t kStaggerLines = 61;
constexpr std::size_t kStaggerRoom = kPage;
static_assert(kStaggerLines * kCacheLine <= kStaggerRoom);

// Each guard page is a mapping of its own, and so is the stack above it; Linux allows a process 65,530. Beyond this
// many stacks (large cooperative grids) there are no guards: an overflow runs into the neighbour (docs/limitations.md).
constexpr std::size_t kGuardedStacks = 28'000;
std::atomic<std::size_t> guarded_stacks{0};
}  // namespace

fiber_pool::~fiber_pool() { release_slabs(); }

void fiber_pool::release_slabs() {
  for (fiber* f : all_) {
    delete f->thread.async;
    delete f;
  }
  all_.clear();
  for (const slab& s : slabs_) {
    munmap(s.base, s.bytes);
    if (s.guarded) guarded_stacks -= s.stacks;
  }
  slabs_.clear();
  free_ = nullptr;
}

void fiber_pool::set_stack_bytes(std::size_t bytes) {
  bytes = (bytes + kPage - 1) / kPage * kPage;
  if (bytes == stack_bytes_) return;
  release_slabs();
  stack_bytes_ = bytes;
}

void fiber_pool::grow() {
  const std::size_t stride = kPage + stack_bytes_ + kStaggerRoom;
  const std::size_t stacks = std::clamp(all_.size(), kFewestOfSlab, kMostOfSlab);
  const std::size_t bytes = stride * stacks;
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  const bool guarded = guarded_stacks.fetch_add(stacks) < kGuardedStacks;
  if (!guarded) guarded_stacks -= stacks;
  slabs_.push_back({static_cast<std::byte*>(base), bytes, stacks, guarded});
  for (std::size_t i = stacks; i-- > 0;) {
    auto* low = static_cast<std::byte*>(base) + i * stride;
    if (guarded && mprotect(low, kPage, PROT_NONE) != 0)
      throw std::bad_alloc();  // too many mappings (vm.max_map_count)
    auto* f = new fiber;
    const std::size_t serial = all_.size();
    f->stack_low = low + kPage;
    f->stack_high = low + stride - (serial % kStaggerLines) * kCacheLine;
    show_stack(f->stack_low, f->stack_high);
    all_.push_back(f);
    give(f);
  }
}

void fiber_pool::reset_all() {
  free_ = nullptr;
  for (auto it = all_.rbegin(); it != all_.rend(); ++it) give(*it);
}

fiber* fiber_pool::guard_hit(const void* address) const {
  const auto* p = static_cast<const std::byte*>(address);
  for (fiber* f : all_)
    if (p >= f->stack_low - kPage && p < f->stack_low) return f;
  return nullptr;
}

}  // namespace simt::sim
