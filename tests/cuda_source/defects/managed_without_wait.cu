// SPDX-License-Identifier: Apache-2.0
// Managed memory read by the host while the kernel may still write it: the wait between them is missing.
// options: --check=all
// code: 3
// says: race-global
// says: read and write of y
// says: managed_without_wait.cu:25 in main
// says: cudaDeviceSynchronize
#include <cstdio>
__global__ void add(int n, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] + y[i];
}
int main() {
  const int n = 4096;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; i++) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }
  add<<<4, 256>>>(n, x, y);
  float worst = 0;
  for (int i = 0; i < n; i++) {
    const float difference = y[i] - 3.0f;
    worst = worst > difference ? worst : difference;
  }
  printf("%g\n", worst);
  cudaFree(x);
  cudaFree(y);
}
