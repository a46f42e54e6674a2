// SPDX-License-Identifier: Apache-2.0
// Threads without work return before the block's barrier: named is the return that they took, not the kernel's end.
// options: --check all
// code: 0
// says: barrier-early-exit
// says: returns_early.cu:18 in reverse
// says: thread .40,0,0. of block .0,0,0.: has left the kernel
// says: returns_early.cu:22 in reverse
#include <cstdio>
#include <cuda_runtime.h>
__global__ void reverse(const int* x, int* out, int n) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  auto twice = [&](int v) {
    if (v < 0) return v;
    return 2 * v;
  };
  if (i >= n) return;
  s[i] = twice(x[i]);
  const auto check = [&] { if (s[i] < 0) return; };
  check();
  __syncthreads();
  out[i] = s[n - 1 - i];
  if (out[i] == 0) return;
  out[i] += 1;
}
int main() {
  int *x, *out, host[40];
  for (int i = 0; i < 40; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<1, 64>>>(x, out, 40);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[39]);
  cudaFree(x);
  cudaFree(out);
}
