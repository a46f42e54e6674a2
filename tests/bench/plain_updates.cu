// SPDX-License-Identifier: Apache-2.0
// Plain runs of kernels that add to the bins of a histogram, of 4M samples: wall time of a launch, the best of five.
//   for w in 1 2; do simrun --workers $w tests/bench/plain_updates.cu; done
#include <cstdio>
#include <chrono>
#include <vector>
#include <cuda_runtime.h>
// A sample a thread.
__global__ void one(const int* x, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}
// A grid-stride loop.
__global__ void stride(const int* x, int* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i]], 1);
}
// Neighbours in a loop of each thread.
__global__ void inner(const int* x, int* bins, int n, int each) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < each; ++k) {
    int i = t * each + k;
    if (i < n) atomicAdd(&bins[x[i]], 1);
  }
}
int main() {
  const int n = 4 << 20;
  std::vector<int> x(n);
  int *dx, *db;
  cudaMalloc(&dx, n * 4);
  for (int bins : {1, 150, 4096, 65536, 1 << 20}) {
    unsigned s = 1;
    for (int& v : x) {
      s = s * 1664525u + 1013904223u;
      v = (s >> 8) % bins;
    }
    std::vector<int> want(bins), got(bins);
    for (int v : x) ++want[v];
    cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMalloc(&db, bins * 4);
    for (int k = 0; k < 3; ++k) {
      double best = 1e9;
      for (int r = 0; r < 5; ++r) {
        cudaMemset(db, 0, bins * 4);
        cudaDeviceSynchronize();
        auto a = std::chrono::steady_clock::now();
        if (k == 0) one<<<n / 256, 256>>>(dx, db, n);
        if (k == 1) stride<<<256, 256>>>(dx, db, n);
        if (k == 2) inner<<<256, 256>>>(dx, db, n, n / 65536);
        cudaDeviceSynchronize();
        double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - a).count();
        if (ms < best) best = ms;
        cudaMemcpy(got.data(), db, bins * 4, cudaMemcpyDeviceToHost);
        if (got != want) {
          printf("WRONG bins %d kernel %d\n", bins, k);
          return 1;
        }
      }
      printf("bins %7d %s %8.2f ms\n", bins, k == 0 ? "one   " : k == 1 ? "stride" : "inner ", best);
    }
    cudaFree(db);
  }
}
