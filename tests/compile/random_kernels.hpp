// SPDX-License-Identifier: Apache-2.0
// What random_kernels.py and random_kernels.cpp share: kernels with one signature, and a launch of each.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <simt/half.hpp>
#include <simt/simt.hpp>

namespace random_kernels {

SIMT_DEVICE unsigned mix(unsigned a, unsigned b) {
  if ((a & 3u) == 0) return b * 2654435761u ^ a;
  for (unsigned i = 0; i < (b & 3u); ++i) a = a * 31u + i;
  return a ^ b >> 3;
}
SIMT_DEVICE unsigned bits(float f) { return static_cast<unsigned>(f * 0.125f) & 0xffffu; }
// Leaves its loop from several places.
SIMT_DEVICE unsigned first_power(const unsigned (&p)[4], unsigned a) {
  for (unsigned i = 0; i < 4; ++i) {
    if ((p[i] & (p[i] - 1u)) == 0) return i * 3u;
    if (p[i] > a) return a ^ i;
  }
  return 77;
}
template <class F>
SIMT_DEVICE unsigned twice(const F& f, unsigned a) {
  return f(f(a) + 1u);
}
// These wait, and all threads of the block, or of the grid, have to come.
SIMT_DEVICE unsigned neighbour(simt::thread t, unsigned (&s)[1024], unsigned me, unsigned threads, unsigned value) {
  s[me] = value;
  t.sync();
  const unsigned got = s[(me + 1u) % threads];
  t.sync();
  return value == 0u ? got * 3u : got;
}
SIMT_DEVICE unsigned far_neighbour(simt::thread t, simt::view<unsigned> out, unsigned gid, unsigned all,
                                   unsigned value) {
  out[gid] = value;
  t.sync_grid();
  const unsigned got = out[(gid + all / 2u + 1u) % all];
  t.sync_grid();
  return value == 1u ? got * 5u : got;
}
template <class F>
SIMT_DEVICE unsigned how_many(simt::thread t, const F& f, unsigned a) {
  return static_cast<unsigned>(t.sync_count(f(a)));
}

using launch_function = void (*)(const simt::launch_config& config, simt::view<const unsigned> x,
                                 simt::view<unsigned> out, simt::view<unsigned> sums, unsigned n);
struct launcher {
  const char* name;
  launch_function run;
  bool in_rows;      // grids and blocks have one row
  bool cooperative;  // has barriers of the grid
};
template <auto Kernel>
void launch(const simt::launch_config& config, simt::view<const unsigned> x, simt::view<unsigned> out,
            simt::view<unsigned> sums, unsigned n) {
  simt::launch<Kernel>(config, x, out, sums, n);
}

const std::vector<launcher>& all();

}  // namespace random_kernels
