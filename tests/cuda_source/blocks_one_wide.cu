// SPDX-License-Identifier: Apache-2.0
// Blocks one thread wide: the next thread of a row is one further in y or z.
#include <cstdio>
__global__ void tall(int* out) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  out[i] = i * 3 + threadIdx.x;
}
__global__ void deep(int* out) {
  int i = blockIdx.x * blockDim.z + threadIdx.z;
  out[i] = i + 100 * (threadIdx.x + threadIdx.y);
}
int main() {
  const int n = 512; int *d, h[n];
  cudaMalloc(&d, sizeof h);
  tall<<<dim3(1, 2), dim3(1, 256)>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; ++i) bad += h[i] != 3 * i;
  deep<<<8, dim3(1, 1, 64)>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) bad += h[i] != i;
  std::printf("bad %d\n", bad);
  cudaFree(d);
  return bad != 0;
}
