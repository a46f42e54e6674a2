// SPDX-License-Identifier: Apache-2.0
// What a bulk copy of a tile (TMA) knows of an array in global memory: the words of a CUtensorMap, which the driver API
// writes and tensor_copies.hpp reads.
#pragma once

#include <cstdint>

namespace simt_cuda {
// What lies in the words of a CUtensorMap. Dimension 0 is the innermost one.
struct tensor_map {
  static constexpr int kMostDimensions = 5;
  std::uint64_t address;
  std::uint64_t strides[kMostDimensions];  // bytes from one index to the next; the first is the size of an element
  std::uint32_t sizes[kMostDimensions];    // less 1: a size may be 2^32
  std::uint16_t box[kMostDimensions];      // indices that a tile reaches over
  std::uint8_t steps[kMostDimensions];     // of them every such one is copied
  std::uint8_t rank;                       // 0: nobody has made this map
  std::uint8_t swizzle;
};
static_assert(sizeof(tensor_map) <= 128);
}  // namespace simt_cuda
