// SPDX-License-Identifier: Apache-2.0
// A kernel that is right, its twin in which every thread adds to the first element, and one with a barrier.
#pragma once

#include <simt/kernel.hpp>

SIMT_DEVICE void triple(simt::thread t, simt::view<int> x) {
  const std::int64_t i = t.grid<1>();
  if (i < x.size()) x[i] *= 3;
}

SIMT_DEVICE void add_all_racy(simt::thread t, simt::view<int> x) {
  const std::int64_t i = t.grid<1>();
  if (i < x.size()) x[0] += 1;
}

SIMT_DEVICE void reverse_blocks(simt::thread t, simt::view<int> x) {
  auto& s = t.shared<"s", int[64]>();
  const std::int64_t me = t.thread_idx().x, first = t.block_idx().x * 64;
  s[me] = x[first + me];
  t.sync();
  x[first + me] = s[63 - me];
}
