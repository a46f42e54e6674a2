// The words that CUB moves types in; flags of streams as pointers.
#include <cub/cub.cuh>
#include <cub/device/dispatch/dispatch_radix_sort.cuh>
#include <cstdio>
struct alignas(16) quad { double x, y; };
struct odd { char c[3]; };
template <class T> void sizes(const char* n) {
  using w = cub::UnitWord<T>;
  std::printf("%s %zu %zu %zu %zu\n", n, sizeof(typename w::ShuffleWord), sizeof(typename w::VolatileWord), sizeof(typename w::DeviceWord), sizeof(typename w::TextureWord));
}
template <class T>
__global__ void copy(const T* from, T* to) {
  using word = typename cub::UnitWord<T>::DeviceWord;
  auto* f = reinterpret_cast<const word*>(from + threadIdx.x);
  auto* t = reinterpret_cast<word*>(to + threadIdx.x);
  for (int i = 0; i < int(sizeof(T) / sizeof(word)); ++i) t[i] = f[i];
}
int main() {
  sizes<char>("char"); sizes<short>("short"); sizes<int>("int"); sizes<double>("double"); sizes<quad>("quad"); sizes<odd>("odd");
  sizes<float2>("float2"); sizes<float4>("float4"); sizes<const char2>("char2");
  quad *a, *b; cudaMallocManaged(&a, 32 * sizeof(quad)); cudaMallocManaged(&b, 32 * sizeof(quad));
  for (int i = 0; i < 32; ++i) a[i] = {i * 1.0, i * 2.0};
  void* none = cudaStreamDefault;
  copy<<<1, 32, 0, (cudaStream_t)none>>>(a, b);
  cudaDeviceSynchronize();
  std::printf("%g %g\n", b[5].x, b[31].y);
  cudaFree(a);
  cudaFree(b);
}
