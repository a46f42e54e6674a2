// SPDX-License-Identifier: Apache-2.0
// The second launch's result is never copied back; the host prints what it had before. A note.
// options: --check all
// code: 0
// says: note +nothing was copied to the host after the last launch.*of.*add.*nothing.*at.*all.*from.*'sum'
// says: no findings
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void add(const int* a, int* sum) { sum[threadIdx.x] = a[threadIdx.x] + 1; }
int main() {
  int *a, *sum, host[64] = {};
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&sum, sizeof host);
  fill<<<1, 64>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  add<<<1, 64>>>(a, sum);
  cudaDeviceSynchronize();
  std::printf("%d\n", host[63]);
  cudaFree(a);
  cudaFree(sum);
}
