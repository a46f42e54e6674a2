// SPDX-License-Identifier: Apache-2.0
// Without checks: the thread that throws is named.
// options: --workers 1
// code: 4
// says: thread .20,0,0. of block .1,0,0. of kernel fill threw an exception: twenty
#include <cstdio>
#include <cuda_runtime.h>
#include <stdexcept>
__global__ void fill(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  if (i == 84) throw std::runtime_error("twenty");
}
int main() {
  int* x;
  cudaMalloc(&x, 1024);
  fill<<<3, 64>>>(x);
  std::printf("%d\n", cudaDeviceSynchronize());
}
