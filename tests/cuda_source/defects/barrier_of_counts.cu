// SPDX-License-Identifier: Apache-2.0
// A barrier made by hand that waits for one block more than there are. The 1022 threads behind it wait at a barrier:
// who spins decides how long the run is looked at. Its clean twin, one word shorter, is barrier_by_hand.cu.
// options: --check all --timeout 250 --json -
// code: 4
// says: all threads that are left wait for count to reach a value
// says: count counts who has come, as in a barrier made by hand
// says: barrier_of_counts.cu:17
#include <cuda_runtime.h>
__device__ int count = 0;
__global__ void kernel(int* a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&count, 1);
    while (atomicAdd(&count, 0) < gridDim.x + 1) {
    }
    __threadfence();
  }
  __syncthreads();
}
int main() {
  int* a;
  cudaMalloc(&a, 2 * 512 * sizeof(int));
  kernel<<<2, 512>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
