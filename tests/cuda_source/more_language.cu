// SPDX-License-Identifier: Apache-2.0
// What a formatter makes of launches, device variables of a namespace, the compiler's atomics, a lerp of the program's
// own beside the standard library's, delays by clock(), flags and properties of devices.
#include <cooperative_groups.h>

#include <cmath>
#include <cstdio>
namespace cg = cooperative_groups;
using namespace std;

namespace counted {
__device__ int hits = 5;
__constant__ float scale[2] = {1.5f, 2.5f};
}  // namespace counted
struct Counter {
  static constexpr int kStep = 1;
  __device__ static void hit() { atomicAdd(&counted::hits, kStep); }
};

inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }

__global__ void k(int *out, float *f) {
  Counter c;
  c.hit();
  cg::thread_block block = cg::this_thread_block();
  cg::synchronize(block);
  if (threadIdx.x == 0 && blockIdx.x == 0) f[0] = counted::scale[1] + lerp(0.f, 4.f, 0.5f);
  __nv_atomic_fetch_add(out, 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  clock_t begin = clock();
  while (clock() - begin < 10000) {
  }
}

__global__ void hand_over(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      *data = 42;
      __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    }
  } else if (threadIdx.x == 0) {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *out = *data;
  }
}

int main() {
  int *d;
  float *f;
  cudaSetDeviceFlags(cudaDeviceBlockingSync);
  cudaMalloc(&d, 3 * sizeof(int));
  cudaMalloc(&f, sizeof(float));
  cudaMemset(d, 0, 3 * sizeof(int));
  k << < 2, 32 >> > (d, f);
  k < < < 1, 32 > > > (d, f);
  int h[3], hits;
  float g;
  cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&g, f, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&hits, counted::hits, sizeof(int));
  std::printf("sum %d, scaled %g, hits %d\n", h[0], g, hits);
  cudaMemset(d, 0, 3 * sizeof(int));
  hand_over<<<2, 32>>>(d, d + 1, d + 2);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::printf("handed over %d, layers %d\n", h[2], p.maxTexture1DLayered[1]);
  cudaFree(d);
  cudaFree(f);
  return 0;
}
