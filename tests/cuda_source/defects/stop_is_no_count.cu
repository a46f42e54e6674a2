// SPDX-License-Identifier: Apache-2.0
// A flag that nobody sets; another kernel reads one of the same name by an addition of nothing, which counts nobody.
// options: --check all --timeout 60
// code: 4
// says: all threads that are left wait in loops, and none
#include <cuda_runtime.h>
__global__ void waits(volatile int* stop) {
  while (*stop == 0) {
  }
}
__global__ void counts(int* stop, unsigned* ticks) {
  while (atomicAdd(stop, 0) == 0) atomicAdd(ticks, 1u);
}
int main(int argc, char**) {
  int* stop;
  cudaMalloc(&stop, 2 * sizeof(int));
  cudaMemset(stop, 0, 2 * sizeof(int));
  if (argc > 1) counts<<<1, 32>>>(stop, reinterpret_cast<unsigned*>(stop) + 1);
  waits<<<1, 1>>>(stop);
  cudaDeviceSynchronize();
  cudaFree(stop);
}
