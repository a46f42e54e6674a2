// SPDX-License-Identifier: Apache-2.0
__constant__ float table[4] = {1, 2, 3, 4};
__device__ int bias = 100;
__device__ int scale(int x) { return x * 2; }
__device__ float scale(float x) { return x * 2; }

__global__ void compute_first(int* out, int x) { *out = scale(x) + bias + static_cast<int>(scale(table[2])); }
int first(int x) {
  int *d, h;
  cudaMalloc(&d, sizeof h);
  compute_first<<<1, 1>>>(d, x);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h;
}
