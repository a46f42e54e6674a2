// SPDX-License-Identifier: Apache-2.0
// The clean twin of another_threads_local.cu: what is published lies in shared memory.
// options: --check all --explain-execution
// code: 0
// says: ran as loops
// says: no findings
#include <cuda_runtime.h>

__global__ void share(int* out) {
  __shared__ const int* shared;
  __shared__ int first;
  int mine = threadIdx.x + 10;
  if (threadIdx.x == 0) first = mine, shared = &first;
  __syncthreads();
  out[threadIdx.x] = *shared;
  __syncthreads();
  out[threadIdx.x] += mine;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  share<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
