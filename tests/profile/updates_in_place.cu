// SPDX-License-Identifier: Apache-2.0
// Loops that read and write one element in each turn: the read and the store are two instructions of the warp.
#include "check.hpp"

constexpr int kSide = 16384;  // threads of a launch

__global__ void add_rows(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k) y[k * kSide + i] += x[k * kSide + i];
}
__global__ void scale_every_other(float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) y[2 * (k * kSide + i)] *= 3;
}
__global__ void add_in_shared(const float* x, float* y) {
  __shared__ float s[8][256];
  const int i = threadIdx.x;
  for (int k = 0; k < 8; ++k) s[k][i] = x[i];
  __syncthreads();
  for (int k = 0; k < 8; ++k) s[k][255 - i] += 2;
  __syncthreads();
  y[blockIdx.x * 256 + i] = s[i % 8][i];
}

int main() {
  float* x = filled<float>(8 * kSide);
  float* y = zeroed<float>(8 * kSide);
  add_rows<<<kSide / 256, 256>>>(x, y);
  scale_every_other<<<kSide / 256, 256>>>(y);
  add_in_shared<<<kSide / 256, 256>>>(x, y);
  LOOK(cudaDeviceSynchronize());
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  return 0;
}
