// SPDX-License-Identifier: Apache-2.0
#include "sim/check/shadow_memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <utility>

#include "sim/memory/address_space.hpp"

namespace simt::check {
namespace {

constexpr std::uintptr_t kPageBytes = 4096;

std::size_t size_of_cells(const address_range& r) { return (cell_index(r.size) + kCellsSkew) * sizeof(cell); }

std::size_t size_of_rows(const address_range& r) { return (r.size / kRowBytes + 1) * sizeof(row_summary); }

void* reserve(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) sim::end_without_address_space(bytes, "the detector's shadow");
  return p;
}
cell* cells_for(const address_range& r) {
  return r.size == 0 ? nullptr : static_cast<cell*>(reserve(size_of_cells(r)));
}
row_summary* rows_for(const address_range& r) {
  return r.size == 0 ? nullptr : static_cast<row_summary*>(reserve(size_of_rows(r)));
}

}  // namespace

// Many pages are given back to the system, which is faster than writing zeros.
void clear_to_zero(void* from, void* to) {
  constexpr std::uintptr_t kManyBytes = 16 * kPageBytes;
  const auto a = reinterpret_cast<std::uintptr_t>(from), b = reinterpret_cast<std::uintptr_t>(to);
  const std::uintptr_t page_a = (a + kPageBytes - 1) & ~(kPageBytes - 1), page_b = b & ~(kPageBytes - 1);
  if (page_b > page_a && page_b - page_a >= kManyBytes) {
    std::memset(from, 0, page_a - a);
    madvise(reinterpret_cast<void*>(page_a), page_b - page_a, MADV_DONTNEED);
    std::memset(reinterpret_cast<void*>(page_b), 0, b - page_b);
  } else {
    std::memset(from, 0, b - a);
  }
}

shadow_memory::shadow_memory(address_range of_device, address_range of_shared, bool several_workers,
                             epoch_table& epochs, thread_sets& sets)
    : device(of_device),
      shared(of_shared),
      device_cells(cells_for(of_device)),
      shared_cells(cells_for(of_shared)),
      device_rows(rows_for(of_device)),
      shared_rows(rows_for(of_shared)),
      ownership(several_workers ? std::make_unique<ownership_table>() : nullptr),
      slow_cells(several_workers),
      additions(several_workers),
      counters(several_workers, additions, slow_cells),
      epochs_(epochs),
      sets_(sets) {}

shadow_memory::~shadow_memory() {
  if (device_cells) munmap(device_cells, size_of_cells(device));
  if (shared_cells) munmap(shared_cells, size_of_cells(shared));
  if (device_rows) munmap(device_rows, size_of_rows(device));
  if (shared_rows) munmap(shared_rows, size_of_rows(shared));
}

void shadow_memory::close_counters(std::uintptr_t from, std::uintptr_t to) {
  for (; from < to; from += 4)
    if (cell* const c = cell_of(from); c != nullptr && is_slow(load(c->writer)) && is_counter(readers_of(*c)))
      counters.close(*c);
}

bool shadow_memory::guard_unless_counter(std::uintptr_t address, cell_guard_state& guard) {
  guard = begin_guard(address);
  const cell* const c = counters.any_open() && address % 4 == 0 ? cell_of(address) : nullptr;
  const bool is_one = c != nullptr && is_slow(load(c->writer)) && is_counter(readers_of(*c));
  if (is_one)
    end_guard(std::exchange(guard, {}));
  else if (counters.any_open())
    close_counters(address & ~std::uintptr_t{3}, address + 4);
  return is_one;
}

void shadow_memory::end_counters() {
  if (!counters.any_open()) return;
  for (const std::uintptr_t address : counters.addresses()) {
    const cell_guard_state g = begin_guard(address);
    if (cell* const c = cell_of(address); is_slow(load(c->writer)) && is_counter(readers_of(*c)))
      counters.close(*c, true);
    end_guard(g);
  }
}

void shadow_memory::give_back(const cell& c) {
  if (is_byte_cells(c.writer)) return bytes_apart.give_back(&byte_cells_of(c.writer));
  if (const shadow_word r = readers_of(c); r != 0) additions.close(c.writer, r);
  slow_cells.give_back(&slow_cell_of(c.writer));
}

void shadow_memory::forget(cell& c) {
  if (is_pointer(c.writer)) give_back(c);
  set_readers(c, 0);
  store(c.writer, 0);
}

void shadow_memory::clear(std::uintptr_t from, std::uintptr_t to, bool may_be_slow) {
  const std::uintptr_t first = from & ~std::uintptr_t{3}, last = (to + 3) & ~std::uintptr_t{3};
  if (first % kRowBytes != 0) settle(first, false);
  if (last % kRowBytes != 0 && last > first) settle(last - 4, false);
  cell* const c = cell_of(first);
  cell* const end = first == last ? c : cell_of(last - 4) + 1;
  if (may_be_slow)
    for (cell* p = c; p < end; ++p)
      if (is_pointer(p->writer)) give_back(*p);
  clear_to_zero(c, end);
  if (first < last) forget_rows(first, last);
}

void shadow_memory::forget_slow(std::uintptr_t from, std::uintptr_t to) {
  for (cell *c = cell_of(from), *const end = cell_of(to - 4) + 1; c < end; ++c)
    if (c->writer & kSlow) forget(*c);
}

void shadow_memory::use_large_pages(std::uintptr_t from, std::uintptr_t to) const {
  const auto use = [](const void* first, const void* last) {
    constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21;
    const auto a = (reinterpret_cast<std::uintptr_t>(first) + kLargePage - 1) & ~(kLargePage - 1);
    const auto b = reinterpret_cast<std::uintptr_t>(last) & ~(kLargePage - 1);
    if (b > a) madvise(reinterpret_cast<void*>(a), b - a, MADV_HUGEPAGE);
  };
  use(cell_of(from), cell_of(to - 1));
  use(row_of(from), row_of(to - 1));
}

}  // namespace simt::check
