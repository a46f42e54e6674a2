// SPDX-License-Identifier: Apache-2.0
// The clean twin of ignored_failure: the program asks for the last error behind the copy.
// options: --detect-races
// code: 0
// says: no findings; judged races in 1 launch
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
int main() {
  int *a, host[64] = {};
  if (cudaMalloc(&a, sizeof host) != cudaSuccess) return 1;
  fill<<<1, 64>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyHostToDevice);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(a);
}
