// SPDX-License-Identifier: Apache-2.0
// nvstd::function, which toolkits before CUDA 13 have in <nvfunctional>: made by device code, of small and large closures,
// of functions and of functors; functions whose names stand in parentheses, and pointers to functions, named as a library's.
#if __has_include(<nvfunctional>)
#include <nvfunctional>
#else
#define WITHOUT_FUNCTIONS
#endif
#include <cstdio>
#include <cuda_runtime.h>

// A macro of the same name adds the line.
static int (cudaCheckResult)(cudaError_t e, int) { return e == cudaSuccess; }
#define cudaCheckResult(e) (cudaCheckResult)(e, __LINE__)
static cudaError_t (*cudaReleaseMemory)(void *) = cudaFree;
static int &cudaLastOf(int *a, int n) { return a[n - 1]; }

__device__ int triple(int x) { return 3 * x; }
struct adds {
  int a, b, c, d, e;
  __device__ int operator()(int x) const { return x + a + b + c + d + e; }
};
#if !defined(WITHOUT_FUNCTIONS)
__device__ nvstd::function<int(int)> chosen(int i) {
  if (i % 4 == 0) return triple;
  if (i % 4 == 1) return adds{i, 1, 2, 3, 4};
  if (i % 4 == 2) return [i](int x) { return x * i; };
  return nullptr;
}
__global__ void calls(int *out) {
  nvstd::function<int(int)> f = chosen(threadIdx.x), g = f;
  int many[20];
  for (int i = 0; i < 20; ++i) many[i] = i;
  nvstd::function<int(int)> large = [=](int x) { return x + many[19] - 19; };  // more than lies in the object
  nvstd::function<int(int)> copied = large;
  large = nullptr;
  out[threadIdx.x] = g ? g(copied(10)) : -1;
}
#else
__global__ void calls(int *out) {
  const int i = threadIdx.x;
  out[i] = i % 4 == 0 ? triple(10) : i % 4 == 1 ? adds{i, 1, 2, 3, 4}(10) : i % 4 == 2 ? 10 * i : -1;
}
#endif

int main() {
  int *out, h[32];
  if (!cudaCheckResult(cudaMalloc(&out, sizeof h))) return 1;
  calls<<<1, 32>>>(out);
  if (!cudaCheckResult(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost))) return 1;
  for (int i = 0; i < 8; ++i) printf("%d ", h[i]);
  printf("last %d\n", cudaLastOf(h, 32));
  return cudaReleaseMemory(out);
}
