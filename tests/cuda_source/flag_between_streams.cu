// SPDX-License-Identifier: Apache-2.0
// A flag between two streams: what comes after the acquiring load on its stream, launches and copies, is ordered after what
// the flag stands for. (mutants/flag_between_streams.txt: seen by a relaxed load, nothing is.)
#include <cuda/atomic>
#include <cstdio>
__global__ void produce(int* data, int* flag) {
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
}
__global__ void consume(int* flag, int* sum) {
  while (cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).load(cuda::memory_order_acquire) == 0) {}
  *sum = 1;
}
__global__ void after(const int* data, int* sum) { *sum += data[5]; }
int main() {
  int *data, *flag, *sum, h[32], s;
  cudaMalloc(&data, 128); cudaMalloc(&flag, 4); cudaMalloc(&sum, 4);
  cudaMemset(flag, 0, 4);
  cudaDeviceSynchronize();
  cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  produce<<<1, 32, 0, a>>>(data, flag);
  consume<<<1, 1, 0, b>>>(flag, sum);
  after<<<1, 1, 0, b>>>(data, sum);
  cudaMemcpyAsync(h, data, 128, cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  cudaMemcpy(&s, sum, 4, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[5], s);
  cudaDeviceSynchronize();
  cudaFree(data); cudaFree(flag); cudaFree(sum);
  cudaStreamDestroy(a); cudaStreamDestroy(b);
}
