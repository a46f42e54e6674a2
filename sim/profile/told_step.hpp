// SPDX-License-Identifier: Apache-2.0
// What threads did, as events tell it: one step of neighbouring threads, and how a row of them lies to the next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/profile/warp_trace.hpp"

namespace simt::profile {

// Threads first .. first + count - 1 of a block, by rank, did this. Rows end where the rank is a multiple of `width`;
// width 0: all are evenly spaced, and row_stride is of no account.
struct told_step {
  step did;  // by the first thread
  std::uint32_t first = 0, count = 1, width = 0;
  std::intptr_t row_stride = 0;  // from a thread to the one a row further

  // visit(first, count, step) for each evenly spaced part.
  template <class Visit>
  void each_part(Visit&& visit) const {
    if (width == 0) return visit(first, count, did);
    const std::uint32_t column = first % width;
    for (std::uint32_t at = 0; at < count;) {
      const std::uint32_t in_row = std::min(width - (first + at) % width, count - at);
      const std::uint32_t row = (column + at) / width;
      step part = did;
      part.address += static_cast<std::uintptr_t>(
          row_stride * static_cast<std::intptr_t>(row) +
          did.stride * (static_cast<std::intptr_t>(at) - static_cast<std::intptr_t>(row * width)));
      visit(first + at, in_row, part);
      at += in_row;
    }
  }
};

}  // namespace simt::profile
