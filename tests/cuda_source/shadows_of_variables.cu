// SPDX-License-Identifier: Apache-2.0
// Addresses of variables of the device, as the host may have them: symbols, cudaGetSymbolAddress, pointers that the
// device made; and the errors of copies through the host's own name of such a variable.
#include <cstdio>
#include <cstdlib>

__constant__ float table[4];
__device__ int count[2] = {1, 2};
__device__ int* place;
__managed__ int shared_count[2];

__global__ void point() { place = &count[1]; }
__global__ void add(float* x, const int* n) { x[threadIdx.x] += table[threadIdx.x] + *n; }
__global__ void touch(int* n) { n[threadIdx.x] += 3; }

// A symbol by reference.
template <class T>
cudaError_t set(T& symbol, const T& value) {
  return cudaMemcpyToSymbol(symbol, &value, sizeof value);
}

#define MUST(call, wanted)                                                        \
  do {                                                                            \
    const cudaError_t got = call;                                                 \
    if (got != wanted) {                                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(got));              \
      std::exit(1);                                                               \
    }                                                                             \
  } while (0)

int main() {
  float host[4] = {1, 2, 3, 4}, *x;
  MUST(cudaMalloc(&x, sizeof host), cudaSuccess);
  MUST(cudaMemset(x, 0, sizeof host), cudaSuccess);
  MUST(cudaMemcpyToSymbol(table, host, sizeof host), cudaSuccess);
  void* at;
  MUST(cudaGetSymbolAddress(&at, count), cudaSuccess);
  const int more[2] = {10, 20};
  MUST(cudaMemcpy(at, more, sizeof more, cudaMemcpyHostToDevice), cudaSuccess);
  point<<<1, 1>>>();
  int* second;
  MUST(cudaMemcpyFromSymbol(&second, place, sizeof second), cudaSuccess);
  add<<<1, 4>>>(x, second);
  touch<<<1, 2>>>(shared_count);
  MUST(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  std::printf("%g %g %d\n", host[0], host[3], shared_count[1]);

  MUST(set(place, second), cudaSuccess);
  MUST(cudaMemcpyFromSymbol(&second, place, sizeof second), cudaSuccess);
  std::printf("%d\n", second != nullptr);

  float table[4] = {5, 6, 7, 8};  // the function's own
  MUST(cudaMemcpy(x, table, sizeof table, cudaMemcpyHostToDevice), cudaSuccess);
  MUST(cudaMemcpy(::table, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  MUST(cudaMemcpy(&count[1], more, sizeof(int), cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  MUST(cudaMemcpy(host, (const void*)count, sizeof count, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  MUST(cudaMemset(count, 0, sizeof count), cudaErrorInvalidValue);
  MUST(cudaGetLastError(), cudaErrorInvalidValue);
  int seen[2];
  MUST(cudaMemcpyFromSymbol(seen, count, sizeof seen), cudaSuccess);
  std::printf("%d %d\n", seen[0], seen[1]);
  MUST(cudaFree(x), cudaSuccess);
}
