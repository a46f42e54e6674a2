// SPDX-License-Identifier: Apache-2.0
#include "sim/check/shadow_memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "sim/memory/address_space.hpp"

namespace simt::check {
namespace {

constexpr std::uintptr_t kPage = 4096;

std::size_t size_of_cells(const address_range& r) { return (cell_index(r.size) + kCellsSkew) * sizeof(cell); }

cell* reserve(const address_range& r) {
  if (!r.size) return nullptr;
  void* p = mmap(nullptr, size_of_cells(r), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) sim::end_without_address_space(size_of_cells(r), "the detector's shadow");
  return static_cast<cell*>(p);
}

}  // namespace

shadow_memory::shadow_memory(address_range of_device, address_range of_shared, bool several_workers)
    : device(of_device),
      shared(of_shared),
      device_cells(reserve(of_device)),
      shared_cells(reserve(of_shared)),
      ownership(several_workers ? std::make_unique<ownership_table>() : nullptr),
      slow_cells(several_workers) {}

shadow_memory::~shadow_memory() {
  if (device_cells) munmap(device_cells, size_of_cells(device));
  if (shared_cells) munmap(shared_cells, size_of_cells(shared));
}

void shadow_memory::forget(cell& c) {
  if (is_slow(c.writer)) slow_cells.give_back(&slow_cell_of(c.writer));
  set_readers(c, 0);
  store(c.writer, 0);
}

void shadow_memory::clear(std::uintptr_t from, std::uintptr_t to, bool may_be_slow) {
  const std::uintptr_t first = from & ~std::uintptr_t{3}, last = (to + 3) & ~std::uintptr_t{3};
  cell* const c = cell_of(first);
  cell* const end = first == last ? c : cell_of(last - 4) + 1;
  if (may_be_slow)
    for (cell* p = c; p < end; ++p)
      if (is_slow(p->writer)) slow_cells.give_back(&slow_cell_of(p->writer));
  // Many pages are given back to the system, which is faster than writing zeros.
  constexpr std::uintptr_t kManyBytes = 16 * kPage;
  const auto a = reinterpret_cast<std::uintptr_t>(c), b = reinterpret_cast<std::uintptr_t>(end);
  const std::uintptr_t page_a = (a + kPage - 1) & ~(kPage - 1), page_b = b & ~(kPage - 1);
  if (page_b > page_a && page_b - page_a >= kManyBytes) {
    std::memset(static_cast<void*>(c), 0, page_a - a);
    madvise(reinterpret_cast<void*>(page_a), page_b - page_a, MADV_DONTNEED);
    std::memset(reinterpret_cast<void*>(page_b), 0, b - page_b);
  } else {
    std::memset(static_cast<void*>(c), 0, b - a);
  }
}

void shadow_memory::forget_slow(std::uintptr_t from, std::uintptr_t to) {
  for (cell *c = cell_of(from), *const end = cell_of(to - 4) + 1; c < end; ++c)
    if (c->writer & kSlow) forget(*c);
}

void shadow_memory::use_large_pages(std::uintptr_t from, std::uintptr_t to) const {
  constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21;
  const auto first = (reinterpret_cast<std::uintptr_t>(cell_of(from)) + kLargePage - 1) & ~(kLargePage - 1);
  const auto last = reinterpret_cast<std::uintptr_t>(cell_of(to - 1)) & ~(kLargePage - 1);
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

std::size_t shadow_memory::resident_bytes(std::uintptr_t from, std::uintptr_t to) const {
  const auto a = reinterpret_cast<std::uintptr_t>(device_cells + cell_index(from - device.base)) & ~(kPage - 1);
  const auto b =
      (reinterpret_cast<std::uintptr_t>(device_cells + cell_index(to - device.base)) + kPage - 1) & ~(kPage - 1);
  std::vector<unsigned char> pages((b - a) / kPage);
  if (mincore(reinterpret_cast<void*>(a), b - a, pages.data()) != 0) return 0;
  std::size_t bytes = 0;
  for (const unsigned char p : pages) bytes += (p & 1) * std::size_t{kPage};
  return bytes;
}

}  // namespace simt::check
