// SPDX-License-Identifier: Apache-2.0
// Pointers that are declared for the device and that the host uses as variables of its own, which are its shadows: given
// to kernels as arguments, and copied to the device's variable by its symbol.
#include <cstdio>

constexpr int kCount = 32;

__device__ float* rows;      // for the host alone: kernels get it as an argument
__device__ int* counts;      // for both: the host's value is copied to the device
__device__ float *parts[2];  // an array of such pointers
static __device__ const float* __restrict__ table;
__constant__ double* limits;

__global__ void add(float* rows, float by) { rows[threadIdx.x] += by; }
__global__ void count() {
  atomicAdd(&counts[threadIdx.x % 2], 1);
  if (threadIdx.x == 0) *limits += table[1];
}

int main() {
  float h[kCount] = {};
  cudaMalloc((void**)&rows, sizeof h);
  cudaMemcpy(rows, h, sizeof h, cudaMemcpyHostToDevice);
  for (int i = 0; i < 2; ++i) {
    cudaMalloc(&parts[i], sizeof h);
    cudaMemset(parts[i], 0, sizeof h);
    add<<<1, kCount>>>(parts[i], i + 2);
  }
  add<<<1, kCount>>>(rows, 1);
  if (rows != nullptr) add<<<1, kCount>>>(rows, 0.5f);
  cudaMemcpy(h, rows, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g", h[kCount - 1]);
  for (float* p : {parts[0], parts[1]}) {
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    std::printf(" %g", h[0]);
    cudaFree(p);
  }
  std::printf("\n");

  cudaMalloc(&counts, 2 * sizeof(int));
  cudaMemset(counts, 0, 2 * sizeof(int));
  cudaMemcpyToSymbol(counts, &counts, sizeof counts);
  cudaMemcpyToSymbol(table, &rows, sizeof rows);
  double* limit;
  const double five = 5;
  cudaMalloc(&limit, sizeof five);
  cudaMemcpy(limit, &five, sizeof five, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(limits, &limit, sizeof limit);
  count<<<1, kCount>>>();
  int got[2];
  double sum;
  cudaMemcpy(got, counts, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, limit, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d %d %g\n", got[0], got[1], sum);
  cudaFree(rows);
  cudaFree(counts);
  cudaFree(limit);
}
