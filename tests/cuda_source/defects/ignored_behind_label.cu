// SPDX-License-Identifier: Apache-2.0
// Failed copies whose result nobody looks at, behind a label of a switch; the first is named. What stands in the other
// branches is looked at, or returned.
// options: --detect-races
// code: 3
// says: error.unchecked-error.: cudaMemcpy failed, and nobody looked at its result
// says: ignored_behind_label.cu:23 in main
// says: 1 error; judged races in 1 launch
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
static cudaError_t returned(int* host, int* a) { return host[0]++, ::cudaMemcpy(host, a, 4, cudaMemcpyHostToDevice); }
int main(int argc, char**) {
  int *a, host[64] = {};
  ::cudaMalloc(&a, sizeof host);
  fill<<<1, 64>>>(a);
  const cudaError_t seen = returned(host, a);
  const cudaError_t chosen = argc > 5 ? cudaSuccess : cudaMemcpy(host, a, 4, cudaMemcpyHostToDevice);
  switch (argc) {
    case 2:
      break;
    case 1:
      ::cudaMemcpy(host, a, sizeof host, cudaMemcpyHostToDevice);
  }
  std::printf("%d %d %d\n", host[63], seen, chosen);
  cudaFree(a);
}
