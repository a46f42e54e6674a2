// SPDX-License-Identifier: Apache-2.0
// A spin on a flag that nobody sets ends as a finding.
// options: --timeout 20
// code: 4
// says: .hang.
// says: hang.cu:
#include <cuda_runtime.h>
__global__ void kernel(volatile int* flag) {
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  kernel<<<2, 32>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(flag);
  return 0;
}
