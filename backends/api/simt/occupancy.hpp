// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel a multiprocessor holds at once, and a block size that fills it. Host only.
//
// On a GPU the kernel's registers and static shared memory count. The simulator knows neither: there the answer follows
// from an H200's limits of threads, blocks and dynamic shared memory alone, and is the most that any kernel could get.
#pragma once

#include <simt/launch.hpp>

namespace simt {

struct block_size_suggestion {
  int block_size = 0;  // threads; a multiple of the warp size
  int min_grid = 0;    // blocks that fill the device at that size
};

namespace detail {
// `blocks(threads)`: how many fit. The largest number of resident threads wins, at a tie the larger block.
template <class F>
block_size_suggestion best_block_size(std::int64_t limit, F&& blocks) {
  const device_properties d = backend::properties(backend::selected_device());
  limit = limit > 0 && limit < d.max_threads_per_block ? limit : d.max_threads_per_block;
  block_size_suggestion best;
  std::int64_t most = 0;
  for (std::int64_t threads = limit - limit % d.warp_size; threads > 0; threads -= d.warp_size) {
    const std::int64_t fit = blocks(threads);
    if (fit * threads <= most) continue;
    most = fit * threads;
    best = {static_cast<int>(threads), static_cast<int>(fit * d.multiprocessors)};
  }
  return best;
}
}  // namespace detail

// Blocks of this kernel on one multiprocessor (RT, cudaOccupancyMaxActiveBlocksPerMultiprocessor).
template <auto Kernel>
int max_active_blocks(std::int64_t block_size, std::int64_t dynamic_shared = 0) {
  if (block_size < 1 || dynamic_shared < 0)
    throw error(error_kind::invalid_argument,
                "max_active_blocks: a block has at least 1 thread and no negative shared memory, not " +
                    std::to_string(block_size) + " and " + std::to_string(dynamic_shared));
  using traits = detail::kernel_traits<decltype(+Kernel)>;
  return detail::active_blocks<Kernel>(std::type_identity<typename traits::parameters>{}, block_size, dynamic_shared);
}

// The block size with the most resident threads (RT, cudaOccupancyMaxPotentialBlockSize); `limit`: at most, 0: none.
template <auto Kernel>
block_size_suggestion suggest_block_size(std::int64_t dynamic_shared = 0, std::int64_t limit = 0) {
  return detail::best_block_size(
      limit, [&](std::int64_t threads) { return max_active_blocks<Kernel>(threads, dynamic_shared); });
}

}  // namespace simt
