// SPDX-License-Identifier: Apache-2.0
// Device memory that belongs to an object with static storage duration: its destructor frees it after main.
#include <cstdio>
#include <cuda_runtime.h>

struct Buffer {
  int *data = nullptr;
  ~Buffer() { cudaFree(data); }
};
static Buffer squares;

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  cudaMalloc(&squares.data, 64 * sizeof(int));
  fill<<<1, 64>>>(squares.data);
  int last = 0;
  cudaMemcpy(&last, squares.data + 63, sizeof last, cudaMemcpyDeviceToHost);
  printf("%d\n", last);
}
