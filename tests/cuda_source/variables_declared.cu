// SPDX-License-Identifier: Apache-2.0
// Variables of the device in the ways that C++ lets them be declared: behind extern "C", alignments, types and classes.
#include <array>
#include <cstdio>

extern "C" __constant__ float of_c[2] = {1.5f, 2.5f};
extern "C" {
__device__ int in_c = 6;
}
struct named {
  int a;
} __device__ with_its_type = {3};
struct two {
  int a, b;
};
__device__ float in_brackets(1.25f), in_braces{2.0f};
__device__ std::array<int, (3 > 2 ? 4 : 5)> counted = {1, 2, 3, 4};
__device__ int const *const *far = nullptr;
__device__ alignas(64) float at_64[4] = {1, 2, 3, 4};
alignas(64) __device__ const int first_at_64 = 9;
template <class T>
struct traits {
  static constexpr int n = 3;
  typedef float type;
};
__device__ typename traits<int>::type of_traits = 4.5f;
unsigned char __device__ behind_its_type[traits<int>::n] = {9, 8, 7};
__device__ auto deduced = 7u;
__constant__ two table[2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
class holder {
 public:
  static __device__ int counter;
  static __constant__ int limit;
  __device__ static int get() { return counter + limit; }
};
__device__ int holder::counter = 10;
__constant__ int holder::limit = 5;

__global__ void all(float *o) {
  int i = 0;
  o[i++] = of_c[1] + in_c + with_its_type.a;
  o[i++] = in_brackets + in_braces + counted[3] + (far == nullptr);
  o[i++] = at_64[3] + reinterpret_cast<size_t>(at_64) % 64 + reinterpret_cast<size_t>(&first_at_64) % 64 + first_at_64;
  o[i++] = of_traits + behind_its_type[2] + deduced;
  o[i++] = table[1][0].b + holder::get();
}

int main() {
  float *o, h[5];
  cudaMalloc(&o, sizeof h);
  for (int turn = 0; turn < 2; ++turn) all<<<1, 1>>>(o);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  for (float x : h) printf("%g ", x);
  float c[2];
  int counter;
  size_t size;
  cudaMemcpyFromSymbol(c, of_c, sizeof c);
  cudaMemcpyFromSymbol(&counter, holder::counter, sizeof counter);
  cudaGetSymbolSize(&size, table);
  printf("\n%g %d %d\n", c[0], counter, int(size));
  cudaFree(o);
}
