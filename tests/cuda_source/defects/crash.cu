// SPDX-License-Identifier: Apache-2.0
// A kernel that uses a null pointer dies with an illegal address, plain; the program goes on and sees the error.
// code: 4
// says: illegal memory access
// says: host-memory
// says: crash.cu:9
#include <cuda_runtime.h>
#include <cstdio>
__global__ void kernel(int* p) { p[threadIdx.x] = 1; }
int main() {
  kernel<<<2, 32>>>(nullptr);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
