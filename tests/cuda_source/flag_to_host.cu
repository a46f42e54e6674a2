// SPDX-License-Identifier: Apache-2.0
// Flags from a kernel to the host: polled by relaxed loads with a fence behind them, and by another host thread while the
// kernel runs, which it lets go on. The host reads what stands behind the flags without waiting for the device.
// (mutants/flag_to_host_*.txt: without a fence, or at device scope.)
#include <atomic>
#include <cstdio>
#include <cuda/atomic>
#include <thread>
using flag = cuda::atomic<int, cuda::thread_scope_system>;

__global__ void produce(int* data, flag* ready) {
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) ready->store(1, cuda::memory_order_release);
}
__global__ void handshake(int* data, flag* ready, flag* go, flag* last) {  // two blocks
  if (blockIdx.x == 0) {
    data[threadIdx.x] += 100;
    __syncthreads();
    if (threadIdx.x != 0) return;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_system);
    ready->store(2, cuda::memory_order_relaxed);
  } else if (threadIdx.x == 0) {
    while (go->load(cuda::memory_order_relaxed) == 0) {}
    data[32] = 7;
    last->store(1, cuda::memory_order_release);
    while (go->load(cuda::memory_order_relaxed) == 1) {}
  }
}

int sum(const int* data) {
  int s = 0;
  for (int i = 0; i < 32; ++i) s += data[i];
  return s;
}
void acquire_fence() { cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system); }

int main() {
  int *data, *device;
  flag* flags;
  cudaMallocHost(&data, 132);
  cudaMallocHost(&flags, 3 * sizeof(flag));
  cudaMalloc(&device, 4);  // the device is up before anything is timed by flags
  flag& ready = *new (flags) flag(0);
  flag& go = *new (flags + 1) flag(0);
  flag& last = *new (flags + 2) flag(0);

  produce<<<1, 32>>>(data, &ready);
  while (ready.load(cuda::memory_order_relaxed) == 0) {}
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
  std::printf("%d\n", sum(data));
  cudaDeviceSynchronize();

  std::atomic<bool> launched{false};
  int second = 0, third = 0;
  std::thread other([&] {
    while (ready.load(cuda::memory_order_acquire) != 2) {}
    acquire_fence();  // of nothing, but the next one must count all the same
    go.store(1, cuda::memory_order_release);
    while (last.load(cuda::memory_order_relaxed) == 0) {}
    acquire_fence();
    go.store(2, cuda::memory_order_release);
    while (!launched) {}
    second = sum(data);
    third = data[32];
  });
  handshake<<<2, 32>>>(data, &ready, &go, &last);
  launched = true;
  other.join();
  std::printf("%d %d\n", second, third);
  cudaDeviceSynchronize();
  cudaFree(device);
  cudaFreeHost(data);
  cudaFreeHost(flags);
}
