// SPDX-License-Identifier: Apache-2.0
// A copy the wrong way round, whose result nobody looks at. The others are looked at, or thrown away on purpose.
// options: --detect-races
// code: 3
// says: error.unchecked-error.: cudaMemcpy failed, and nobody looked at its result
// says: ignored_failure.cu:18 in main
// says: cudaErrorInvalidValue, invalid argument
// says: 1 error; judged races in 1 launch
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
int main() {
  int *a, host[64] = {};
  if (cudaMalloc(&a, sizeof host) != cudaSuccess) return 1;
  (void)cudaMemset(nullptr, 0, 64);
  fill<<<1, 64>>>(a);
  if (cudaGetLastError() == cudaSuccess) std::printf("the memset went unnoticed\n");
  cudaMemcpy(host, a, sizeof host, cudaMemcpyHostToDevice);
  std::printf("%d\n", host[63]);
  cudaFree(a);
}
