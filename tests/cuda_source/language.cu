// SPDX-License-Identifier: Apache-2.0
// The language around kernels: launches across lines, in macros, through pointers and templates; namespaces, overloads,
// default arguments, lambdas, classes, shared memory in device functions and of structs, host and device functions.
// With nvcc: --extended-lambda.
#include <cuda_runtime.h>

#include <cstdio>

#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

namespace math {
namespace detail {
template <typename T, int Factor = 3>
__host__ __device__ __forceinline__ T scaled(T x) {
  return x * static_cast<T>(Factor);
}
}  // namespace detail
template <typename T, int Factor>
__global__ void scale(T* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  data[i] = detail::scaled<T, Factor>(data[i]);
}
}  // namespace math

__global__ void add(int* data, int value, int n = 100);
__global__ void add(int* data, int value, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += value;
}
__global__ void add(float* data, float value, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += value;
}

struct Cell {
  int x, y;
};
struct Particle {
  float3 position;
  Cell cell;
};

// Each call site has an array of its own; both live in the block.
template <typename T>
__device__ T block_max(T v) {
  __shared__ T best[64];
  best[threadIdx.x] = v;
  __syncthreads();
  for (int s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s) best[threadIdx.x] = max(best[threadIdx.x], best[threadIdx.x + s]);
    __syncthreads();
  }
  return best[0];
}

__global__ void __launch_bounds__(64, 2) particles(Particle* out) {
  __shared__ Particle local[64], *first;
  __shared__ int count, sums[2];
  Particle& p = local[threadIdx.x];
  p.position = make_float3(threadIdx.x * 1.0f, 2.0f, 3.0f);
  p.cell = Cell{(int)threadIdx.x / 8, (int)threadIdx.x % 8};
  if (threadIdx.x == 0) {
    count = 0;
    sums[0] = sums[1] = 0;
    first = local;
  }
  __syncthreads();
  atomicAdd(&count, 1);
  atomicAdd(&sums[threadIdx.x & 1], p.cell.y);
  __syncthreads();
  float highest = block_max(p.position.x);
  int cell = block_max<int>(p.cell.x * 10 + p.cell.y);
  if (threadIdx.x == 0) {
    out[0] = first[5];
    out[0].position.z = highest + count;
    out[1].position = make_float3((float)cell, (float)sums[0], (float)sums[1]);
    out[1].cell = {(int)gridDim.x, warpSize};
  }
}

class Filter {
 public:
  __host__ __device__ explicit Filter(int limit) : limit_(limit) {}
  __host__ __device__ bool operator()(int v) const { return v < limit_; }

 private:
  int limit_;
};

template <typename F>
__global__ void count_if(const int* data, int n, F keep, int* out) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n && keep(data[i])) atomicAdd(out, 1);
}

__device__ int where() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 0;
#endif
}
__host__ __device__ int side() {
#if defined(__CUDA_ARCH__)
  return 1000 + (int)threadIdx.x;
#else
  return 1;
#endif
}
__global__ void ask(int* out) { out[threadIdx.x] = where() + side(); }

template <int... Values>
__global__ void fill(int* out) {
  const int all[] = {Values...};
  if (threadIdx.x < sizeof...(Values)) out[threadIdx.x] = all[threadIdx.x];
}

__global__ void grid_of_blocks(int* out) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 100 + thread;
}

int main() {
  const int n = 100;
  int h[512];
  for (int i = 0; i < n; i++) h[i] = i;
  int* d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);

  math::scale<int, 5>
      <<<CEIL_DIV(n, 32),
         32>>>(d, n);
  LAUNCH((math::scale<int, 2>), CEIL_DIV(n, 64), 64, d, n);
  add<<<1, 32>>>(d, 1, n);
  void (*pointer)(int*, int, int) = add;
  pointer<<<dim3(1), dim3(16, 1, 1), 0, 0>>>(d, 10, n);
  (*pointer)<<<1, 16>>>(d, 100, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("add and scale: %d %d %d\n", h[0], h[1], h[99]);

  Particle* dp;
  Particle hp[2];
  cudaMalloc(&dp, sizeof hp);
  cudaMemset(dp, 0, sizeof hp);
  particles<<<1, 64>>>(dp);
  cudaMemcpy(hp, dp, sizeof hp, cudaMemcpyDeviceToHost);
  printf("particles: %.0f %.0f %.0f cell %d %d; %.0f %.0f %.0f cell %d %d\n", hp[0].position.x, hp[0].position.y, hp[0].position.z, hp[0].cell.x,
         hp[0].cell.y, hp[1].position.x, hp[1].position.y, hp[1].position.z, hp[1].cell.x, hp[1].cell.y);

  int* d_count;
  cudaMalloc(&d_count, sizeof(int));
  int counts[2];
  for (int pass = 0; pass < 2; ++pass) {
    cudaMemset(d_count, 0, sizeof(int));
    if (pass == 0)
      count_if<<<4, 32>>>(d, n, Filter(500), d_count);
    else {
      int low = 300;
      count_if<<<4, 32>>>(
          d, n, [low] __device__(int v) { return v > low && v < low + 200; }, d_count);
    }
    cudaMemcpy(&counts[pass], d_count, sizeof(int), cudaMemcpyDeviceToHost);
  }
  printf("count_if: %d by class, %d by lambda\n", counts[0], counts[1]);

  ask<<<1, 4>>>(d);
  cudaMemcpy(h, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("side: device %d %d, host %d\n", h[0], h[3], side());

  fill<4, 8, 15, 16, 23, 42><<<1, 8>>>(d);
  cudaMemcpy(h, d, 6 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("fill: %d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5]);

  dim3 grid(2, 3, 2), block(4, 2, 3);
  grid_of_blocks<<<grid, block>>>(d);
  cudaMemcpy(h, d, 288 * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 288; i++) wrong += h[i] != i / 24 * 100 + i % 24;
  printf("grid of blocks: %d wrong, last %d\n", wrong, h[287]);
  cudaFree(d), cudaFree(dp), cudaFree(d_count);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
