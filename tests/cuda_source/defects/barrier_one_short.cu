// SPDX-License-Identifier: Apache-2.0
// A barrier that expects one arrival more than come, by a number of threads that divides nothing, in random order.
// options: --check all --schedule random
// code: 4
// says: does not end
// says: barrier_one_short.cu:14
#include <cuda/barrier>
#include <cuda_runtime.h>
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void kernel(int* out) {
  __shared__ block_barrier b;
  if (threadIdx.x == 0) init(&b, blockDim.x + 1);
  __syncthreads();
  b.arrive_and_wait();
  out[threadIdx.x] = threadIdx.x;
}
int main() {
  int* out;
  cudaMalloc(&out, 43 * sizeof(int));
  kernel<<<1, 43>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
