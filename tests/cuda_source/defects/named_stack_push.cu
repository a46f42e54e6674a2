// SPDX-License-Identifier: Apache-2.0
// What a kernel died of is known by its kind: a name like stack_push, or "assertion" in a text, makes no difference.
// code: 4
// says: division-by-zero.*kernel stack_push_assertion
// says: cudaErrorLaunchFailure
#include <cuda_runtime.h>

#include <cstdio>
__global__ void stack_push_assertion(int* x, int by) { x[threadIdx.x] = 7 / by; }
int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  stack_push_assertion<<<1, 32>>>(x, 0);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
}
