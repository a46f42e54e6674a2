// SPDX-License-Identifier: Apache-2.0
// A spin on a plain variable that nobody sets ends as a finding, without --timeout.
// options: --check races
// code: 4
// says: .hang.
// says: spin_on_plain_for_ever.cu:10
#include <cuda_runtime.h>
__global__ void kernel(int* flag) {
  if (threadIdx.x < 2) {
    while (*flag == 0) {
    }
  }
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  kernel<<<1, 32>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(flag);
}
