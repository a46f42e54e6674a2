// SPDX-License-Identifier: Apache-2.0
// Ways through functions, switches, loops that are left early; updates within functions whose result is or is not used.
#include <cuda/atomic>

#include "check.hpp"

__device__ void inc(int* p) { atomicAdd(p, 1); }
__device__ int bump(int* p) { return atomicAdd(p, 1); }
template <class T>
__device__ void largest(T* p, T v) {
  if (v > 0) {
    atomicMax(p, v);
  }
}
#define COUNT(p)       \
  do {                 \
    atomicAdd((p), 2); \
  } while (0)

__global__ void update_in_one_line(int* x) { inc(&x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void update_in_a_template(const int* v, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  largest(&x[i], v[i] | 1);
}
__global__ void update_by_a_macro(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  COUNT(&x[2 * i]);
}
__global__ void update_in_a_lambda(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto add = [&](int k) { return atomicAdd(&x[k], 3); };
  add(i), add(i + 7);
}
__global__ void result_that_nobody_reads(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int old = atomicAdd(&x[i], 4);
  (void)old;
}
__global__ void result_of_a_function_not_read(int* x) { bump(&x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void result_of_a_function_read(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = bump(&x[i]);
}
__global__ void one_function_both_ways(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bump(&x[i]);
  y[i] = bump(&x[i + 3]);
}
__global__ void update_behind_a_label(const int* v, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (v[i] % 2 == 0) goto even;
  x[i] = 1;
even:
  atomicAdd(&x[i + 16384], 1);
}
__device__ void add_ref(int& x) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(x).fetch_add(2, cuda::memory_order_relaxed);
}
__global__ void update_of_an_atomic_ref(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  add_ref(x[i]);
  y[i] = cuda::atomic_ref<int, cuda::thread_scope_device>(x[2 * i]).fetch_or(1, cuda::memory_order_relaxed);
}
__global__ void chosen_update(const int* v, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i] % 2 == 0 ? atomicAdd(&x[i], 1) : atomicSub(&x[i + 1], 1);
}
__global__ void result_used_by_some(const int* v, int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int old = atomicAdd(&x[i], 2);
  if (v[i] % 4 == 0) y[i] = old;
}
__global__ void count_in_shared_by_a_function(const int* v, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 64) s[t] = 0;
  __syncthreads();
  inc(&s[v[i] & 63]);
  __syncthreads();
  if (t < 64) y[blockIdx.x * 64 + t] = s[t];
}

__device__ __noinline__ float pick(const float* x, int i) { return x[i * 2]; }
__global__ void call_from_both_sides(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 3 == 0)
    y[i] = pick(x, i) * 3;
  else
    y[i + 32768] = pick(x, i + 1) + 1;
}
__device__ __noinline__ int ways(const int* x, int i, int depth) {
  if (depth < 2) return x[i + depth];
  return ways(x, i + 1, depth - 1) + ways(x, i + 9, depth - 2);
}
__global__ void recursion(const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = ways(x, i, 4);
}
__global__ void switch_by_lane(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (threadIdx.x % 8) {
    case 0:
      y[i] = x[i];
      break;
    case 1:
    case 2:
      y[2 * i] = x[3 * i];
      break;
    case 5:
      y[i + 64] = x[i + 65];
      [[fallthrough]];
    case 6:
      y[i + 128] = x[i + 129];
      break;
    default:
      break;
  }
}
__global__ void leaves_early(const int* v, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = 0;
#pragma unroll 1
  while (k < 20) {
    if (v[i + k * 32] % 4 == 0) break;
    ++k;
  }
  y[i] = static_cast<float>(k);
}
__global__ void skips_some(const int* v, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < 6; ++k) {
    const int w = v[i + k * 64];
    if (w % 3 == 0) continue;
    y[i + k * 16384] = static_cast<float>(w);
  }
}
__global__ void nested_conditions(const int* v, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int w = v[i];
  if (w & 1) {
    if (w & 2) {
      if (w & 4) y[i] = 7;
      y[i + 16384] = 3;
    } else if (w & 8) {
      y[i + 2 * 16384] = 9;
    }
    y[i + 3 * 16384] = 1;
  }
}
__global__ void returns_at_three_places(const int* v, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (v[i] % 5 == 0) return;
  y[i] = 1;
  if (v[i + 1] % 2 == 0) return;
  y[i + 16384] = 2;
}

int main() {
  const int n = 16384;
  int* v = filled<int>(4 * n);
  int* x = zeroed<int>(4 * n);
  int* y = zeroed<int>(4 * n);
  float* f = filled<float>(8 * n);
  float* g = zeroed<float>(8 * n);
  RUN(update_in_one_line, 64, 256, x);
  RUN(update_in_a_template, 64, 256, v, x);
  RUN(update_by_a_macro, 64, 256, x);
  RUN(update_in_a_lambda, 64, 256, x);
  RUN(result_that_nobody_reads, 64, 256, x);
  RUN(result_of_a_function_not_read, 64, 256, x);
  RUN(result_of_a_function_read, 64, 256, x, y);
  RUN(one_function_both_ways, 64, 256, x, y);
  RUN(update_behind_a_label, 64, 256, v, x);
  RUN(update_of_an_atomic_ref, 64, 256, x, y);
  RUN(chosen_update, 64, 256, v, x);
  RUN(result_used_by_some, 64, 256, v, x, y);
  RUN(count_in_shared_by_a_function, 64, 256, v, y);
  RUN(call_from_both_sides, 64, 256, f, g);
  RUN(recursion, 64, 256, v, y);
  RUN(switch_by_lane, 64, 256, f, g);
  RUN(leaves_early, 64, 256, v, g);
  RUN(skips_some, 64, 256, v, g);
  RUN(nested_conditions, 64, 256, v, g);
  RUN(returns_at_three_places, 64, 256, v, g, n - 77);
  LOOK(cudaFree(v));
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  LOOK(cudaFree(f));
  LOOK(cudaFree(g));
  return 0;
}
