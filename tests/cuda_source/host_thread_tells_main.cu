// SPDX-License-Identifier: Apache-2.0
// Main launches a kernel that waits for a flag in pinned memory, which another thread of the host sets much later: no
// hang, for that thread sleeps, and may wake.
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>
__global__ void kernel(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  out[threadIdx.x] = *flag;
}
int main() {
  int *flag, *out, result = 0;
  cudaMallocHost(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  *flag = 0;
  std::thread teller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    *static_cast<volatile int*>(flag) = 7;
  });
  kernel<<<1, 1>>>(flag, out);
  cudaDeviceSynchronize();
  teller.join();
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(out);
  cudaFreeHost(flag);
}
