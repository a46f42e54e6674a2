// SPDX-License-Identifier: Apache-2.0
// A message before its data, in a run that reads an older value; the program's exit code tells it.
#include <cuda_runtime.h>
__global__ void kernel(volatile int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42, *flag = 1;
  } else {
    while (*flag == 0) continue;
    *out = *data;
  }
}
int main() {
  int* all;
  cudaMalloc(&all, 3 * sizeof *all);
  cudaMemset(all, 0, 3 * sizeof *all);
  kernel<<<2, 1>>>(all, all + 1, all + 2);
  int got = 0;
  cudaMemcpy(&got, all + 2, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(all);
  return got == 42 ? 7 : 8;
}
