// SPDX-License-Identifier: Apache-2.0
// A copy promises multiples of 16 bytes of an array that is declared for 4: a warning, however many threads take part.
// options: --check all
// code: 0
// says: warning.misaligned.: asynchronous copy in pieces of 16 to row.0., whose array is only aligned to 4
// says: 64 accesses at these lines
#include <cooperative_groups.h>
#include <cuda/barrier>

#include <cstdio>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void turn(const float *in, float *out) {
  __shared__ float row[64];
  __shared__ barrier copied;
  if (threadIdx.x == 0) init(&copied, 64);
  __syncthreads();
  cuda::memcpy_async(cooperative_groups::this_thread_block(), row, in, cuda::aligned_size_t<16>(sizeof row), copied);
  copied.arrive_and_wait();
  out[threadIdx.x] = row[63 - threadIdx.x];
}

int main() {
  float *in, *out, h[64] = {1, 2, 3};
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  turn<<<1, 64>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", h[63], h[61]);
  cudaFree(in);
  cudaFree(out);
}
