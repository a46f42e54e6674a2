// SPDX-License-Identifier: Apache-2.0
// Device code in places where the simulator's runtime holds locks, while signals that may suspend a thread of the
// simulator (SIGURG, its watchdog's) come as fast as they can. On a GPU they mean nothing.
#include <csignal>
#include <cstdio>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <atomic>
#include <thread>
#include <unistd.h>

__global__ void draw(unsigned long long *sum, unsigned long long seed) {
  unsigned id = threadIdx.x + blockIdx.x * blockDim.x;
  curandState state;
  curand_init(seed, id, id, &state);  // the first calls build tables, under a lock
  atomicAdd(sum, (unsigned long long)curand(&state) & 0xffff);
}

__global__ void lists(unsigned long long *sum) {
  struct node {
    node *next;
    unsigned value;
  };
  unsigned id = threadIdx.x + blockIdx.x * blockDim.x;
  node *head = nullptr;
  for (unsigned i = 0; i < 20; ++i) {
    node *n = new node;
    n->next = head;
    n->value = id + i;
    head = n;
  }
  unsigned total = 0;
  while (head) {
    node *n = head;
    head = n->next;
    total += n->value;
    delete n;
  }
  atomicAdd(sum, (unsigned long long)total);
}

__global__ void lanes(unsigned long long *sum) {
  __shared__ unsigned part[64];
  unsigned mine = 0;
  for (unsigned i = 0; i < 40; ++i) {
    if ((threadIdx.x + i) % 3 == 0) mine += __popc(__activemask()) > 0 ? 1 : 1000000;
    part[threadIdx.x] = mine;
    __syncthreads();
    mine += part[(threadIdx.x + 1) % blockDim.x] > 0 ? 1 : 0;
    __syncthreads();
  }
  atomicAdd(sum, (unsigned long long)mine);
}

int main() {
  std::atomic<bool> stop{false};
  std::thread pest([&] {
    while (!stop) {
      kill(getpid(), SIGURG);
      usleep(5);
    }
  });
  unsigned long long *sum, result = 0;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  draw<<<16, 64>>>(sum, 7);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  printf("draw %llu\n", result);
  cudaMemset(sum, 0, sizeof *sum);
  lists<<<16, 64>>>(sum);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  printf("lists %llu\n", result);
  cudaMemset(sum, 0, sizeof *sum);
  lanes<<<16, 64>>>(sum);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  printf("lanes %llu\n", result);
  cudaFree(sum);
  stop = true;
  pest.join();
}
