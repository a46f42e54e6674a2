// SPDX-License-Identifier: Apache-2.0
// As grid_sync_one_short.cu, in a launch whose blocks cannot wait for each other: two launches, and where to cut.
// options: --check all
// code: 3
// says: fix: split the kernel into two launches between line 11 and line 12
// says: 3 more findings with the same cause
#include <cuda_runtime.h>
__global__ void smooth(float* a, float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, left = i == 0 ? n - 1 : i - 1;
  a[i] = i % 7;
  b[i] = 0.5f * i;
  out[i] = a[left];
  out[i] += b[left];
}
int main() {
  const int n = 4 * 64;
  float *a, *b, *out;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  smooth<<<4, 64>>>(a, b, out, n);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
}
