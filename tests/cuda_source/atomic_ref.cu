// SPDX-License-Identifier: Apache-2.0
// libcu++: cuda::atomic_ref and cuda::atomic in managed memory, acquire/release message passing, cuda::barrier phases.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/cstdint>
#include <cstdio>
__global__ void count_primes(int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (i >= n) return;
  for (int d = 2; d * d <= i; ++d)
    if (i % d == 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*count);
  ref.fetch_add(1, cuda::memory_order_relaxed);
}
__global__ void message(int *data, int *flag, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 2;
    __syncthreads();
    if (threadIdx.x == 0) f.store(1, cuda::memory_order_release);
  } else {
    if (threadIdx.x == 0)
      while (f.load(cuda::memory_order_acquire) == 0) __nanosleep(20);
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x] + 1;
  }
}
__global__ void phases(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int x[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  x[threadIdx.x] = threadIdx.x;
  for (int s = 1; s < 64; s *= 2) {
    auto token = bar.arrive();
    bar.wait(std::move(token));
    int y = x[(threadIdx.x + s) % 64];
    bar.arrive_and_wait();
    x[threadIdx.x] += y;
  }
  out[threadIdx.x] = x[threadIdx.x];
}
__global__ void max_with_cas(unsigned long long *best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long mine = (unsigned long long)((i * 7919) % 1009) << 32 | i;
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> b(*best);
  unsigned long long old = b.load(cuda::std::memory_order_relaxed);
  while (old < mine && !b.compare_exchange_weak(old, mine, cuda::std::memory_order_relaxed)) {
  }
}
__global__ void producer_consumer(cuda::atomic<int, cuda::thread_scope_system> *turn, int *log, int n) {
  for (int i = 0; i < n; ++i) {
    while (turn->load(cuda::memory_order_acquire) != 2 * i + (int)blockIdx.x) {
    }
    log[2 * i + blockIdx.x] = i * 10 + blockIdx.x;
    turn->fetch_add(1, cuda::memory_order_release);
  }
}
int main() {
  int *count, *data, *flag, *out;
  cudaMallocManaged(&count, sizeof(int));
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  *count = 0;
  count_primes<<<10, 128>>>(count, 1000);
  cudaDeviceSynchronize();
  printf("primes %d\n", *count);
  cudaMemset(flag, 0, sizeof(int));
  message<<<2, 64>>>(data, flag, out);
  cudaDeviceSynchronize();
  printf("message %d %d\n", out[0], out[63]);
  phases<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("phases %d %d\n", out[0], out[63]);
  unsigned long long *best;
  cudaMallocManaged(&best, sizeof *best);
  *best = 0;
  max_with_cas<<<8, 128>>>(best, 1000);
  cudaDeviceSynchronize();
  printf("best %llu at %llu\n", *best >> 32, *best & 0xffffffff);
  cuda::atomic<int, cuda::thread_scope_system> *turn;
  cudaMallocManaged(&turn, sizeof *turn);
  new (turn) cuda::atomic<int, cuda::thread_scope_system>(1);
  *turn = 0;
  producer_consumer<<<2, 1>>>(turn, out, 8);
  cudaDeviceSynchronize();
  printf("log %d %d %d\n", out[0], out[1], out[15]);
  cudaFree(count); cudaFree(data); cudaFree(flag); cudaFree(out); cudaFree(best); cudaFree(turn);
}
