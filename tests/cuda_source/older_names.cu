// SPDX-License-Identifier: Apache-2.0
// A program of C++17, which nvcc takes where nothing is said: words that C++20 made keywords are names here, u8"" is
// made of char, and names of the program win over those of std that only the simulator's own headers bring in.
#include <cstdio>
using namespace std;

int concept = 1, requires = 2, co_yield = 3;
const char* text = u8"text";

struct settings {
  int concept;
  bool requires(int n) const { return n == concept; }
};

int count = 2, vector = 3;
enum { left, right };
struct array {
  int size_of_it;
};
template <typename T>
__host__ __device__ T clamp(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}
template <typename T>
T midpoint(T a, T b) {
  return (a + b) / 2;
}

template <typename T>
__global__ void reduce(T* p, int n) {
  __shared__ T values[32];
  values[threadIdx.x] = clamp(p[threadIdx.x], T(2), T(9));
  __syncthreads();
  if (threadIdx.x == 0) {
    T sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    p[0] = sum;
  }
}
__global__ void sort(int* p) { p[1] = 7; }
__device__ int lock = 5;
__global__ void merge(int* p) { p[2] = atomicAdd(&lock, 1); }

int main() {
  register int unused = 4;
  const settings s{unused};
  printf("%d %s %d %d\n", concept + requires + co_yield, text, s.requires(4), midpoint(2, 4));
  int* d;
  cudaMallocManaged(&d, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) d[i] = i;
  reduce<<<1, 32>>>(d, 32);
  sort<<<1, 1>>>(d);
  merge<<<1, 1>>>(d);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, sort);
  cudaDeviceSynchronize();
  array a;
  a.size_of_it = left;
  printf("%d %d %d %d\n", d[0], d[1], d[2], count + vector + ::count + right + a.size_of_it);
  cudaFree(d);
}
