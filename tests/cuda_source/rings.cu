// SPDX-License-Identifier: Apache-2.0
// Indices that go round by a mask, some elements apart: in a kernel, between barriers, and on the host. clang's own
// vectoriser reads behind the ring's end there (sim/compile/wrapping_indices.hpp).
#include <cstdio>

constexpr int size = 64, blocks = 3;

__global__ void from_memory(const int* __restrict__ ring, int* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = ring[i * 5 & 63];
}
__global__ void from_shared(int* out) {
  __shared__ int ring[size];
  ring[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[blockIdx.x * size + threadIdx.x] = ring[threadIdx.x * 5 & 63];
}
__global__ void from_own(int* out) {
  int ring[size];
  for (int i = 0; i < size; ++i) ring[i] = i * i + threadIdx.x;
  for (int i = 0; i < size; ++i) out[threadIdx.x * size + i] = ring[i * 11 & 63];
}

void from_host(const int* __restrict__ ring, int* __restrict__ out) {
  for (int i = 0; i < size * blocks; ++i) out[i] = ring[i * 5 & 63];
}

template <class F>
void compare(const char* what, const int* out, F wanted) {
  int wrong = 0;
  for (volatile int i = 0; i < size * blocks; i = i + 1) wrong += out[i] != wanted(i);
  printf("%s: %d wrong\n", what, wrong);
}

int main() {
  int *ring, *out;
  cudaMallocManaged(&ring, size * sizeof(int));
  cudaMallocManaged(&out, size * blocks * sizeof(int));
  for (int i = 0; i < size; ++i) ring[i] = i * 1000;

  from_memory<<<blocks, size>>>(ring, out);
  cudaDeviceSynchronize();
  compare("memory", out, [](int i) { return 1000 * (i * 5 & 63); });
  from_shared<<<blocks, size>>>(out);
  cudaDeviceSynchronize();
  compare("shared", out, [](int i) { return (i * 5 & 63) * (i * 5 & 63); });
  from_own<<<1, blocks>>>(out);
  cudaDeviceSynchronize();
  compare("own", out, [](int i) { return (i * 11 & 63) * (i * 11 & 63) + i / size; });
  from_host(ring, out);
  compare("host", out, [](int i) { return 1000 * (i * 5 & 63); });
  cudaFree(ring);
  cudaFree(out);
}
