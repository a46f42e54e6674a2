// SPDX-License-Identifier: Apache-2.0
// An access through a null pointer ends the kernel; that is one finding of one access.
// options: --check all --json -
// code: 4
// says: a kernel dereferences a null pointer
// says: "count": 1,
// says: 1 error, the kernel did not finish
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
int main() {
  fill<<<1, 32>>>(nullptr);
  cudaDeviceSynchronize();
}
