// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "sums.h"

const char* unit();  // unit.cpp, which knows nothing of CUDA

int main() {
  const std::vector<float> ones(1000, 1);
  float* values;
  cudaMalloc(&values, ones.size() * sizeof(float));
  cudaMemcpy(values, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice);
  scale(values, 1000);
  std::printf("sum %g %s\n", sum_of(values, 1000), unit());
  cudaFree(values);
}
