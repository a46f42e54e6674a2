// SPDX-License-Identifier: Apache-2.0
// How CUB's kernels of old share elements out among blocks, and the questions about devices that programs ask it.
#pragma once

#include "tools.hpp"
#include "../hide_names.hpp"

namespace cub {

enum GridMappingStrategy { GRID_MAPPING_RAKE, GRID_MAPPING_STRIP_MINE, GRID_MAPPING_DYNAMIC };

// Neighbouring tiles for each block, as evenly as whole tiles allow; or every grid_size-th tile.
template <class Offset>
struct GridEvenShare {
  Offset num_items = 0;
  int grid_size = 0;
  Offset block_offset = 0, block_end = 0, block_stride = 0;

  void DispatchInit(Offset items, int most_blocks, int tile) {
    num_items = block_offset = block_end = items;
    const auto tiles = static_cast<int>(DivideAndRoundUp(items, tile));
    grid_size = tiles < most_blocks ? tiles : most_blocks;
    tile_ = tile;
    tiles_ = tiles;
  }
  template <int Tile>
  void BlockInit(Offset first, Offset last) {
    block_offset = first;
    block_end = last;
    block_stride = Tile;
  }
  template <int Tile, GridMappingStrategy Strategy>
  void BlockInit() {
    BlockInit<Tile, Strategy>(static_cast<int>(simt_cuda::block_idx().x));
  }
  template <int Tile, GridMappingStrategy Strategy>
  void BlockInit(int block) {
    if constexpr (Strategy == GRID_MAPPING_RAKE) {
      const int shared = tiles_ / grid_size, larger = tiles_ % grid_size;  // the first blocks take one tile more
      const int first = block * shared + (block < larger ? block : larger), count = shared + (block < larger ? 1 : 0);
      block_offset = static_cast<Offset>(first) * tile_;
      const Offset end = block_offset + static_cast<Offset>(count) * tile_;
      block_end = end < num_items ? end : num_items;
      block_stride = Tile;
    } else {
      block_offset = static_cast<Offset>(block) * Tile;
      block_end = num_items;
      block_stride = static_cast<Offset>(grid_size) * Tile;
    }
  }

 private:
  int tile_ = 1, tiles_ = 0;
};

// Two counters in device memory: blocks take work from one and add to the other.
template <class Offset>
class GridQueue {
 public:
  static std::size_t AllocationSize() { return sizeof(Offset) * 2; }
  GridQueue() = default;
  explicit GridQueue(void* storage) : counters_(static_cast<Offset*>(storage)) {}
  cudaError_t FillAndResetDrain(Offset n, cudaStream_t s = nullptr) {
    if (simt_cuda::on_device()) {
      counters_[kFill] = n;
      counters_[kDrain] = 0;
      return cudaSuccess;
    }
    const Offset both[2] = {n, 0};
    return cudaMemcpyAsync(counters_, both, sizeof both, cudaMemcpyHostToDevice, s);
  }
  cudaError_t ResetDrain(cudaStream_t s = nullptr) { return reset(kDrain, s); }
  cudaError_t ResetFill(cudaStream_t s = nullptr) { return reset(kFill, s); }
  cudaError_t FillSize(Offset& n, cudaStream_t s = nullptr) {
    if (simt_cuda::on_device()) {
      n = counters_[kFill];
      return cudaSuccess;
    }
    return cudaMemcpyAsync(&n, counters_ + kFill, sizeof n, cudaMemcpyDeviceToHost, s);
  }
  Offset Drain(Offset n) { return atomicAdd(counters_ + kDrain, n); }
  Offset Fill(Offset n) { return atomicAdd(counters_ + kFill, n); }

 private:
  enum { kFill, kDrain };
  cudaError_t reset(int which, cudaStream_t s) {
    if (!simt_cuda::on_device()) return cudaMemsetAsync(counters_ + which, 0, sizeof(Offset), s);
    counters_[which] = 0;
    return cudaSuccess;
  }
  Offset* counters_ = nullptr;
};

inline int CurrentDevice() {
  int d = -1;
  return cudaGetDevice(&d) == cudaSuccess ? d : -1;
}
inline int DeviceCount() {
  int n = -1;
  return cudaGetDeviceCount(&n) == cudaSuccess ? n : -1;
}
inline cudaError_t SmVersion(int& version, int device = CurrentDevice()) {
  int major = 0, minor = 0;
  cudaError_t e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (e == cudaSuccess) version = major * 100 + minor * 10;
  return e;
}
inline cudaError_t SyncStream(cudaStream_t s) { return cudaStreamSynchronize(s); }
template <class Kernel>
cudaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int threads, int shared = 0) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, static_cast<std::size_t>(shared));
}

// The first place in a sorted range whose element is not less than v; whose element is greater.

// Where the path that merges two sorted lists crosses a diagonal: so many of each lie before it.
template <class A, class B, class Offset, class Coordinate>
void MergePathSearch(Offset diagonal, A a, B b, Offset a_length, Offset b_length, Coordinate& place) {
  Offset low = diagonal > b_length ? diagonal - b_length : Offset{0};
  Offset high = diagonal < a_length ? diagonal : a_length;
  while (low < high) {
    const Offset middle = low + (high - low) / 2;
    if (a[middle] <= b[diagonal - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  place.x = low < a_length ? low : a_length;
  place.y = diagonal - low;
}
template <class I, class N, class T>
N LowerBound(I from, N n, T v) {
  N low = 0;
  while (n > 0) {
    const N half = n >> 1;
    if (from[low + half] < v) {
      low = low + half + 1;
      n = n - half - 1;
    } else {
      n = half;
    }
  }
  return low;
}
template <class I, class N, class T>
N UpperBound(I from, N n, T v) {
  N low = 0;
  while (n > 0) {
    const N half = n >> 1;
    if (v < from[low + half]) {
      n = half;
    } else {
      low = low + half + 1;
      n = n - half - 1;
    }
  }
  return low;
}

}  // namespace cub

#include "../restore_names.hpp"
