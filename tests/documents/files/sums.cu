// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
__global__ void sums(const int* x, int* out) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  s[i] = x[blockIdx.x * 64 + i];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2)
    if (i < d) s[i] += s[i + d];
  if (i == 0) out[blockIdx.x] = s[0];
}

int main() {
  int *x, *out, first;
  cudaMalloc(&x, 4 * 64 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(x, 1, 4 * 64 * sizeof(int));
  sums<<<4, 64>>>(x, out);
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
  cudaFree(x), cudaFree(out);
}
