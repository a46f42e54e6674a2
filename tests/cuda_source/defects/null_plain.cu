// SPDX-License-Identifier: Apache-2.0
// code: 4
// says: error\[host-memory\]: thread \(0,0,0\) of block \(0,0,0\) of kernel fill dereferences a null pointer
// says: null_plain.cu:10 in fill
// says: 10 \|   if \(i < n\) p\[i\] = 1;
// A store that is the first instruction of its line.
#include <cstdio>
__global__ void fill(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 1;
}
int main() {
  fill<<<4, 64>>>(nullptr, 200);
  cudaDeviceSynchronize();
}
