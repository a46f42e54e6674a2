// SPDX-License-Identifier: Apache-2.0
// One thread of a row throws: it is named, with the last place where it, not its neighbour, touched memory.
// options: --check all --workers 1
// code: 4
// says: thread .20,0,0. of block .0,0,0. of kernel fill threw an exception: twenty
// says: throws_in_row.cu:13 in fill
// says: 13 . *x.i. = i;
#include <cstdio>
#include <cuda_runtime.h>
#include <stdexcept>
__global__ void fill(int* x, int* y) {
  const int i = threadIdx.x;
  x[i] = i;
  if (i == 20) throw std::runtime_error("twenty");
  y[i] = i;
}
int main() {
  int *x, *y;
  cudaMalloc(&x, 256);
  cudaMalloc(&y, 256);
  fill<<<1, 64>>>(x, y);
  std::printf("%d\n", cudaDeviceSynchronize());
}
