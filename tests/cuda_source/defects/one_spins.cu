// SPDX-License-Identifier: Apache-2.0
// Of 256 threads the last one waits for a flag that nobody sets, the others at a barrier: the report shows the one.
// options: --check races --timeout 100
// code: 4
// says: hang
// says: thread .255,0,0. of block .0,0,0.: spins in a loop on memory
// says: one_spins.cu:13
#include <cuda_runtime.h>
__global__ void kernel(int* flag) {
  volatile int* ready = flag;
  if (threadIdx.x == 255)
    // Nobody sets it.
    while (*ready == 0) {}
  __syncthreads();
  if (threadIdx.x == 0) *ready = 1;
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  kernel<<<1, 256>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(flag);
}
