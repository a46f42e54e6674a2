// SPDX-License-Identifier: Apache-2.0
__constant__ float table[4] = {5, 6, 7, 8};
__device__ int bias = 200;
__device__ int scale(int x) { return x * 3; }
__device__ float scale(float x) { return x * 3; }

__global__ void compute_second(int* out, int x) { *out = scale(x) + bias + static_cast<int>(scale(table[2])); }
int second(int x) {
  int *d, h;
  cudaMalloc(&d, sizeof h);
  compute_second<<<1, 1>>>(d, x);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h;
}
