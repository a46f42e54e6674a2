// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies, pipelines, barrier objects, barriers of the grid and of clusters.
#include "pairs.hpp"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
KERNEL(pipeline_other, 1, 64, 64) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (!D) __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
KERNEL(pipeline_own, 1, 64, 64) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  if (!D) __pipeline_wait_prior(0);
  y[threadIdx.x] = s[threadIdx.x];
}
KERNEL(pipeline_prior, 1, 64, 128) {
  __shared__ int s[2][64];
  for (int k = 0; k < 2; ++k) { __pipeline_memcpy_async(&s[k][threadIdx.x], &x[64 * k + threadIdx.x], 4); __pipeline_commit(); }
  __pipeline_wait_prior(1);
  y[threadIdx.x] = s[D ? 1 : 0][threadIdx.x];
  __pipeline_wait_prior(0);
}
KERNEL(pipeline_source, 1, 64, 128) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  if (!D) __pipeline_wait_prior(0);
  x[threadIdx.x] = 3;
  __pipeline_wait_prior(0);
  y[threadIdx.x] = s[threadIdx.x];
}
KERNEL(group_copy, 1, 64, 128) {
  __shared__ int s[64];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s, x, sizeof s);
  if (!D) cg::wait(b); else b.sync();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
KERNEL(group_copy_twice, 1, 64, 256) {
  __shared__ int s[2][64];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s[0], x, 256);
  cg::memcpy_async(b, s[1], x + 64, 256);
  if (D) cg::wait_prior<1>(b); else cg::wait_prior<0>(b);
  y[threadIdx.x] = s[1][63 - threadIdx.x];
  cg::wait(b);
}
KERNEL(group_copy_reuse, 1, 64, 256) {
  __shared__ int s[64];
  auto b = cg::this_thread_block();
  for (int k = 0; k < 3; ++k) {
    cg::memcpy_async(b, s, x + 64 * k, 256);
    cg::wait(b);
    y[threadIdx.x] += s[63 - threadIdx.x];
    if (!D) b.sync();
  }
}
KERNEL(barrier_object, 1, 64, 64) {
  using bar = cuda::barrier<cuda::thread_scope_block>;
  __shared__ bar b;
  __shared__ int s[64];
  if (threadIdx.x == 0) init(&b, 64);
  __syncthreads();
  if (!D) s[threadIdx.x] = threadIdx.x;
  auto token = b.arrive();
  if (D) s[threadIdx.x] = threadIdx.x;
  b.wait(std::move(token));
  y[threadIdx.x] = s[63 - threadIdx.x];
}
KERNEL(barrier_object_reuse, 1, 64, 64) {
  using bar = cuda::barrier<cuda::thread_scope_block>;
  __shared__ bar b;
  __shared__ int s[64];
  if (threadIdx.x == 0) init(&b, 64);
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    s[threadIdx.x] = threadIdx.x + k;
    b.arrive_and_wait();
    y[threadIdx.x] += s[63 - threadIdx.x];
    if (!D) b.arrive_and_wait();
  }
}
KERNEL(copy_by_barrier, 1, 64, 64) {
  using bar = cuda::barrier<cuda::thread_scope_block>;
  __shared__ bar b;
  __shared__ int s[64];
  if (threadIdx.x == 0) init(&b, 64);
  __syncthreads();
  cuda::memcpy_async(&s[threadIdx.x], &x[threadIdx.x], cuda::aligned_size_t<4>(4), b);
  if (!D) b.arrive_and_wait(); else { (void)b.arrive(); __syncthreads(); }
  y[threadIdx.x] = s[63 - threadIdx.x];
}
KERNEL(pipeline_of_block, 1, 64, 256) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  auto b = cg::this_thread_block();
  auto p = cuda::make_pipeline(b, &state);
  for (int k = 0; k < 2; ++k) { p.producer_acquire(); cuda::memcpy_async(b, s[k], x + 64 * k, cuda::aligned_size_t<4>(256), p); p.producer_commit(); }
  for (int k = 0; k < 2; ++k) {
    if (!D || k == 0) p.consumer_wait();
    y[threadIdx.x] += s[k][63 - threadIdx.x];
    if (!D || k == 0) p.consumer_release();
  }
}
KERNEL(pipeline_of_thread_reuse, 1, 64, 256) {
  __shared__ int s[2][64];
  auto p = cuda::make_pipeline();
  for (int k = 0; k < 4; ++k) {
    p.producer_acquire();
    cuda::memcpy_async(&s[k % (D ? 1 : 2)][threadIdx.x], &x[64 * k + threadIdx.x], cuda::aligned_size_t<4>(4), p);
    p.producer_commit();
    if (k > 0) { cuda::pipeline_consumer_wait_prior<1>(p); y[threadIdx.x] += s[(k - 1) % (D ? 1 : 2)][threadIdx.x]; p.consumer_release(); }
  }
  cuda::pipeline_consumer_wait_prior<0>(p);
}
KERNEL(latched, 1, 64, 64) {
  using lat = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(lat) unsigned char room[sizeof(lat)];
  __shared__ int s[64];
  lat* l = reinterpret_cast<lat*>(room);
  if (threadIdx.x == 0) new (l) lat(64);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  l->count_down();
  if (!D) l->wait();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
__device__ cuda::binary_semaphore<cuda::thread_scope_device> sem1(1);
__device__ cuda::binary_semaphore<cuda::thread_scope_device> sem2(1);
KERNEL(semaphore, 4, 32, 64) {
  if (threadIdx.x == 0) {
    auto& s = D && blockIdx.x % 2 ? sem2 : sem1;
    s.acquire();
    y[0] += 1;
    s.release();
  }
}
KERNEL(mbarrier_ptx, 1, 64, 64) {
  __shared__ unsigned long long m;
  __shared__ int s[64];
  const unsigned at = (unsigned)__cvta_generic_to_shared(&m);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(64) : "memory");
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  if (!D) {
    unsigned done = 0;
    while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at), "l"(token) : "memory");
  }
  y[threadIdx.x] = s[63 - threadIdx.x];
}
template <bool D> __global__ void k_grid(int* x, int* y) {
  auto g = cg::this_grid();
  x[g.thread_rank()] = 1;
  if (D) cg::this_thread_block().sync(); else g.sync();
  y[g.thread_rank()] = x[g.size() - 1 - g.thread_rank()];
}
HOST(grid) {
  int *x = dev<int>(256), *y = dev<int>(256);
  void* a[] = {&x, &y};
  cudaLaunchCooperativeKernel((void*)k_grid<D>, 4, 64, a, 0, 0);
}
template <bool D> __global__ void k_grid_turns(int* x, int* y) {
  auto g = cg::this_grid();
  const int i = (int)g.thread_rank(), n = (int)g.size();
  for (int k = 0; k < 3; ++k) {
    (k % 2 ? x : y)[i] = (k % 2 ? y : x)[(i + 64) % n] + 1;
    if (!D || k != 1) g.sync();
  }
}
HOST(grid_turns) {
  int *x = dev<int>(256), *y = dev<int>(256);
  void* a[] = {&x, &y};
  cudaLaunchCooperativeKernel((void*)k_grid_turns<D>, 4, 64, a, 0, 0);
}
template <bool D> __global__ __cluster_dims__(2, 1, 1) void k_cluster(int* x, int* y) {
  __shared__ int s[32];
  auto c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x + blockIdx.x;
  if (D) __syncthreads(); else c.sync();
  int* other = c.map_shared_rank(s, c.block_rank() ^ 1);
  y[blockIdx.x * 32 + threadIdx.x] = other[31 - threadIdx.x];
  c.sync();
}
HOST(cluster) { k_cluster<D><<<2, 32>>>(dev<int>(64), dev<int>(64)); }
template <bool D> __global__ __cluster_dims__(2, 1, 1) void k_cluster_global(int* x, int* y) {
  auto c = cg::this_cluster();
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  c.sync();
  y[blockIdx.x * 32 + threadIdx.x] = x[(blockIdx.x ^ (D ? 2 : 1)) * 32 + threadIdx.x];
}
HOST(cluster_global) { k_cluster_global<D><<<4, 32>>>(dev<int>(128), dev<int>(128)); }
template <bool D> __global__ __cluster_dims__(2, 1, 1) void k_cluster_atomics(int* x, int* y) {
  __shared__ int s;
  auto c = cg::this_cluster();
  if (threadIdx.x == 0) s = 0;
  if (!D) c.sync(); else __syncthreads();
  atomicAdd(c.map_shared_rank(&s, 0), 1);
  c.sync();
  if (threadIdx.x == 0) y[blockIdx.x] = s;
}
HOST(cluster_atomics) { k_cluster_atomics<D><<<2, 32>>>(dev<int>(64), dev<int>(64)); }
