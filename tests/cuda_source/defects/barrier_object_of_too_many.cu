// SPDX-License-Identifier: Apache-2.0
// A barrier object that waits for one thread more than there are: the hang names it, and what it was made for.
// options: --check all
// code: 4
// says: error.hang.: kernel k<1> does not end: all threads that are left wait at b, and nobody is left
// says: made for \(blockDim.x \+ More, line 12\), and
#include <cuda/barrier>
#include <cuda_runtime.h>
template <int More>
__global__ void k(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, blockDim.x + More);
  __syncthreads();
  b.arrive_and_wait();
  out[threadIdx.x] = 1;
}
int main() {
  int *d, h[64];
  cudaMalloc(&d, sizeof h);
  k<0><<<1, 64>>>(d);
  k<1><<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
}
