// SPDX-License-Identifier: Apache-2.0
// A loop of the host copies what a kernel may still write. The same loop has copied the host's own memory before, which
// nobody has to hear of. tests/cuda_source/host_loop_waits.cu waits.
// options: --check=all
// code: 3
// says: race-global
// says: host_loop_too_early.cu:15
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
  copy(copied.data(), shared, kSize);
  cudaDeviceSynchronize();
  std::printf("%d\n", copied[1]);
  cudaFree(shared);
}
