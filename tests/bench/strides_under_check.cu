// SPDX-License-Identifier: Apache-2.0
// Grid-stride loops, in grids of few threads and of many, with each type of index. For ratios of one run to another:
//   simrun --workers 1 tests/bench/strides_under_check.cu
//   simrun --workers 1 --check races tests/bench/strides_under_check.cu
#include <cstdio>
#include <vector>

#include "launch_times.hpp"

__global__ void saxpy(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}
__global__ void copy(const float* x, float* y, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += blockDim.x * std::size_t{gridDim.x})
    y[i] = x[i];
}
__global__ void scale(float* y, float by, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] *= by;
}

int main() {
  constexpr int n = 1 << 20;
  const std::vector<float> ones(n, 1.0f);
  float *x = device(ones), *y = device(ones);
  measure("16 turns", [&] { saxpy<<<256, 256>>>(x, y, 2, n); });
  measure("64 turns", [&] { saxpy<<<64, 256>>>(x, y, 2, n); });
  measure("256 turns", [&] { saxpy<<<16, 256>>>(x, y, 2, n); });
  measure("1024 turns", [&] { saxpy<<<4, 256>>>(x, y, 2, n); });
  measure("not all in the last", [&] { saxpy<<<30, 256>>>(x, y, 2, n - 100); });
  measure("std::size_t", [&] { copy<<<32, 256>>>(x, y, n - 100); });
  measure("unsigned", [&] { scale<<<32, 256>>>(y, 0.5f, n); });
  std::printf("sum %g\n", sum(y, n, [](float v) { return v; }));
}
