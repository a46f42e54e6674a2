// SPDX-License-Identifier: Apache-2.0
// Two barriers on one line, and one function with a barrier called from both branches; a loop that is unrolled is one call.
// options: --check barrier
// code: 3
// says: barriers_on_one_line.cu:11
// says: barriers_on_one_line.cu:14
// says: 2 errors
#include <cuda_runtime.h>
__device__ void put(int* out, int i, int v) {
  out[i] = v;
  __syncthreads();
}
__global__ void kernel(int* out) {
  if (threadIdx.x < 33) { out[threadIdx.x] = 1; __syncthreads(); } else { out[threadIdx.x] = 2; __syncthreads(); }
  if (threadIdx.x < 33) put(out, threadIdx.x, 1); else put(out, threadIdx.x, 2);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    out[threadIdx.x] += i;
    __syncthreads();
  }
}
int main() {
  int* out;
  cudaMalloc(&out, 77 * sizeof(int));
  kernel<<<1, 77>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
