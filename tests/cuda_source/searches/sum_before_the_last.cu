// SPDX-License-Identifier: Apache-2.0
// A ticket that counts one too few: in the order of blocks the sum is read before the last block has written.
#include <cuda_runtime.h>
__device__ int done, part[3], sum;
__global__ void add_up() {
  part[blockIdx.x] = 1;
  __threadfence();
  if (atomicAdd(&done, 1) == 1) {
    __threadfence();
    sum = part[0] + part[2];
  }
}
int main() {
  add_up<<<3, 1>>>();
  cudaDeviceSynchronize();
}
