// SPDX-License-Identifier: Apache-2.0
// Two branches that end alike, each with a store, keep a line for each: machine code must not share their ends.
// options: --check races --execution fibers
// code: 3
// says: tails_of_branches.cu:14 in shift
// says: tails_of_branches.cu:17 in shift
// says: tails_of_branches.cu: 1 error;
#include <cuda_runtime.h>
__global__ void shift(int* out) {
  __shared__ int s[16];
  const int lane = threadIdx.x;
  // The first half goes on without the barrier of the warp.
  if (lane < 16) {
    s[lane] = lane + 1;
  } else {
    __syncwarp();
    out[lane] = s[lane - 16];
  }
}
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  shift<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
