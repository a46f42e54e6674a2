// SPDX-License-Identifier: Apache-2.0
// Variables of the device that functions of the program get as an address, `const void*`; and what is no symbol: an
// address of another type, memory of the host, a place within a variable.
#include <cstdio>

__constant__ float table[4];
__device__ int count = 3;
__device__ volatile int flag;
__device__ const int primes[] = {2, 3, 5, 7};
__device__ int* __restrict__ place;
__device__ double half = 0.5, *to_half = &half;

static cudaError_t upload(const void* symbol, const void* from, size_t bytes, size_t offset = 0) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, cudaMemcpyHostToDevice);
}
static cudaError_t download(void* to, const void* symbol, size_t bytes) {
  return cudaMemcpyFromSymbol(to, symbol, bytes);
}
static void* address_of(const void* symbol) {
  void* p = nullptr;
  return cudaGetSymbolAddress(&p, symbol) == cudaSuccess ? p : nullptr;
}

__global__ void use(float* out) {
  out[threadIdx.x] = table[threadIdx.x] * count + primes[threadIdx.x] + *to_half;
  if (threadIdx.x == 0) flag = *place;
}

int main() {
  const float values[4] = {1, 2, 3, 4};
  const int ten = 10;
  int* d;
  float* out;
  cudaMalloc(&d, sizeof(int));
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(d, &ten, sizeof ten, cudaMemcpyHostToDevice);
  std::printf("%s", cudaGetErrorName(upload(table, values, sizeof values)));
  std::printf(" %s", cudaGetErrorName(upload(&count, &ten, sizeof ten)));
  std::printf(" %s", cudaGetErrorName(cudaMemcpyToSymbol(place, &d, sizeof d)));
  std::printf(" %s\n", cudaGetErrorName(cudaMemcpyToSymbol((const void*)table, values, sizeof(float), 4)));
  use<<<1, 4>>>(out);
  float got[4];
  int seen = 0;
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&seen, flag, sizeof seen);
  std::printf("%g %g %g %g, %d\n", got[0], got[1], got[2], got[3], seen);
  std::printf("%s", cudaGetErrorName(download(&seen, &count, sizeof seen)));
  size_t bytes = 0;
  std::printf(" %d %s", seen, cudaGetErrorName(cudaGetSymbolSize(&bytes, (const void*)&half)));
  std::printf(" %zu %d\n", bytes, address_of(table) != nullptr && address_of(table) == address_of((const void*)table));

  std::printf("%s", cudaGetErrorName(cudaMemcpyToSymbol(&count, &ten, sizeof ten)));
  std::printf(" %s", cudaGetErrorName(upload(&seen, &ten, sizeof ten)));
  std::printf(" %s", cudaGetErrorName(upload(table + 1, values, sizeof(float))));
  std::printf(" %s\n", cudaGetErrorName(upload(table, values, sizeof values, 4)));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
  cudaFree(out);
}
