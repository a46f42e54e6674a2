// SPDX-License-Identifier: Apache-2.0
// What the detector may take beside the shadow cells, and what it gave up for lack of it.
//
// Over the limit, chains of readers and slow cells keep less. That can only lose races, never invent one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sim/check/addition_log.hpp"
#include "sim/check/byte_cells.hpp"
#include "sim/check/epochs.hpp"
#include "sim/check/slow_cells.hpp"
#include "sim/check/thread_sets.hpp"

namespace simt::check {

class side_memory {
 public:
  side_memory(const epoch_table& epochs, const thread_sets& sets, const slow_cell_pool& slow_cells,
              const byte_cell_pool& byte_cells, const addition_log& additions, std::size_t limit)
      : epochs_(epochs),
        sets_(sets),
        slow_cells_(slow_cells),
        byte_cells_(byte_cells),
        additions_(additions),
        limit_(limit) {}
  std::size_t bytes() const {
    return epochs_.bytes() + sets_.bytes() + slow_cells_.bytes() + byte_cells_.bytes() + additions_.bytes();
  }
  bool is_over_limit() const { return bytes() > limit_; }
  std::atomic<std::uint64_t> inexact_cells{0};  // races on them may have been missed
  // Volatile accesses that nothing orders with another one that conflicts, and that would race if they were plain.
  std::atomic<std::uint64_t> excused_volatile{0};

 private:
  const epoch_table& epochs_;
  const thread_sets& sets_;
  const slow_cell_pool& slow_cells_;
  const byte_cell_pool& byte_cells_;
  const addition_log& additions_;
  const std::size_t limit_;
};

}  // namespace simt::check
