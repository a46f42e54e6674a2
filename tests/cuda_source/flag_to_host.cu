// SPDX-License-Identifier: Apache-2.0
// Flags from a kernel to the host: polled by a relaxed load with a fence behind it, and by another host thread while the
// kernel runs, which it lets go on. The host reads what stands behind the flags without waiting for the device.
// (mutants/flag_to_host_*.txt: without the fence, the acquire, the release, or at device scope.)
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
__global__ void handshake(int* data, flag* ready, flag* go) {
  data[threadIdx.x] += 100;
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_system);
  ready->store(2, cuda::memory_order_relaxed);
  while (go->load(cuda::memory_order_acquire) == 0) {}
}

int sum(const int* data) {
  int s = 0;
  for (int i = 0; i < 32; ++i) s += data[i];
  return s;
}

int main() {
  int *data, *device;
  flag* flags;
  cudaMallocHost(&data, 128);
  cudaMallocHost(&flags, 2 * sizeof(flag));
  cudaMalloc(&device, 4);  // the device is up before anything is timed by flags
  flag& ready = *new (flags) flag(0);
  flag& go = *new (flags + 1) flag(0);

  produce<<<1, 32>>>(data, &ready);
  while (ready.load(cuda::memory_order_relaxed) == 0) {}
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_system);
  std::printf("%d\n", sum(data));
  cudaDeviceSynchronize();

  std::atomic<bool> launched{false};
  int second = 0;
  std::thread other([&] {
    while (ready.load(cuda::memory_order_acquire) != 2) {}
    go.store(1, cuda::memory_order_release);
    while (!launched) {}
    second = sum(data);
  });
  handshake<<<1, 32>>>(data, &ready, &go);
  launched = true;
  other.join();
  std::printf("%d\n", second);
  cudaDeviceSynchronize();
  cudaFree(device);
  cudaFreeHost(data);
  cudaFreeHost(flags);
}
