// SPDX-License-Identifier: Apache-2.0
// Blocks that run as one under check: the thread that divides by zero is named by its own block.
// options: --check all --execution loops
// code: 4
// says: division-by-zero
// says: division_in_group.cu:12
// says: thread \(9,0,0\)
// says: block \(18,0,0\)
#include <cuda_runtime.h>
__global__ void divide(int* x, const int* by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 1000 / by[i];
}
int main() {
  constexpr int n = 64 * 32;
  int *x, *by, host[n];
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&by, sizeof host);
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < n; ++i) host[i] = turn < 2 || i != 18 * 32 + 9;
    cudaMemcpy(by, host, sizeof host, cudaMemcpyHostToDevice);
    divide<<<n / 32, 32>>>(x, by);
    cudaDeviceSynchronize();
  }
  cudaFree(x);
  cudaFree(by);
}
