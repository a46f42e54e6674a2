// SPDX-License-Identifier: Apache-2.0
// Calls deeper than reports keep: the innermost ones that are kept are shown, and when all have come back the calls are as
// they were before.
// options: --detect-races
// code: 3
// says: deep_calls.cu:15 in down
// says: called from down at
// says: and 57 more
// says: deep_calls.cu:18 in after
// says: called from kernel at
#include <cuda_runtime.h>

__device__ __noinline__ int down(int* p, int n) {
  if (n > 0) return down(p, n - 1) + n;
  p[0] = threadIdx.x;
  return 1;
}
__device__ __noinline__ void after(int* p) { p[1] = threadIdx.x; }

__global__ void kernel(int* p, int depth) {
  p[2 + threadIdx.x] = down(p, depth);
  after(p);
}
int main() {
  int* p;
  cudaMalloc(&p, 64 * sizeof(int));
  kernel<<<1, 4>>>(p, 100);
  cudaDeviceSynchronize();
  cudaFree(p);
  return 0;
}
