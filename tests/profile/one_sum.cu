// SPDX-License-Identifier: Apache-2.0
// Every thread adds to one float: the advice is what matters, nvcc does the same for integers by itself.
#include "check.hpp"

__global__ void sum_of_all(const float* x, float* sum) { atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]); }

int main() {
  float* x = filled<float>(4096);
  float* sum = zeroed<float>(1);
  RUN(sum_of_all, 16, 256, x, sum);
  LOOK(cudaFree(x));
  LOOK(cudaFree(sum));
  return 0;
}
