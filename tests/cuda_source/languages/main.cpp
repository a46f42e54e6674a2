// SPDX-License-Identifier: Apache-2.0
// C++ of the host: the runtime API by its header, none of the names of device code, and a function from a C file.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#ifdef __CUDACC__
#error "a .cpp file is no CUDA source"
#endif

extern "C" int sum_in_c(const int *values, int n);
void launch(int *d, int n);
static unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }

int main() {
  int *d;
  cudaMalloc((void **)&d, 16 * sizeof(int));
  launch(d, 16);
  std::vector<int> h(16);
  cudaMemcpy(h.data(), d, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("last %d, sum %d, least %u\n", h[15], sum_in_c(h.data(), 16), umin(3, 4));
  cudaFree(d);
  return 0;
}
