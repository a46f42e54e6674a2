// SPDX-License-Identifier: Apache-2.0
// For tests of kernels that fill an array of the block: begins with known numbers, and ends in a sum of each thread.
#pragma once

#include "both_executions.hpp"

namespace {

SIMT_DEVICE int x_of(simt::thread t) { return static_cast<int>(t.thread_idx().x); }
SIMT_DEVICE int y_of(simt::thread t) { return static_cast<int>(t.thread_idx().y); }

// Every element of s counts in what the block leaves.
SIMT_DEVICE void leave_sums(simt::thread t, const unsigned (&s)[1024], out_view out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 1024; ++i) sum = sum * 31 + s[(i + me_of(t)) % 1024];
  out[gid_of(t)] = sum;
}
SIMT_DEVICE void clear(simt::thread t, unsigned (&s)[1024]) {
  for (unsigned i = me_of(t); i < 1024; i += threads_of(t)) s[i] = i;
  t.sync();
}

}  // namespace
