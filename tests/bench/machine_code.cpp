// SPDX-License-Identifier: Apache-2.0
// Kernels whose machine code machine_code.cmake reads: two that never wait, an element function, and a kernel that
// waits for contrast.
#include <simt/simt.hpp>

SIMT_DEVICE void code_saxpy(simt::thread t, float a, simt::view<const float> x, simt::view<float> y) {
  const std::int64_t i = t.grid<1>();
  if (i < y.size()) y[i] = a * x[i] + y[i];
}
SIMT_DEVICE void code_increment(simt::thread t, simt::view<int> x) {
  const std::int64_t i = t.grid<1>();
  if (i < x.size()) x[i] += 1;
}
SIMT_DEVICE void code_multiply(std::int64_t i, simt::view<const float> x, simt::view<float> y) { y[i] *= x[i]; }
SIMT_DEVICE void code_waits(simt::thread t, simt::view<int> x) {
  x[t.grid<1>()] += 1;
  t.sync();
  x[t.grid<1>()] += 1;
}

void launch_all(simt::view<float> x, simt::view<float> y, simt::view<int> n) {
  simt::launch<code_saxpy>({.grid = 4, .block = 256}, 2.f, x, y);
  simt::launch<code_increment>({.grid = 4, .block = 256}, n);
  simt::launch_each<code_multiply>({.grid = 4, .block = 256}, y.size(), x, y);
  simt::launch<code_waits>({.grid = 4, .block = 256}, n);
}
