// SPDX-License-Identifier: Apache-2.0
// How many blocks fit a multiprocessor, and the block size that fills it.
#include <doctest/doctest.h>

#include <simt/simt.hpp>

#include "on_streams.hpp"

namespace {
SIMT_DEVICE void sum_shared(simt::thread t, simt::view<int> x) {
  auto* part = t.dynamic_shared<int>();
  part[t.rank()] = x[t.rank()];
  t.sync();
  if (t.rank() == 0) x[0] = part[0];
}
}  // namespace

TEST_CASE("blocks of a kernel on a multiprocessor") {
  const auto d = simt::device::current().properties();
  for (const int threads : {32, 33, 64, 256, 1000, 1024}) {
    const int blocks = simt::max_active_blocks<add_one>(threads);
    CHECK(blocks >= 1);
    CHECK(blocks <= d.max_blocks_per_multiprocessor);
    CHECK(blocks * threads <= d.max_threads_per_multiprocessor);
  }
  CHECK(simt::max_active_blocks<add_one>(1024) == d.max_threads_per_multiprocessor / 1024);
  CHECK(simt::max_active_blocks<add_one>(1025) == 0);
  CHECK_THROWS_AS(simt::max_active_blocks<add_one>(0), simt::error);
  CHECK_THROWS_AS(simt::max_active_blocks<add_one>(32, -1), simt::error);
}

TEST_CASE("dynamic shared memory bounds the blocks") {
  const auto d = simt::device::current().properties();
  CHECK(simt::max_active_blocks<sum_shared>(128, d.shared_bytes_per_block_optin) == 1);
  CHECK(simt::max_active_blocks<sum_shared>(128, d.shared_bytes_per_block_optin / 2 - 1024) == 2);
  CHECK(simt::max_active_blocks<sum_shared>(128, d.shared_bytes_per_block_optin + 1) == 0);
}

TEST_CASE("a block size that fills the device") {
  const auto d = simt::device::current().properties();
  const auto best = simt::suggest_block_size<add_one>();
  CHECK(best.block_size % d.warp_size == 0);
  CHECK(best.min_grid == simt::max_active_blocks<add_one>(best.block_size) * d.multiprocessors);
  for (int threads = 32; threads <= 1024; threads += 32)
    CHECK(threads * simt::max_active_blocks<add_one>(threads) <=
          best.block_size * simt::max_active_blocks<add_one>(best.block_size));
  CHECK(simt::suggest_block_size<add_one>(0, 200).block_size <= 192);
  // A cooperative grid of that size is resident at once.
  simt::buffer<int> x(1024, "x");
  x.fill_bytes(0);
  simt::launch<add_one>({.grid = best.min_grid, .block = best.block_size, .cooperative = true}, x);
  simt::synchronize();
  CHECK(x.to_host()[1023] == 1);
  CHECK_THROWS_AS(simt::launch<add_one>({.grid = best.min_grid + 1, .block = best.block_size, .cooperative = true}, x),
                  simt::error);
}
