// SPDX-License-Identifier: Apache-2.0
// A message through volatile memory, without a fence behind its data: only a load that reads an older value shows it.
// options: --check races --explore bound=1 --memory-model ptx
// code: 4
// says: device-trap
// says: order: thread 0 of block 1 reads an older value at line 14, 1 store behind the newest: PTX
#include <cassert>
#include <cuda_runtime.h>
__global__ void kernel(volatile int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42, *flag = 1;
  } else {
    while (*flag == 0) continue;
    *out = *data;
    assert(*out == 42);
  }
}
int main() {
  int* all;
  cudaMalloc(&all, 3 * sizeof *all);
  cudaMemset(all, 0, 3 * sizeof *all);
  kernel<<<2, 1>>>(all, all + 1, all + 2);
  cudaDeviceSynchronize();
  cudaFree(all);
}
