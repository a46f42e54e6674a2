// SPDX-License-Identifier: Apache-2.0
// Every barrier opens, and nothing ends the loop: a hang, without a time limit.
// options: --check all
// code: 4
// says: .hang.: kernel wait does not end
// says: endless_barriers.cu:9
#include <cuda_runtime.h>
__global__ void wait(int* out) {
  for (;;) __syncthreads();
  out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  wait<<<3, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
