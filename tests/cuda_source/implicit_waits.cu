// SPDX-License-Identifier: Apache-2.0
// What counts as a wait of the host: a query that says yes, cudaMemset of managed memory; and what does not: copies within
// the device. And the order of a compare-and-swap of the host that fails. (mutants/implicit_waits_*.txt)
#include <cstdio>
#include <cuda/atomic>
__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
__global__ void publish(int* data, int* flag) {
  data[0] = 5;
  cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(2, cuda::memory_order_release);
}
int main() {
  int *m, *d, *flag;
  cudaMallocManaged(&m, 128);
  cudaMallocManaged(&flag, 4);
  cudaMalloc(&d, 128);
  *flag = 0;
  cudaStream_t s;
  cudaEvent_t e;
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  fill<<<1, 32, 0, s>>>(m, 1);
  while (cudaStreamQuery(s) == cudaErrorNotReady) {}
  int a = m[3];
  fill<<<1, 32, 0, s>>>(m, 2);
  cudaEventRecord(e, s);
  while (cudaEventQuery(e) == cudaErrorNotReady) {}
  int b = m[3];
  cudaMemset(m, 0, 128);
  int c = m[3];
  fill<<<1, 32>>>(m, 4);
  cudaMemcpy(d, m, 128, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  int f = m[3];
  publish<<<1, 1, 0, s>>>(m, flag);
  int seen = 0;
  cuda::atomic_ref<int, cuda::thread_scope_system> ready(*flag);
  while (seen != 2) {
    seen = 9;
    ready.compare_exchange_strong(seen, 9, cuda::memory_order_relaxed, cuda::memory_order_acquire);
  }
  std::printf("%d %d %d %d %d\n", a, b, c, f, m[0]);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  cudaEventDestroy(e);
  cudaFree(m);
  cudaFree(flag);
  cudaFree(d);
}
