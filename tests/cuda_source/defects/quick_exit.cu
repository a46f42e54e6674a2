// SPDX-License-Identifier: Apache-2.0
// quick_exit runs none of the handlers that exit runs, and the report is made all the same.
// options: --detect-races
// code: 3
// says: error.race-global
#include <cstdlib>

__global__ void race(int* x) { x[0] = threadIdx.x; }

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 4);
  race<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
  std::quick_exit(0);
}
