// SPDX-License-Identifier: Apache-2.0
// A full mask under a branch names lanes that never execute the operation: undefined, an error. Lanes that have left before
// are a warning, and a mask of those that come is silent.
// options: --check barrier
// code: 3
// says: error.warp-mask.: a shuffle names lanes 0xffff0000 of warp 0, which never
// says: masks_under_a_branch.cu:15 in
// says: move it out of the branch at line 15
// says: warning.warp-mask.: a warp vote names lanes 0xffff0000 of warp 0, which have left the kernel
// says: masks_under_a_branch.cu:21 in
// says: 1 error, 2 warnings;
#include <cuda_runtime.h>
__global__ void in_branch(int* out) {
  int lane = threadIdx.x, v = lane;
  if (lane < 16) v = __shfl_down_sync(0xffffffff, v, 8);
  out[lane] = v;
}
__global__ void left_before(int* out) {
  const int lane = threadIdx.x;
  if (lane >= 16) return;
  out[lane] = __ballot_sync(0xffffffff, lane > 3);
}
__global__ void kept(int* out) {
  const int lane = threadIdx.x;
  if (lane < 16) out[lane] = __ballot_sync(0x0000ffff, lane > 3);
}
int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  in_branch<<<1, 32>>>(x);
  left_before<<<1, 32>>>(x);
  kept<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
