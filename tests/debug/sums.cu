// SPDX-License-Identifier: Apache-2.0
// Three kernels for tests/debug/run_debug.sh, which names their lines.
#include <cstdio>

__global__ void fill(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

__global__ void sums(const int* x, int* out) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  s[i] = x[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (i < d) s[i] += s[i + d];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = s[0];
}
__global__ void few(int* x);
int main() {
  int *x, *out, first = 0;
  cudaMalloc(&x, 4 * 64 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  fill<<<4, 64>>>(x);
  sums<<<4, 64>>>(x, out);
  few<<<2, 20>>>(x);  // on stacks that more threads have left
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("first sum %d\n", first);
}

__global__ void few(int* x) {
  x[threadIdx.x] = 1;
  __syncthreads();
  x[threadIdx.x + 20] = 2;
}
