// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for each other: a spin lock, a chain of volatile flags, a single-pass scan that looks back.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ int lock = 0;
__device__ unsigned int ticket = 0;

__global__ void locked_increment(volatile int* value) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    *value = *value + 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

// Block i goes on when block i - 1 has set its flag.
__global__ void chain(volatile int* flags, int* order) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (flags[blockIdx.x - 1] == 0)
        ;
    __threadfence();
    order[blockIdx.x] = blockIdx.x == 0 ? 1 : order[blockIdx.x - 1] + 2;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

// Decoupled look-back: each block publishes its sum, then the inclusive prefix (Merrill and Garland, 2016).
__global__ void scan(const int* in, int* out, unsigned long long* status, int n) {
  __shared__ unsigned int tile;
  __shared__ int values[128];
  __shared__ int before;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1u);
  __syncthreads();
  const int i = tile * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    int add = threadIdx.x >= offset ? values[threadIdx.x - offset] : 0;
    __syncthreads();
    values[threadIdx.x] += add;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const int sum = values[blockDim.x - 1];
    int exclusive = 0;
    if (tile > 0) {
      atomicExch(&status[tile], (1ull << 32) | (unsigned int)sum);
      for (int look = tile - 1; look >= 0;) {
        unsigned long long s = atomicAdd(&status[look], 0ull);
        if (s >> 32 == 0) continue;
        exclusive += (int)(unsigned int)s;
        if (s >> 32 == 2) break;
        look--;
      }
    }
    atomicExch(&status[tile], (2ull << 32) | (unsigned int)(exclusive + sum));
    before = exclusive;
  }
  __syncthreads();
  if (i < n) out[i] = values[threadIdx.x] + before;
}

int main() {
  int *d_value, *d_flags, *d_order;
  cudaMalloc(&d_value, sizeof(int));
  cudaMemset(d_value, 0, sizeof(int));
  locked_increment<<<40, 64>>>(d_value);
  int value;
  cudaMemcpy(&value, d_value, sizeof value, cudaMemcpyDeviceToHost);
  printf("locked increments: %d\n", value);

  const int blocks = 24;
  cudaMalloc(&d_flags, blocks * sizeof(int));
  cudaMalloc(&d_order, blocks * sizeof(int));
  cudaMemset(d_flags, 0, blocks * sizeof(int));
  chain<<<blocks, 32>>>(d_flags, d_order);
  int order[blocks];
  cudaMemcpy(order, d_order, sizeof order, cudaMemcpyDeviceToHost);
  printf("chain: %d ... %d\n", order[0], order[blocks - 1]);

  const int n = 5000;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; i++) in[i] = i % 7 - 2;
  int *d_in, *d_out;
  unsigned long long* d_status;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_status, 64 * sizeof(unsigned long long));
  cudaMemset(d_status, 0, 64 * sizeof(unsigned long long));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<(n + 127) / 128, 128>>>(d_in, d_out, d_status, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    sum += in[i];
    wrong += out[i] != sum;
  }
  printf("scan: %d wrong, last %d\n", wrong, out[n - 1]);
  cudaFree(d_value), cudaFree(d_flags), cudaFree(d_order), cudaFree(d_in), cudaFree(d_out), cudaFree(d_status);
  return 0;
}
