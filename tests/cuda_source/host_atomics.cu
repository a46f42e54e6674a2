// SPDX-License-Identifier: Apache-2.0
// The host and a kernel share managed and pinned memory without a wait: a counter both add to, a maximum by compare-and-swap,
// and data handed over by a flag (a cuda::atomic, then a volatile with a fence).
#include <cstdio>
#include <cuda/atomic>

using flag_type = cuda::atomic<int, cuda::thread_scope_system>;

__global__ void count(int* counter, int* largest) {
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_system(counter, 1);
  atomicMax_system(largest, me);
}
__global__ void send(int* data, flag_type* flag) {
  data[threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) flag->store(1, cuda::memory_order_release);
}
__global__ void send_volatile(int* data, volatile int* flag) {
  data[threadIdx.x] = 5 * threadIdx.x;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}
int sum(const int* data) {
  int total = 0;
  for (int i = 0; i < 64; ++i) total += data[i];
  return total;
}

int main() {
  int *counter, *largest, *data, *ready;
  flag_type* flag;
  cudaMallocManaged(&counter, sizeof(int));
  cudaMallocManaged(&largest, sizeof(int));
  cudaMallocManaged(&data, 2 * 64 * sizeof(int));
  cudaMallocManaged(&flag, sizeof(flag_type));
  cudaHostAlloc(&ready, sizeof(int), cudaHostAllocMapped);
  *counter = *largest = *ready = 0;
  new (flag) flag_type(0);

  count<<<4, 64>>>(counter, largest);
  for (int i = 0; i < 3000; ++i) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    int seen, before;
    do {
      seen = *largest;
      before = __sync_val_compare_and_swap(largest, seen, seen > i ? seen : i);
    } while (before != seen);
  }
  cudaDeviceSynchronize();
  printf("counted %d, largest %d\n", *counter, *largest);

  send<<<1, 64>>>(data, flag);
  while (flag->load(cuda::memory_order_acquire) == 0) {
  }
  printf("received %d\n", sum(data));

  send_volatile<<<1, 64>>>(data + 64, ready);
  while (*static_cast<volatile int*>(ready) == 0) {
  }
  printf("received %d\n", sum(data + 64));

  cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(largest);
  cudaFree(data);
  cudaFree(flag);
  cudaFreeHost(ready);
}
