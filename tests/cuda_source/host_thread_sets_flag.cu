// SPDX-License-Identifier: Apache-2.0
// A kernel that a thread of the host launches waits for a flag in pinned memory, which main sets much later: no hang.
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
  std::thread launcher([&] {
    kernel<<<1, 1>>>(flag, out);
    cudaDeviceSynchronize();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  *static_cast<volatile int*>(flag) = 7;
  launcher.join();
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(out);
  cudaFreeHost(flag);
}
