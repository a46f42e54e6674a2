// SPDX-License-Identifier: Apache-2.0
// Shared arrays whose alignment is given: by a number, a type, the size of a template's argument; before the type and
// behind the name.
#include <cstdio>
template <typename T>
__global__ void reverse(T* out, int n) {
  extern __shared__ __align__(sizeof(T)) unsigned char bytes[];
  T* shared = reinterpret_cast<T*>(bytes);
  shared[threadIdx.x] = static_cast<T>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = shared[n - 1 - threadIdx.x];
}
template <typename T, int Bytes>
__global__ void addresses(int* bad) {
  __shared__ char first;
  __shared__ alignas(T) unsigned char typed[3 * sizeof(T)];
  __shared__ __align__(Bytes) char numbered[5];
  __shared__ float behind[4] __attribute__((aligned(4 * Bytes)));
  __shared__ __align__(16 * 1024) char buffers[2 * 16 * 1024];
  first = 0;
  T* values = reinterpret_cast<T*>(typed);
  values[1] = T{};
  if (threadIdx.x == 0) {
    atomicAdd(bad, reinterpret_cast<size_t>(typed) % alignof(T) != 0);
    atomicAdd(bad, reinterpret_cast<size_t>(numbered) % Bytes != 0);
    atomicAdd(bad, reinterpret_cast<size_t>(behind) % (4 * Bytes) != 0);
    // A kernel that switches between two halves of a buffer by one bit of a 32-bit address.
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(buffers));
    atomicAdd(bad, (address ^ 0x2000) != address + 0x2000);
  }
}
template <typename T>
void check_reverse(const char* name) {
  T *out, host[64];
  cudaMalloc(&out, sizeof host);
  reverse<T><<<1, 64, sizeof host>>>(out, 64);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 64; ++i) bad += host[i] != static_cast<T>(63 - i);
  printf("%s: %d wrong\n", name, bad);
  cudaFree(out);
}
int main() {
  check_reverse<char>("char");
  check_reverse<int>("int");
  check_reverse<double>("double");
  int *bad, host = -1;
  cudaMalloc(&bad, sizeof(int));
  cudaMemset(bad, 0, sizeof(int));
  addresses<float4, 32><<<1, 1>>>(bad);
  addresses<double, 128><<<1, 1>>>(bad);
  cudaMemcpy(&host, bad, sizeof(int), cudaMemcpyDeviceToHost);
  printf("addresses: %d wrong\n", host);
  cudaFree(bad);
}
