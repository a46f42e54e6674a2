// SPDX-License-Identifier: Apache-2.0
// Sum of an array four ways: one atomic a thread, shared memory, dynamic shared memory, warp shuffles.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_atomic(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

__global__ void sum_shared(const int* in, int* out, int n) {
  __shared__ int partial[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, partial[0]);
}

extern __shared__ int scratch[];

__device__ void tree(int tid, int size) {
  for (int s = size / 2; s > 0; s /= 2) {
    if (tid < s) scratch[tid] += scratch[tid + s];
    __syncthreads();
  }
}

__global__ void sum_dynamic(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  scratch[threadIdx.x] = sum;
  __syncthreads();
  tree(threadIdx.x, blockDim.x);
  if (threadIdx.x == 0) atomicAdd(out, scratch[0]);
}

__inline__ __device__ int warp_sum(int v) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

__global__ void sum_warp(const int* in, int* out, int n) {
  static __shared__ int warps[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = warp_sum(sum);
  if (threadIdx.x % warpSize == 0) warps[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    sum = threadIdx.x < blockDim.x / warpSize ? warps[threadIdx.x] : 0;
    sum = warp_sum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

int main() {
  const int n = 1 << 16;
  std::vector<int> h(n);
  long long want = 0;
  for (int i = 0; i < n; i++) want += h[i] = i % 17 - 3;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const char* names[] = {"atomic", "shared", "dynamic", "warp"};
  for (int method = 0; method < 4; method++) {
    cudaMemset(d_out, 0, sizeof(int));
    switch (method) {
      case 0: sum_atomic<<<n / 256, 256>>>(d_in, d_out, n); break;
      case 1: sum_shared<<<n / 256, 256>>>(d_in, d_out, n); break;
      case 2: sum_dynamic<<<32, 128, 128 * sizeof(int)>>>(d_in, d_out, n); break;
      case 3: sum_warp<<<32, 128>>>(d_in, d_out, n); break;
    }
    int got = 0;
    cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%-8s %d (%s)\n", names[method], got, got == want ? "right" : "WRONG");
  }
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
