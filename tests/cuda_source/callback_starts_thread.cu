// SPDX-License-Identifier: Apache-2.0
// A callback writes, and starts a thread that goes on with what it wrote: that comes after, without any other signal.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <pthread.h>
#include <thread>

__global__ void add(int* x) { x[threadIdx.x] += 1; }

std::thread second;
pthread_t third;
std::atomic<int> ended{0};

void go_on(int* x) {
  for (int i = 0; i < 32; ++i) x[i] *= 2;
  ended.fetch_add(1);
}
void* go_on_in_c(void* x) {
  go_on(static_cast<int*>(x));
  return nullptr;
}
void CUDART_CB filled(void* data) {
  int* const x = static_cast<int*>(data);
  for (int i = 0; i < 32; ++i) x[i] = i;
  second = std::thread(go_on, x);
}
void CUDART_CB filled_for_c(cudaStream_t, cudaError_t, void* data) {
  for (int i = 0; i < 32; ++i) static_cast<int*>(data)[i] = i;
  pthread_create(&third, nullptr, go_on_in_c, data);
}

int main() {
  int *x, *y;
  cudaMallocManaged(&x, 32 * sizeof(int));
  cudaMallocManaged(&y, 32 * sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  add<<<1, 32, 0, s>>>(x);
  cudaLaunchHostFunc(s, filled, x);
  while (ended.load() < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  cudaStreamSynchronize(s);
  second.join();
  add<<<1, 32, 0, s>>>(y);
  cudaStreamAddCallback(s, filled_for_c, y, 0);
  while (ended.load() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  cudaStreamSynchronize(s);
  pthread_join(third, nullptr);
  printf("%d %d\n", x[5], y[31]);
  cudaStreamDestroy(s);
  cudaFree(x);
  cudaFree(y);
}
