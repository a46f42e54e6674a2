// SPDX-License-Identifier: Apache-2.0
// A thread that was started before the callback touches what the callback writes: nothing orders the two.
// options: --check races
// code: 3
// says: race-global
// says: in a host callback
#include <cstdio>
#include <cuda_runtime.h>
#include <pthread.h>
void CUDART_CB filled(void* data) {
  for (int i = 0; i < 32; ++i) static_cast<int*>(data)[i] = i;
}
pthread_barrier_t enqueued;
void* look(void* data) {
  pthread_barrier_wait(&enqueued);
  printf("%d\n", static_cast<int*>(data)[5]);
  return nullptr;
}
int main() {
  int* x;
  cudaMallocManaged(&x, 32 * sizeof(int));
  pthread_barrier_init(&enqueued, nullptr, 2);
  pthread_t other;
  pthread_create(&other, nullptr, look, x);
  cudaLaunchHostFunc(0, filled, x);
  pthread_barrier_wait(&enqueued);
  pthread_join(other, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
}
