// SPDX-License-Identifier: Apache-2.0
// Threads of one warp, of several warps and of several blocks write one element: no barrier mends that, and the advice
// is that for blocks.
// options: --check races
// code: 3
// says: race-global.: two writes of out.0. are not ordered: thread .0,0,0. of block .1,0,0. and thread
// says: blocks of one launch are not ordered: nothing makes block .1,0,0. wait for block .0,0,0.
// says: give each block memory of its own
// says: 1 error;
#include <cuda_runtime.h>
__global__ void kernel(int* out) { out[threadIdx.x % 2] = blockIdx.x * blockDim.x + threadIdx.x; }
int main() {
  int* out;
  cudaMalloc(&out, 2 * sizeof(int));
  kernel<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
