// SPDX-License-Identifier: Apache-2.0
// An algorithm of the C++ library is given device memory by the host: the report names the program's line, not only the
// library's. tests/cuda_source/host_sums_copy.cu sums a copy.
// options: --check memory
// code: 3
// says: host-memory
// says: host_sums_device.cu:19
// says: host_sums_device.cu:20
// says: called from main at .*host_sums_device.cu:28
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

// Not inlined: else its lines are main's.
[[gnu::noinline]] float squares(const float* from, int n) {
  return std::transform_reduce(from, from + n, 0.0f, std::plus<>{}, [](float x) { return x * x; }) +
         std::inner_product(from, from + n, from, 0.0f);
}
int main() {
  const std::vector<float> ones(100, 1.0f);
  float* device = nullptr;
  cudaMalloc(&device, 100 * sizeof(float));
  cudaMemcpy(device, ones.data(), 100 * sizeof(float), cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  std::printf("%g\n", squares(device, 100));
  cudaFree(device);
  return 0;
}
