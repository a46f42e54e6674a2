// SPDX-License-Identifier: Apache-2.0
// Kernels are called as the program calls them: with their template's arguments and without the type names that their
// parameters use, also where a lambda runs inside, and where an address is far beyond an array.
// options: --check all
// code: 3
// says: launch    fold<int, 64, how::slow>, grid
// says: launch    fold<int, 64, how::slow, {double, char}>, grid
// says: names_of_kernels.cu:24 in lambda in fold
// says: called from fold
// says: names_of_kernels.cu:26 in fold
// says: names_of_kernels.cu:28 in beyond
// says: writes
#include <cuda_runtime.h>

#include <cstdint>

enum class how { fast, slow };

template <class T, int N, how H, class... Rest>
__global__ void fold(T* out, uint32_t, size_t, Rest...) {
  __shared__ T s[N];
  s[threadIdx.x] = 0;
  auto put = [&](int i) {
    s[i] = i;
  };
  put(threadIdx.x); out[threadIdx.x] = s[(threadIdx.x + 1) % N];
}
__global__ void beyond(uint64_t* out, size_t n) { out[~threadIdx.x] = n; }

int main() {
  int* a;
  uint64_t* b;
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  fold<int, 64, how::slow><<<1, 64>>>(a, 1u, 2ul);
  fold<int, 64, how::slow, double, char><<<1, 64>>>(a, 1u, 2ul, 3.0, 'c');
  beyond<<<1, 1>>>(b, 1);
  cudaDeviceSynchronize();
  return 0;
}
