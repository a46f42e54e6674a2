// SPDX-License-Identifier: Apache-2.0
// Two kernels: one that is right, and its twin in which every thread adds to the first element.
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
