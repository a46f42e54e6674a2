// SPDX-License-Identifier: Apache-2.0
// Device code of two sources is linked (-rdc=true): one has the variable and the function, the other uses them.
#include <cstdio>

extern __device__ int counter;
extern __device__ int plus_one(int x);

__global__ void count() { counter = plus_one(counter); }

int main() {
  for (int i = 0; i < 3; ++i) count<<<1, 1>>>();
  int h;
  cudaMemcpyFromSymbol(&h, counter, sizeof h);
  printf("%d\n", h);
}
