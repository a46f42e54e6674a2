// SPDX-License-Identifier: Apache-2.0
// Translation moves what stands behind the head of a kernel: a column that is not the author's is unknown (0), not one beyond
// the end of the line.
// options: --check races --json -
// code: 3
// says: "column": 0,
// says: "line": 9
#include <cuda_runtime.h>
__global__ void k(int *p) { *p = threadIdx.x; }
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
