// SPDX-License-Identifier: Apache-2.0
// Variables in constant, device and managed memory: initialised, copied to and from, by symbol and by address.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__constant__ float coefficients[5] = {1.0f, -2.0f, 3.0f, -4.0f, 5.0f};
__constant__ int scale;
__device__ int counter = 7, steps[4];
static __device__ double total;
__managed__ int shared_flag = 3;
__device__ const int primes[] = {2, 3, 5, 7, 11};
constexpr int kCount = 64;

struct Limits {
  float low, high;
  int bins[2];
};
__constant__ Limits limits;

__device__ float polynomial(float x) {
  float y = 0;
  for (int i = 4; i >= 0; i--) y = y * x + coefficients[i];
  return y;
}

__global__ void evaluate(float* out) {
  int i = threadIdx.x;
  float v = polynomial(i * 0.125f) * scale;
  out[i] = v < limits.low ? limits.low : v > limits.high ? limits.high : v;
  atomicAdd(&counter, primes[i % 5]);
  atomicAdd(&steps[i % 4], 1);
  if (i == 0) {
    total = 0.5;
    shared_flag += limits.bins[1];
  }
}

int main() {
  int s = 2;
  Limits l = {-10.0f, 25.0f, {4, 9}};
  cudaMemcpyToSymbol(scale, &s, sizeof(int));
  cudaMemcpyToSymbol(limits, &l, sizeof l);
  float* d;
  cudaMalloc(&d, kCount * sizeof(float));
  evaluate<<<1, kCount>>>(d);
  float h[kCount];
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int c, st[4];
  double t;
  cudaMemcpyFromSymbol(&c, counter, sizeof c);
  cudaMemcpyFromSymbol(st, steps, sizeof st);
  cudaMemcpyFromSymbol(&t, total, sizeof t);
  printf("h[0] = %.3f, h[8] = %.3f, h[63] = %.3f\n", h[0], h[8], h[63]);
  printf("counter %d, steps %d %d %d %d, total %.1f, managed %d\n", c, st[0], st[1], st[2], st[3], t, shared_flag);
  float replaced[2] = {10.0f, 20.0f};
  cudaMemcpyToSymbol(coefficients, replaced, sizeof replaced, 3 * sizeof(float));
  void* address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, coefficients);
  cudaGetSymbolSize(&bytes, coefficients);
  float back[5];
  cudaMemcpy(back, address, bytes, cudaMemcpyDeviceToHost);
  printf("%zu bytes: %.0f %.0f %.0f %.0f %.0f\n", bytes, back[0], back[1], back[2], back[3], back[4]);
  cudaFree(d);
  return 0;
}
