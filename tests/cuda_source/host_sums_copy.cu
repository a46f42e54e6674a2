// SPDX-License-Identifier: Apache-2.0
// defects/host_sums_device.cu, which sums a copy.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

[[gnu::noinline]] float squares(const float* from, int n) {
  return std::transform_reduce(from, from + n, 0.0f, std::plus<>{}, [](float x) { return x * x; }) +
         std::inner_product(from, from + n, from, 0.0f);
}
int main() {
  const std::vector<float> ones(100, 1.0f);
  float* device = nullptr;
  cudaMalloc(&device, 100 * sizeof(float));
  cudaMemcpy(device, ones.data(), 100 * sizeof(float), cudaMemcpyHostToDevice);
  std::vector<float> copy(100);
  cudaMemcpy(copy.data(), device, 100 * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", squares(copy.data(), 100));
  cudaFree(device);
  return 0;
}
