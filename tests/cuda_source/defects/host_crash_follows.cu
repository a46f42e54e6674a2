// SPDX-License-Identifier: Apache-2.0
// options: --check all
// code: 4
// says: error\[division-by-zero\]: .*divided an integer by zero.*  error  +the program crashed in host code: Segmentation fault
// says: the kernel did not finish
// Main uses what a kernel that died was to make: the kernel's death is the cause, so it comes first.
#include <cstdio>

__global__ void bad(int* p, int n) { p[threadIdx.x / n] = 1; }

int main() {
  int* p;
  cudaMallocManaged(&p, 4096);
  bad<<<1, 32>>>(p, 0);
  if (cudaDeviceSynchronize() != cudaSuccess) p = nullptr;
  std::printf("%d\n", p[0]);
}
