// SPDX-License-Identifier: Apache-2.0
// Pi by Monte Carlo with cuRAND device generators; block reduction, then one atomic a block.
#include <cstdio>
#include <cmath>
#include <curand_kernel.h>
#define cudaCheckError() { cudaError_t e = cudaGetLastError(); if (e != cudaSuccess) { printf("Cuda failure %s:%d: '%s'\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(0); } }
__global__ void setup_kernel(curandState *state, unsigned long long seed) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curand_init(seed, id, 0, &state[id]);
}
__global__ void monte_carlo(curandState *state, unsigned long long *count, int m) {
  unsigned int index = threadIdx.x + blockDim.x * blockIdx.x;
  __shared__ int cache[128];
  cache[threadIdx.x] = 0;
  __syncthreads();
  curandState local = state[index];
  for (int i = 0; i < m; i++) {
    float x = curand_uniform(&local);
    float y = curand_uniform(&local);
    if (x * x + y * y <= 1.0f) cache[threadIdx.x]++;
  }
  state[index] = local;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    i /= 2;
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(count, (unsigned long long)cache[0]);
}
int main() {
  const int blocks = 8, threads = 128, m = 500;
  unsigned long long h_count = 0, *d_count;
  curandState *d_state;
  cudaMalloc((void **)&d_count, sizeof(unsigned long long));
  cudaMalloc((void **)&d_state, blocks * threads * sizeof(curandState));
  cudaMemset(d_count, 0, sizeof(unsigned long long));
  setup_kernel<<<blocks, threads>>>(d_state, 1234ULL);
  cudaCheckError();
  monte_carlo<<<blocks, threads>>>(d_state, d_count, m);
  cudaCheckError();
  cudaMemcpy(&h_count, d_count, sizeof(h_count), cudaMemcpyDeviceToHost);
  double pi = 4.0 * h_count / ((double)blocks * threads * m);
  printf("pi is about %.2f: %s\n", std::round(pi * 100) / 100, fabs(pi - 3.14159265) < 0.02 ? "ok" : "off");
  cudaFree(d_count);
  cudaFree(d_state);
}
