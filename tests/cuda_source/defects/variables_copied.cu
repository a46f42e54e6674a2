// SPDX-License-Identifier: Apache-2.0
// The clean twin of variables_by_name: values go through copies of the symbols.
// options: --check all
// code: 0
// says: no findings
#include <cstdio>
#include <cuda_runtime.h>
__constant__ float scale;
__device__ int count;
__global__ void multiply(float* a) {
  a[threadIdx.x] = scale;
  atomicAdd(&count, 1);
}
int main() {
  const float three = 3.f;
  cudaMemcpyToSymbol(scale, &three, sizeof three);
  float *a, host[32];
  int counted = 0;
  cudaMalloc(&a, sizeof host);
  multiply<<<1, 32>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&counted, count, sizeof counted);
  std::printf("%g %d\n", host[0], counted);
  cudaFree(a);
}
