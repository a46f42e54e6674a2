// SPDX-License-Identifier: Apache-2.0
// Who runs which blocks where their order is free (block_order): each worker begins with a stretch of the grid of its
// own, and takes from the others' when that is done. So a worker goes through one part of the memory, the same one in
// the next launch, which its caches may hold still: a quarter faster than taking turns, where memory is what a kernel
// waits for.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <sim/exec/worker.hpp>
#include <sim/memory/address_space.hpp>

namespace simt::sim {

class block_stretches {
 public:
  // `blocks` blocks for `workers` workers, who take no fewer than `chunk` at once. 0 workers: there are none.
  void open(std::int64_t blocks, std::int64_t chunk, int workers);
  bool is_open() const { return workers_ > 0; }
  // The next blocks for `worker`; empty if all are taken.
  block_chunk take(int worker);

 private:
  struct alignas(64) stretch {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };
  block_chunk take_from(stretch& s) const;

  int workers_ = 0;
  std::int64_t chunk_ = 1;
  std::array<stretch, kSharedWorkers> stretches_;
};

// Those of the launch that runs.
block_stretches& stretches_of_launch();

}  // namespace simt::sim
