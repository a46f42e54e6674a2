// SPDX-License-Identifier: Apache-2.0
// As many blocks as the device has multiprocessors wait for each other by a counter: all of them are there at once.
#include <cstdio>
#include <cuda_runtime.h>
__device__ unsigned count = 0;
__device__ void barrier(unsigned turn) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&count, 1u);
    while (*(volatile unsigned*)&count < turn * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void kernel(const int* in, int* out) {
  const unsigned next = (blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[next] + 1;
  barrier(1);
  const int seen = out[next];
  barrier(2);
  out[blockIdx.x * blockDim.x + threadIdx.x] += seen;
}
int main() {
  constexpr int kBlocks = 132, kThreads = 256;
  int *in, *out;
  cudaMalloc(&in, kBlocks * kThreads * sizeof(int));
  cudaMalloc(&out, kBlocks * kThreads * sizeof(int));
  cudaMemset(in, 0, kBlocks * kThreads * sizeof(int));
  kernel<<<kBlocks, kThreads>>>(in, out);
  static int result[kBlocks * kThreads];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (const int r : result) sum += r;
  std::printf("%d\n", sum);
  cudaFree(in);
  cudaFree(out);
}
