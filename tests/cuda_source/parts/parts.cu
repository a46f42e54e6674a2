// SPDX-License-Identifier: Apache-2.0
// What kernels of one source share with each other and with host code, whichever part of it they are compiled in
// (run_parts.py): variables of one source, functions and their variables, templates, names that are said in findings.
#include <cstdio>

namespace {

__device__ int counter;
__constant__ int weights[4] = {3, 5, 7, 11};
__device__ int table[64];
const int kFactors[8] = {1, 2, 4, 8, 16, 32, 64, 128};
int launches = 0;

struct shape {
  __host__ __device__ virtual int area(int x) const { return x; }
  __host__ __device__ virtual ~shape() {}
};
struct square : shape {
  __host__ __device__ int area(int x) const override { return x * x; }
};

__device__ __noinline__ int next(int by) { return atomicAdd(&counter, by); }
__device__ int twice(int v) { return 2 * v; }
__device__ int thrice(int v) { return 3 * v; }
__device__ int (*which[2])(int) = {twice, thrice};

__global__ void count(int n) {
  if (threadIdx.x < n) next(1);
}
__global__ void weigh(int* out) { out[threadIdx.x] = weights[threadIdx.x % 4] * kFactors[threadIdx.x % 8]; }
__global__ void fill() { table[threadIdx.x] = threadIdx.x + next(0); }
__global__ void turn(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
template <class T, int kTimes>
__global__ void times(T* out) {
  __shared__ T s[64];
  s[threadIdx.x] = out[threadIdx.x] * kTimes;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void by_pointer(int* out) { out[threadIdx.x] = which[threadIdx.x % 2](out[threadIdx.x]); }
__global__ void areas(int* out) {
  square s;
  const shape& any = s;
  out[threadIdx.x] += any.area(threadIdx.x % 9);
}
__global__ void sum(const int* in, int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
#if !defined(DEFECT)
    __syncthreads();
#endif
  }
  if (threadIdx.x == 0) *out = s[0], printf("in the kernel\n");
}

int* some() {
  static int* made = nullptr;
  if (made == nullptr) cudaMallocManaged(&made, 65 * sizeof(int));
  return made;
}

void show(const char* what) {
  ++launches;
  cudaDeviceSynchronize();
  std::printf("%s: %d %d %d %d\n", what, some()[0], some()[1], some()[2], some()[63]);
}

}  // namespace

int main() {
  count<<<1, 64>>>(40);
  int counted = 0;
  cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
  std::printf("counted %d\n", counted);
  weigh<<<1, 64>>>(some());
  show("weigh");
  fill<<<1, 64>>>();
  turn<<<1, 64>>>(some());
  show("turn");
  times<int, 3><<<1, 64>>>(some());
  show("times 3");
  times<int, 5><<<1, 64>>>(some());
  show("times 5");
  by_pointer<<<1, 64>>>(some());
  show("by pointer");
  areas<<<1, 64>>>(some());
  show("areas");
  sum<<<1, 64>>>(some(), some() + 64);
  cudaDeviceSynchronize();
  std::printf("sum %d after %d\n", some()[64], launches);
  cudaFree(some());
}
