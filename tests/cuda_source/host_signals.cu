// SPDX-License-Identifier: Apache-2.0
// A kernel waits for data of another host thread, by a flag in managed memory, and the host waits for the kernel's.
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>

struct mailbox {
  int input[32], output[32];
  int ready, done;
};

__global__ void echo(mailbox *box) {
  if (threadIdx.x == 0) {
    while (*(volatile int *)&box->ready == 0) {
    }
    __threadfence_system();
  }
  __syncthreads();
  box->output[threadIdx.x] = box->input[threadIdx.x] * 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    *(volatile int *)&box->done = 1;
  }
}

int main() {
  mailbox *box;
  cudaMallocManaged(&box, sizeof *box);
  box->ready = box->done = 0;
  int sum = 0;
  std::thread host([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int i = 0; i < 32; ++i) box->input[i] = i;
    __sync_synchronize();
    *(volatile int *)&box->ready = 1;
  });
  echo<<<1, 32>>>(box);
  while (*(volatile int *)&box->done == 0) std::this_thread::yield();
  __sync_synchronize();
  for (int i = 0; i < 32; ++i) sum += box->output[i];
  host.join();
  printf("%d\n", sum);
  cudaDeviceSynchronize();
  cudaFree(box);
}
