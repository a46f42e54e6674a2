// SPDX-License-Identifier: Apache-2.0
// An index that data decide goes outside a thread's own array, in a loop with barriers: all other accesses of such a
// piece are told as rows, and the thread that leaves its array is named all the same.
// options: --check memory
// code: 3
// says: read of 4 bytes at own.16., outside the thread's own variable
// says: own_array_between_barriers.cu:17 in counts
// says: thread .16,0,0. of block .0,0,0. reads
// says: 16 accesses at these lines
#include <cuda_runtime.h>
__global__ void counts(const int* data, int* out) {
  __shared__ int s[64];
  int own[16] = {};
  for (int k = 0; k < 4; ++k) {
    s[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    own[s[63 - threadIdx.x]]++;
    __syncthreads();
  }
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += own[i] * i;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
int main() {
  int numbers[128];
  for (int i = 0; i < 128; ++i) numbers[i] = i % 64 == 47 ? 16 : i % 16;
  int *data, *out;
  cudaMalloc(&data, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  counts<<<2, 64>>>(data, out);
  cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(out);
}
