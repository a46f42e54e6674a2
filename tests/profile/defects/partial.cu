// SPDX-License-Identifier: Apache-2.0
// The second block touches memory that is nobody's: what the first one did is counted all the same.
#include "../check.hpp"

__global__ void fails_late(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
  if (blockIdx.x == 1) y[n] = *reinterpret_cast<float*>(static_cast<size_t>(16 * threadIdx.x));
}

int main() {
  float* x = filled<float>(256);
  float* y = zeroed<float>(256);
  fails_late<<<2, 128>>>(x, y, 0);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
