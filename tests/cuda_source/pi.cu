// SPDX-License-Identifier: Apache-2.0
// Monte Carlo with cuRAND's device generators: pi by XORWOW, a mean by Philox; the same numbers as on a GPU.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cstdio>

__global__ void setup(curandState* states, unsigned long long seed) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, id, 0, &states[id]);
}
__global__ void throw_darts(curandState* states, int tries, unsigned int* hits) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  curandState local = states[id];
  unsigned int inside = 0;
  for (int i = 0; i < tries; i++) {
    float x = curand_uniform(&local), y = curand_uniform(&local);
    if (x * x + y * y <= 1.0f) inside++;
  }
  states[id] = local;
  atomicAdd(hits, inside);
}
__global__ void philox(unsigned int* first, float* means) {
  curandStatePhilox4_32_10_t s;
  curand_init(42ull, threadIdx.x, 2, &s);
  first[threadIdx.x] = curand(&s);
  float4 v = curand_uniform4(&s);
  means[threadIdx.x] = 0.25f * (v.x + v.y + v.z + v.w);
}

int main() {
  const int threads = 512, tries = 200;
  curandState* states;
  unsigned int hits = 0, *d_hits;
  cudaMalloc(&states, threads * sizeof(curandState));
  cudaMalloc(&d_hits, sizeof hits);
  cudaMemset(d_hits, 0, sizeof hits);
  setup<<<threads / 128, 128>>>(states, 1234ull);
  throw_darts<<<threads / 128, 128>>>(states, tries, d_hits);
  cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost);
  printf("hits %u, pi is about %.4f\n", hits, 4.0 * hits / (threads * tries));
  unsigned int first[4], *d_first;
  float means[4], *d_means;
  cudaMalloc(&d_first, sizeof first);
  cudaMalloc(&d_means, sizeof means);
  philox<<<1, 4>>>(d_first, d_means);
  cudaMemcpy(first, d_first, sizeof first, cudaMemcpyDeviceToHost);
  cudaMemcpy(means, d_means, sizeof means, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; i++) printf("philox %d: %u %.6f\n", i, first[i], means[i]);
  cudaFree(states), cudaFree(d_hits), cudaFree(d_first), cudaFree(d_means);
  return 0;
}
