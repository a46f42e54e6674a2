// SPDX-License-Identifier: Apache-2.0
// Kernels that kernels launch at their tail: behind all threads and all other kernels that were launched.
#include <cstdio>

__global__ void add_one(int* x) { x[threadIdx.x] += 1; }
// Reads what the parent's threads and its other children left.
__global__ void total(const int* x, int n, int* result, int step) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  result[step] = sum;
}
__global__ void parent(int* x, int n, int* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    total<<<1, 1, 0, cudaStreamTailLaunch>>>(x, n, result, 0);
    total<<<1, 1, 0, cudaStreamTailLaunch>>>(x, n, result, 1);
  }
  x[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) add_one<<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(x + blockIdx.x * blockDim.x);
}
// A loop without the host: each round launches the next one.
__global__ void halve(unsigned* x, int* rounds) {
  if (threadIdx.x < 32) x[threadIdx.x] /= 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    *rounds += 1;
    if (x[31] > 0) halve<<<1, 32, 0, cudaStreamTailLaunch>>>(x, rounds);
  }
}

int main() {
  const int n = 256;
  int *x, *result, host[3];
  unsigned* many;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&result, sizeof host);
  cudaMalloc(&many, 32 * sizeof(unsigned));
  cudaMemset(result, 0, sizeof host);
  cudaMemset(many, 0x0f, 32 * sizeof(unsigned));
  parent<<<n / 64, 64>>>(x, n, result);
  halve<<<1, 32>>>(many, result + 2);
  cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
  const int sought = n * (n - 1) / 2 + n;
  const bool right = host[0] == sought && host[1] == sought && host[2] == 28;
  std::printf("totals %d %d, rounds %d: %s\n", host[0], host[1], host[2], right ? "PASSED" : "FAILED");
  cudaFree(x);
  cudaFree(result);
  cudaFree(many);
  return right ? 0 : 1;
}
