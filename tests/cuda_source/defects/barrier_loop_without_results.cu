// SPDX-License-Identifier: Apache-2.0
// options: --timeout 1
// code: 4
// says: error\[hang\]: kernel wait_for_nobody did not end within the time limit
// A loop over a barrier that ends for nobody, and of which nothing but its end is used: a plain run goes round, too. A
// compiler may take a loop without side effects to end.
#include <cuda_runtime.h>
__global__ void wait_for_nobody(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x + 1;
  for (;;) {
    __syncthreads();
    if (s[0] < 0) break;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  wait_for_nobody<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
