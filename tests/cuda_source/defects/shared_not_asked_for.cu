// SPDX-License-Identifier: Apache-2.0
// More than 48 KiB of dynamic shared memory needs cudaFuncSetAttribute, for each kernel.
// code: 0
// says: cudaErrorInvalidValue cudaSuccess cudaErrorInvalidValue cudaErrorInvalidValue
#include <cstdio>

template <class T>
__global__ void uses(T* out) {
  extern __shared__ int memory[];
  memory[0] = 1;
  *out = memory[0];
}

int main() {
  double* d;
  cudaMalloc(&d, sizeof(double));
  uses<<<1, 1, 64 * 1024>>>(d);
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  cudaFuncSetAttribute(uses<double>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  uses<<<1, 1, 64 * 1024>>>(d);
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  uses<<<1, 1, 65 * 1024>>>(d);
  printf("%s ", cudaGetErrorName(cudaGetLastError()));
  uses<<<1, 1, 64 * 1024>>>(reinterpret_cast<float*>(d));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
}
