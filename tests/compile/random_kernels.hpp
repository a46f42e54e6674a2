// SPDX-License-Identifier: Apache-2.0
// What random_kernels.py and random_kernels.cpp share: kernels with one signature, and a launch of each.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <simt/simt.hpp>

namespace random_kernels {

SIMT_DEVICE unsigned mix(unsigned a, unsigned b) {
  if ((a & 3u) == 0) return b * 2654435761u ^ a;
  for (unsigned i = 0; i < (b & 3u); ++i) a = a * 31u + i;
  return a ^ b >> 3;
}
SIMT_DEVICE unsigned bits(float f) { return static_cast<unsigned>(f * 0.125f) & 0xffffu; }

using launch_function = void (*)(const simt::launch_config& config, simt::view<const unsigned> x,
                                 simt::view<unsigned> out, simt::view<unsigned> sums, unsigned n);
struct launcher {
  const char* name;
  launch_function run;
};
template <auto Kernel>
void launch(const simt::launch_config& config, simt::view<const unsigned> x, simt::view<unsigned> out,
            simt::view<unsigned> sums, unsigned n) {
  simt::launch<Kernel>(config, x, out, sums, n);
}

const std::vector<launcher>& all();

}  // namespace random_kernels
