// SPDX-License-Identifier: Apache-2.0
// A sum of half a warp names all lanes: those that do not take the branch end without coming to the shuffle.
// options: --check all
// code: 0
// says: a shuffle names lanes
// says: names lanes 0xffff0000 of warp 0, which end without coming to it
// says: mask 0x0000ffff here
// says: 1 warning
#include <cstdio>

__global__ void sum_of_half(int *out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) {
    for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o, 16);
    if (threadIdx.x == 0) *out = v;
  }
}
__global__ void sum_of_named_half(int *out) {
  int v = threadIdx.x;
  const unsigned half = __ballot_sync(0xffffffff, threadIdx.x < 16);
  if (threadIdx.x < 16) {
    for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(half, v, o, 16);
    if (threadIdx.x == 0) *out = v;
  }
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  sum_of_half<<<1, 32>>>(out);
  sum_of_named_half<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
