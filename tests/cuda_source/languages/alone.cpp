// SPDX-License-Identifier: Apache-2.0
// A program of one .cpp file that calls the runtime. The order of these headers matters: <cmath> has names of C++20
// which cuda_runtime.h hides from older programs.
#include <cmath>

#include <cuda_runtime.h>

#include <math.h>

#include <cstdio>

int main() {
  int devices = 0;
  void *p = nullptr;
  cudaGetDeviceCount(&devices);
  cudaMalloc(&p, 100);
  cudaMemset(p, 1, 100);
  unsigned char last = 0;
  cudaMemcpy(&last, (unsigned char *)p + 99, 1, cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("devices %d, last %d\n", devices, last);
  return 0;
}
