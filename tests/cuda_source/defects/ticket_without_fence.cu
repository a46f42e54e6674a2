// SPDX-License-Identifier: Apache-2.0
// options: --check races
// code: 3
// says: error.race-global.: read and write of partial
// says: neither an atomic operation nor volatile keeps other accesses in order
// says: put __threadfence\(\) between line [0-9]+ and line 17;
// says: sets the flag
#include <cstdio>

__device__ unsigned ticket;

// The last block adds up what all blocks have left; nothing keeps the sums before the ticket.
__global__ void sums(float* partial, float* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) atomicAdd(total, partial[threadIdx.x]);
}

int main() {
  float *partial, *total, got;
  cudaMalloc(&partial, 32 * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  sums<<<32, 32>>>(partial, total);
  cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
  printf("%g\n", got);
  cudaFree(partial);
  cudaFree(total);
}
