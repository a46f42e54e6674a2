// SPDX-License-Identifier: Apache-2.0
#include "sim/check/slow_cells.hpp"

namespace simt::check {

slow_cell* slow_cell_pool::take() {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (locked_) lock.lock();
  if (free_.empty()) return &all_.emplace_back();
  slow_cell* const e = free_.back();
  free_.pop_back();
  return e;
}

void slow_cell_pool::give_back(slow_cell* e) {
  records_.fetch_sub(e->records.size(), std::memory_order_relaxed);
  *e = slow_cell{};
  std::unique_lock lock(mutex_, std::defer_lock);
  if (locked_) lock.lock();
  free_.push_back(e);
}

std::size_t slow_cell_pool::bytes() const {
  constexpr std::size_t kRecord = 96;  // with its share of the vector that holds it
  return records_.load(std::memory_order_relaxed) * kRecord + all_.size() * sizeof(slow_cell);
}

}  // namespace simt::check
