// SPDX-License-Identifier: Apache-2.0
// Additions whose old value nobody reads, and everything that looks at the word behind them: its own thread, its block
// behind a barrier, and the last block. Under check with several workers each worker keeps a sum of its own until then.
#include <cstdio>
#include <cuda_runtime.h>
constexpr int kBlocks = 16, kThreads = 64, kAll = kBlocks * kThreads;
__device__ unsigned done;

__device__ void count(int* x) {
  for (int i = 0; i < 30; ++i) atomicAdd(x, 1);
}
__global__ void own_read(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  count(x + i);
  y[i] = x[i];
}
__global__ void own_sum(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  count(x + i);
  x[i] += 5;
}
__global__ void own_exchange(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  count(x + i);
  const int a = x[i];
  x[i] = a * 2;
  y[i] = a;
}
__global__ void own_write(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  count(x + i);
  x[i] = 3;
  atomicAdd(x + i, 4);
}
__global__ void own_update(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  count(x + i);
  y[i] = atomicMax(x + i, 40);
}
__global__ void of_block(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 30; ++k) atomicAdd(x + blockIdx.x * blockDim.x + (threadIdx.x + k) % 7, 2);
  __syncthreads();
  if (threadIdx.x < 7) x[i] = x[i] * 3 + 1;
  __syncthreads();
  y[i] = x[blockIdx.x * blockDim.x + (threadIdx.x * 5) % 7];
}
__global__ void last_block(int* x, int* y) {
  count(x + threadIdx.x % 3);
  __threadfence();
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (threadIdx.x < 3) {
    x[threadIdx.x] += 7;
    y[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = 0;
  }
}

template <class Kernel>
void show(const char* name, Kernel kernel, int* x, int* y) {
  static int of_x[kAll], of_y[kAll];
  cudaMemset(x, 0, sizeof of_x);
  cudaMemset(y, 0, sizeof of_y);
  kernel<<<kBlocks, kThreads>>>(x, y);
  cudaMemcpy(of_x, x, sizeof of_x, cudaMemcpyDeviceToHost);
  cudaMemcpy(of_y, y, sizeof of_y, cudaMemcpyDeviceToHost);
  long sum_x = 0, sum_y = 0;
  for (int i = 0; i < kAll; ++i) sum_x += of_x[i], sum_y += of_y[i];
  std::printf("%s %ld %ld\n", name, sum_x, sum_y);
}

int main() {
  int *x, *y;
  cudaMalloc(&x, kAll * sizeof(int));
  cudaMalloc(&y, kAll * sizeof(int));
  show("own read", own_read, x, y);
  show("own sum", own_sum, x, y);
  show("own exchange", own_exchange, x, y);
  show("own write", own_write, x, y);
  show("own update", own_update, x, y);
  show("of block", of_block, x, y);
  show("last block", last_block, x, y);
  cudaFree(x);
  cudaFree(y);
}
