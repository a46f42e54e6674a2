// SPDX-License-Identifier: Apache-2.0
// defects/host_loop_too_early.cu, which waits for the kernel.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

[[gnu::noinline]] void copy(int* to, const int* from, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = from[i] + 1;
}
__global__ void fill(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}
int main() {
  constexpr int kSize = 1000;
  std::vector<int> own(kSize, 1), copied(kSize);
  int* shared = nullptr;
  cudaMallocManaged(&shared, kSize * sizeof(int));
  copy(copied.data(), own.data(), kSize);
  fill<<<4, 256>>>(shared, kSize);
  cudaDeviceSynchronize();
  copy(copied.data(), shared, kSize);
  std::printf("%d\n", copied[1]);
  cudaFree(shared);
}
