// SPDX-License-Identifier: Apache-2.0
// A copy that a barrier object is told of. Whoever waits for the phase may read what it brought; to have arrived is not
// enough, not even for the thread that issued it, and a block barrier does not make up for the wait.
// options: --check all
// code: 3
// says: error.race-shared.: .* of s
// says: copy_read_after_arrival.cu:23 in copied<false>
// says: copy_read_after_arrival.cu: 1 error;
#include <cuda/barrier>
#include <cuda_runtime.h>
#include <utility>
using object = cuda::barrier<cuda::thread_scope_block>;
template <bool Waits>
__device__ void copied(int* x) {
  __shared__ alignas(16) int s[64];
  __shared__ object bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) cuda::memcpy_async(s, x, cuda::aligned_size_t<16>(sizeof s), bar);
  object::arrival_token token = bar.arrive();
  if (Waits) bar.wait(std::move(token));
  __syncthreads();
  x[64 + threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void arrived(int* x) { copied<false>(x); }
__global__ void waited(int* x) { copied<true>(x); }
int main() {
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  waited<<<1, 64>>>(x);
  arrived<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
