// SPDX-License-Identifier: Apache-2.0
// Bulk copies of tiles between a tensor in global memory and the block's shared memory (TMA), row by row. What lies
// outside of the tensor is read as zeros and is not written. PTX ISA, "Tensors", "cp.async.bulk.tensor".
#pragma once

#include <cstdint>

#include "async_copies.hpp"
#include "tensor_map.hpp"

namespace simt_cuda {

// Where a byte of a tile lies in shared memory: pieces of 16 bytes change places within 8 rows of the swizzled width.
// `window` counts from the beginning of the block's shared memory, as addresses of PTX do.
inline std::uint64_t swizzled(std::uint64_t window, unsigned swizzle) {
  static constexpr std::uint64_t kMoved[] = {0, 0x10, 0x30, 0x70};
  return window ^ (window >> 3 & kMoved[swizzle]);
}

template <bool ToShared>
struct tile_copy {
  tensor_map map;
  const int* first;  // coordinates
  char* shared;
  std::uint64_t window;  // of `shared`

  [[gnu::always_inline]] std::uint64_t places(int d) const { return (map.box[d] + map.steps[d] - 1u) / map.steps[d]; }
  [[gnu::always_inline]] bool is_inside(int d, std::int64_t index) const {
    return index >= 0 && index <= static_cast<std::int64_t>(map.sizes[d]);
  }
  // `bytes` at byte `at` of the tile; from == nullptr: outside of the tensor.
  [[gnu::always_inline]] void piece(std::uint64_t at, char* global, std::uint64_t bytes) const {
    char* const here = shared + (swizzled(window + at, map.swizzle) - window);
    if (global == nullptr) {
      if constexpr (ToShared)
        for (std::uint64_t i = 0; i < bytes; ++i) here[i] = 0;
    } else if constexpr (ToShared) {
      copy_later(here, global, bytes);
    } else {
      copy_later(global, here, bytes);
    }
  }
  // A row of the tile, in runs that lie together on both sides. `outside`: by an outer coordinate.
  [[gnu::always_inline]] void row(std::uint64_t at, std::uint64_t global, bool outside) const {
    const std::uint64_t element = map.strides[0], count = places(0);
    for (std::uint64_t i = 0; i < count;) {
      const std::int64_t index = first[0] + static_cast<std::int64_t>(i * map.steps[0]);
      const bool inside = !outside && is_inside(0, index);
      std::uint64_t n = 1;
      const auto goes_on = [&](std::uint64_t k) {
        const std::int64_t next = first[0] + static_cast<std::int64_t>(k * map.steps[0]);
        return (!outside && is_inside(0, next)) == inside && (map.swizzle == 0 || (at + k * element) % 16 != 0);
      };
      if (map.steps[0] == 1 || !inside)
        while (i + n < count && goes_on(i + n)) ++n;
      piece(at + i * element,
            inside ? reinterpret_cast<char*>(global + static_cast<std::uint64_t>(index) * element) : nullptr,
            n * element);
      i += n;
    }
  }
  // Returns the bytes of the tile.
  [[gnu::always_inline]] std::uint64_t all() const {
    const std::uint64_t length = places(0) * map.strides[0];
    std::uint64_t rows = 1;
    for (int d = 1; d < map.rank; ++d) rows *= places(d);
    for (std::uint64_t r = 0; r < rows; ++r) {
      std::uint64_t left = r, global = map.address;
      bool outside = false;
      for (int d = 1; d < map.rank; ++d) {
        const std::int64_t index = first[d] + static_cast<std::int64_t>(left % places(d) * map.steps[d]);
        left /= places(d);
        outside = outside || !is_inside(d, index);
        global += static_cast<std::uint64_t>(index) * map.strides[d];
      }
      row(r * length, global, outside);
    }
    return rows * length;
  }
};

// `map`: a CUtensorMap of the kernel's parameters, or of constant or global memory. One that nobody has made, or of
// another rank than the instruction, stops the kernel, as it does on a GPU.
template <bool ToShared, int Rank>
[[gnu::always_inline]] inline std::uint64_t copy_tile(char* shared, const void* map, const int (&first)[Rank]) {
  const tile_copy<ToShared> c{*static_cast<const tensor_map*>(map), first, shared,
                              static_cast<std::uint64_t>(shared - reinterpret_cast<char*>(self().context().shared))};
  if (c.map.rank != Rank) self().trap();
#if defined(SIMT_VARIANT_CHECK)
  expect_aligned(shared, nullptr, 0, 128, false);
#else
  if (c.window % 128 != 0) self().trap();  // an illegal instruction on an H100; under check a finding names it
#endif
  return c.all();
}

}  // namespace simt_cuda
