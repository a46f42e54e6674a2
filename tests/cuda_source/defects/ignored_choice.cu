// SPDX-License-Identifier: Apache-2.0
// A device is chosen that the machine does not have, and nobody looks at the result: all goes on with the first one.
// options: --detect-races
// code: 3
// says: error.unchecked-error.: cudaSetDevice failed, and nobody looked at its result
// says: ignored_choice.cu:13 in main
// says: cudaErrorInvalidDevice, invalid device ordinal
// says: 1 error; judged races in 1 launch
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
int main() {
  cudaSetDevice(7);
  int *a, host[64] = {};
  if (cudaMalloc(&a, sizeof host) != cudaSuccess) return 1;
  fill<<<1, 64>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[63]);
  cudaFree(a);
}
