// SPDX-License-Identifier: Apache-2.0
// A bitonic sort whose second loop has no barrier: one finding with the others as its members, and one place to mend.
// options: --check races
// code: 3
// says: put a barrier .__syncthreads... at the beginning of the loop.s body, line 26: it orders
// says: 12 more findings with the same cause, mended with it:
// says: 13 errors;
#include <cuda_runtime.h>
__global__ void sort(int* a) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = a[t];
  s[t + 128] = a[t + 128];
  for (int size = 2; size < 256; size <<= 1) {
    int dir = (t & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      int pos = 2 * t - (t & (stride - 1));
      int x = s[pos], y = s[pos + stride];
      if ((x > y) == dir) {
        s[pos] = y;
        s[pos + stride] = x;
      }
    }
  }
  for (int stride = 128; stride > 0; stride >>= 1) {
    // No __syncthreads() here.
    int pos = 2 * t - (t & (stride - 1));
    int x = s[pos], y = s[pos + stride];
    if (x > y) {
      s[pos] = y;
      s[pos + stride] = x;
    }
  }
  __syncthreads();
  a[t] = s[t];
  a[t + 128] = s[t + 128];
}
int main() {
  int* a;
  cudaMallocManaged(&a, 1024);
  for (int i = 0; i < 256; ++i) a[i] = (i * 7919) % 503;
  sort<<<1, 128>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
