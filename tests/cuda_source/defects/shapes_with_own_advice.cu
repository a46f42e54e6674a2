// SPDX-License-Identifier: Apache-2.0
// Races for which a barrier or a second launch is no cure, each with a clean twin: two arrays of shared memory that
// overlap, a flag that is set atomically and read plainly, a plain flag that others poll atomically, an update beside
// atomic reads, blocks of a cluster, a reader that passes no fence behind its look at the flag, branches that wait for
// each other.
// options: --check all --json -
// code: 3
// says: fix": "left.threadIdx.x. and right.threadIdx.x. are one place here: keep apart
// says: fix": "read it at line 35 by an atomic operation, too: atomicAdd\(ready, 0\), with __threadfence
// says: fix": "write it at line 52 by an atomic operation, too: atomicExch\(&mail.0., 1\), with __threadfence.. in front of it, and another behind the operation at line 55
// says: one atomic operation: atomicMin\(&dist.to.i.., d\)
// says: fix": "put cluster.sync\(\) between line 71 and line 76
// says: fix": "put __threadfence.. between the look at the flag or counter and line 85
// says: fix": "the branches of line 96 wait for each other by atomic operations: let each tell the other only behind what it does at line 100 and line 109
// says: 9 errors
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
template <bool Defect>
__global__ void halves(const float* in, float* out) {
  extern __shared__ float raw[];
  float *left = raw, *right = raw + blockDim.x - (Defect ? 1 : 0);
  left[threadIdx.x] = in[threadIdx.x];
  right[threadIdx.x] = 2 * in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = left[blockDim.x - 1 - threadIdx.x] + right[threadIdx.x];
}
template <bool Defect>
__global__ void once(int* lock, int* ready, int* table, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> r(*ready);
  bool empty = false;
  if constexpr (!Defect)
    empty = r.load(cuda::memory_order_acquire) == 0;
  else if (*ready == 0)
    empty = true;
  if (empty) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    if (r.load(cuda::memory_order_relaxed) == 0) {
      table[0] = 7;
      r.store(1, cuda::memory_order_release);
    }
    __threadfence();
    atomicExch(lock, 0);
  }
  out[blockIdx.x] = empty ? 0 : 1;
}
template <bool Defect>
__global__ void post(int* mail, int* out) {
  if (blockIdx.x == 0) {
    if constexpr (Defect) mail[0] = 1;
    else atomicExch(&mail[0], 1);
  } else {
    while (atomicAdd(&mail[0], 0) == 0) {}
    out[0] = 1;
  }
}
template <bool Defect>
__global__ void relax(const int* from, const int* to, int* dist, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int d = atomicAdd(&dist[from[i]], 0) + 1;
  if constexpr (!Defect) atomicMin(&dist[to[i]], d);
  else if (dist[to[i]] > d) dist[to[i]] = d;
}
template <bool Defect>
__global__ void __cluster_dims__(2, 1, 1) neighbours(const int* in, int* out) {
  __shared__ int s[32];
  auto c = cg::this_cluster();
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  if constexpr (Defect)
    __syncthreads();
  else
    c.sync();
  out[blockIdx.x * 32 + threadIdx.x] = c.map_shared_rank(s, c.block_rank() ^ 1)[31 - threadIdx.x];
  c.sync();
}
template <bool Defect>
__global__ void look_back(const int* in, int* sum, int* flag) {
  int before = 0;
  if (blockIdx.x > 0) {
    while (atomicAdd(&flag[blockIdx.x - 1], 0) == 0) {}
    if constexpr (!Defect) __threadfence();
    before = sum[blockIdx.x - 1];
  }
  sum[blockIdx.x] = before + in[blockIdx.x];
  __threadfence();
  atomicExch(&flag[blockIdx.x], 1);
}
template <bool Defect>
__global__ void ring(const int* in, int* out) {
  __shared__ int items[8], head, tail;
  if (threadIdx.x == 0) head = tail = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 32; ++i) {
      while (atomicAdd(&head, 0) - atomicAdd(&tail, 0) == 8) {}
      __threadfence_block();
      items[i % 8] = in[i];
      __threadfence_block();
      atomicAdd(&head, 1);
    }
  } else if (threadIdx.x == 32) {
    for (int i = 0; i < 32; ++i) {
      while (atomicAdd(&head, 0) == i) {}
      __threadfence_block();
      if constexpr (Defect) atomicAdd(&tail, 1);
      out[i] = items[i % 8];
      if constexpr (!Defect) __threadfence_block(), atomicAdd(&tail, 1);
    }
  }
}
template <bool Defect>
void all(float* x, float* y, int* n, const int* from, const int* to) {
  halves<Defect><<<1, 64, 512>>>(x, y);
  cudaMemset(n, 0, 256);
  once<Defect><<<4, 1>>>(n, n + 1, n + 2, n + 8);
  post<Defect><<<2, 1>>>(n + 16, n + 17);
  cudaMemset(n + 32, 0x7f, 128), cudaMemset(n + 32, 0, 4);
  relax<Defect><<<1, 32>>>(from, to, n + 32, 6);
  neighbours<Defect><<<2, 32>>>(n, n + 64);
  cudaMemset(n + 128, 0, 64);
  look_back<Defect><<<4, 1>>>(n + 64, n + 128, n + 136);
  ring<Defect><<<1, 64>>>(n + 64, n + 160);
}
int main() {
  const int edges[12] = {0, 0, 1, 2, 1, 3, 1, 2, 3, 3, 4, 4};
  float h[64], *x, *y;
  int *n, *e;
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&x, 256), cudaMalloc(&y, 256), cudaMalloc(&n, 1024), cudaMalloc(&e, 48);
  cudaMemcpy(x, h, 256, cudaMemcpyHostToDevice), cudaMemcpy(e, edges, 48, cudaMemcpyHostToDevice);
  all<true>(x, y, n, e, e + 6);
  all<false>(x, y, n, e, e + 6);
  cudaMemcpy(h, n, 256, cudaMemcpyDeviceToHost), cudaMemcpy(h, y, 256, cudaMemcpyDeviceToHost);
  cudaFree(x), cudaFree(y), cudaFree(n), cudaFree(e);
}
