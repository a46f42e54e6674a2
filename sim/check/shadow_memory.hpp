// SPDX-License-Identifier: Apache-2.0
// Shadow memory: the cells of device and shared memory, the rows that summarise them, the slow cells that some cells
// point to, and who may touch a cell when several workers run.
//
// Invariants
//  1. A cell that nobody touched is zero, and costs no memory.
//  2. With several workers, whoever looks at cells of device memory, or of shared memory that more than one block may
//     touch, holds a guard of their group: it owns their stretch (ownership.hpp) or holds the group's lock (cells.hpp).
//     A thread guards one group at a time.
//  3. Whoever looks at a cell has settled its row (row_summary.hpp). A guard does so.
//  4. A slow cell, and byte cells, belong to the one cell whose writer word points to them.
#pragma once

#include <memory>

#include "sim/check/addition_log.hpp"
#include "sim/check/busy_counters.hpp"
#include "sim/check/byte_cells.hpp"
#include "sim/check/cells.hpp"
#include "sim/check/element_layout.hpp"
#include "sim/check/ownership.hpp"
#include "sim/check/row_summary.hpp"
#include "sim/check/slow_cells.hpp"

namespace simt::check {

class epoch_table;
class thread_sets;

void clear_to_zero(void* from, void* to);  // the bytes [from, to) of shadow memory

class shadow_memory {
 public:
  shadow_memory(address_range device, address_range shared, bool several_workers, epoch_table& epochs,
                thread_sets& sets);
  ~shadow_memory();
  shadow_memory(const shadow_memory&) = delete;
  shadow_memory& operator=(const shadow_memory&) = delete;

  const address_range device, shared;
  cell* const device_cells;
  cell* const shared_cells;
  row_summary* const device_rows;
  row_summary* const shared_rows;
  const std::unique_ptr<ownership_table> ownership;  // null: one worker
  slow_cell_pool slow_cells;
  byte_cell_pool bytes_apart;
  addition_log additions;
  busy_counters counters;
  layout_table layouts;

  // Null: the address is in neither range.
  cell* cell_of(std::uintptr_t address) const {
    if (address - device.base < device.size) return device_cells + cell_index(address - device.base);
    if (address - shared.base < shared.size) return shared_cells + cell_index(address - shared.base);
    return nullptr;
  }
  row_summary* row_of(std::uintptr_t address) const {  // likewise
    if (address - device.base < device.size) return device_rows + (address - device.base) / kRowBytes;
    if (address - shared.base < shared.size) return shared_rows + (address - shared.base) / kRowBytes;
    return nullptr;
  }
  // The row of `address` is in cells from here on. `lock`: others may touch it, too; else the caller has its guard, or
  // needs none.
  void settle(std::uintptr_t address, bool lock) {
    row_summary* const r = row_of(address);
    if (r != nullptr && !in_cells(load(r->writer))) [[unlikely]]
      give_to_cells(*r, address, lock);
  }
  // The same for [from, to) and for who has no guard.
  void settle_unguarded(std::uintptr_t from, std::uintptr_t to);
  // What the cell of `address` says, or would say. Changes nothing; guarded, or while no device thread runs.
  cell look(std::uintptr_t address) const;
  bool in_shared(std::uintptr_t address) const { return address - shared.base < shared.size; }

  // Of the 16 aligned bytes around `address`, until end_guard(). Does nothing with one worker, or where no cells are.
  // Closes the busy counters in it.
  cell_guard_state guard(std::uintptr_t address);
  // For an atomic operation: closes those in [address, address + size) only.
  cell_guard_state guard_operation(std::uintptr_t address, std::size_t size);
  // Likewise, of four bytes. True: they are a busy counter, which stays open, and there is no guard.
  bool guard_unless_counter(std::uintptr_t address, cell_guard_state& guard);

  void forget(cell& c);  // back to zero
  // Back to zero: all cells of [from, to). `may_be_slow`: there may be slow cells among them.
  void clear(std::uintptr_t from, std::uintptr_t to, bool may_be_slow);
  // Back to zero: the slow cells, byte cells and byte patterns among whole cells.
  void forget_slow(std::uintptr_t from, std::uintptr_t to);

  // The cells of [from, to), in device memory, will soon be touched.
  void use_large_pages(std::uintptr_t from, std::uintptr_t to) const;

  void end_counters();  // a launch ends: closes them all

 private:
  cell_guard_state begin_guard(std::uintptr_t address);
  void give_back(const cell& c);
  void close_counters(std::uintptr_t from, std::uintptr_t to);
  void give_to_cells(row_summary& r, std::uintptr_t address, bool lock);
  void forget_rows(std::uintptr_t from, std::uintptr_t to);  // untouched from here on: rows that lie within

  epoch_table& epochs_;
  thread_sets& sets_;
};

inline cell_guard_state shadow_memory::begin_guard(std::uintptr_t address) {
  if (ownership == nullptr) {
    settle(address, false);
    return {};
  }
  cell* const c = cell_of(address);
  if (c == nullptr) return {};
  if (!in_shared(address) && ownership->hold(ownership_table::index((address - device.base) / 4))) {
    settle(address, false);
    return {nullptr, true};
  }
  settle(address, true);
  lock_group(c);
  return {c, false};
}
inline cell_guard_state shadow_memory::guard(std::uintptr_t address) {
  const cell_guard_state g = begin_guard(address);
  if (counters.any_open()) [[unlikely]]
    close_counters(address & ~std::uintptr_t{15}, (address & ~std::uintptr_t{15}) + 16);
  return g;
}
inline cell_guard_state shadow_memory::guard_operation(std::uintptr_t address, std::size_t size) {
  const cell_guard_state g = begin_guard(address);
  if (counters.any_open()) close_counters(address & ~std::uintptr_t{3}, address + size);
  return g;
}
inline void end_guard(const cell_guard_state& g) {
  if (g.owned) end_owned();
  if (g.locked != nullptr) unlock_group(g.locked);
}

class cell_guard {
 public:
  cell_guard(shadow_memory& m, std::uintptr_t address) : state_(m.guard(address)) {}
  explicit cell_guard(cell* c) : state_{c, false} { lock_group(c); }
  ~cell_guard() { end_guard(state_); }
  cell_guard(const cell_guard&) = delete;
  cell_guard& operator=(const cell_guard&) = delete;

 private:
  cell_guard_state state_;
};

}  // namespace simt::check
