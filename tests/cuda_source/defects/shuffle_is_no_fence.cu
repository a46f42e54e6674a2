// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes and reductions order no memory: what lanes hand over through shared memory needs __syncwarp().
// options: --check all
// code: 3
// says: race-shared
// says: put a barrier .__syncthreads\(\), or __syncwarp\(\) where
// says: shuffle_is_no_fence.cu:16
// says: shuffle_is_no_fence.cu:20
// says: 2 errors
#include <cuda_runtime.h>
__global__ void kernel(int* out) {
  __shared__ int a[32], b[32], c[32];
  const int t = threadIdx.x;
  a[t] = t;
  const int first = __shfl_sync(~0u, t, 0);
  const int x = a[31 - t];
  __syncwarp();
  b[t] = t;
  const int any = __any_sync(~0u, t == 3);
  const int y = b[31 - t];
  c[t] = t;
  __syncwarp();
  out[t] = first + any + x + y + c[31 - t];
}
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  kernel<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
