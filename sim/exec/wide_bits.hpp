// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes as two words, in memory at a multiple of 16.
#pragma once

#include <cstdint>

namespace simt::sim {

struct alignas(16) wide_bits {
  std::uint64_t low, high;
  bool operator==(const wide_bits&) const = default;
};

}  // namespace simt::sim
