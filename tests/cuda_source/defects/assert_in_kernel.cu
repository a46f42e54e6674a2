// SPDX-License-Identifier: Apache-2.0
// An assertion in the kernel itself: said as CUDA says it, and reported without a caller that is none.
// options: --check all
// code: 4
// says: assert_in_kernel.cu:14: halve: block: .1,0,0., thread: .36,0,0. Assertion `i < 100` failed
// says: assert_in_kernel.cu:14 in halve
// says: trapped here[^a-z]*= why
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>
__global__ void halve(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] /= 2;
  assert(i < 100);
}
int main() {
  int* x;
  cudaMalloc(&x, 400);
  cudaMemset(x, 0, 400);
  halve<<<2, 64>>>(x, 100);
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%d\n", e);
  return 0;
}
