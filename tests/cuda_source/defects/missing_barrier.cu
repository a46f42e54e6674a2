// SPDX-License-Identifier: Apache-2.0
// A barrier too few in a reduction: a race in shared memory, named by the user's variable and line.
// options: --detect-races
// code: 3
// says: race-shared
// says: of partial.
// says: missing_barrier.cu:14 in reduce
// says: __syncthreads
#include <cuda_runtime.h>
__global__ void reduce(int* data) {
  __shared__ int partial[128];
  partial[threadIdx.x] = data[threadIdx.x];
  for (int s = 64; s > 0; s /= 2)
    if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
  if (threadIdx.x == 0) data[0] = partial[0];
}
int main() {
  int* d;
  cudaMalloc(&d, 128 * sizeof(int));
  cudaMemset(d, 1, 128 * sizeof(int));
  reduce<<<1, 128>>>(d);
  cudaFree(d);
  return 0;
}
