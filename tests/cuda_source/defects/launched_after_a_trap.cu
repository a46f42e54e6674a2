// SPDX-License-Identifier: Apache-2.0
// Nothing runs behind a kernel that died, and only the next wait tells: what is launched meanwhile never begins.
// options: --check all
// code: 4
// says: launched: no error, then: unspecified launch failure, host memory 1
// says: judged races, memory, uninit, barrier in 1 launch and
#include <cstdio>
#include <cuda_runtime.h>
__global__ void dies() { __trap(); }
__global__ void set(int* x) { *x = 2; }
int main() {
  int* x;
  cudaMallocHost(&x, sizeof(int));
  *x = 1;
  dies<<<1, 1>>>();
  set<<<1, 1>>>(x);
  const cudaError_t launched = cudaGetLastError(), after = cudaDeviceSynchronize();
  std::printf("launched: %s, then: %s, host memory %d\n", cudaGetErrorString(launched), cudaGetErrorString(after), *x);
  cudaFreeHost(x);
}
