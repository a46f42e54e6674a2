// SPDX-License-Identifier: Apache-2.0
// code: 4
// says: error\[host-memory\]: thread \(9,0,0\) of block \(2,0,0\) of kernel mark dereferences a null pointer
// says: null_of_two.cu:9 in mark
// One thread's pointer is null. A compiler may believe that all that are dereferenced are the other one.
#include <cstdio>
__global__ void mark(int* a, int none) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* const p = i == none ? nullptr : a;  p[i] = 1;
}
int main() {
  int* a;
  cudaMalloc(&a, 256 * sizeof(int));
  mark<<<4, 64>>>(a, 137);
  cudaDeviceSynchronize();
}
