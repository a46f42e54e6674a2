// SPDX-License-Identifier: Apache-2.0
// Two kernels on two streams, each adding to a sum in two steps: on a GPU they may run at the same time. ONE_STREAM:
// the second one is on the default stream, which waits for the first one's. EACH_WAY: each waits for the other.
#include <cstdio>

__device__ int sum, came[2];

__device__ void meet(int me) {
#if defined(EACH_WAY)
  atomicExch(&came[me], 1);
  while (atomicAdd(&came[1 - me], 0) == 0) {
  }
#endif
}

__global__ void add_one() {
  meet(0);
  const int before = atomicAdd(&sum, 0);
  atomicExch(&sum, before + 1);
}

__global__ void add_two() {
  meet(1);
  const int before = atomicAdd(&sum, 0);
  atomicExch(&sum, before + 2);
}

int main() {
  cudaStream_t one = nullptr, two = nullptr;
  cudaStreamCreate(&one);
#if !defined(ONE_STREAM)
  cudaStreamCreate(&two);
#endif
  add_one<<<1, 1, 0, one>>>();
  add_two<<<1, 1, 0, two>>>();
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  int got = 0;
  if (ran) cudaMemcpyFromSymbol(&got, sum, sizeof got);
  cudaStreamDestroy(one);
  if (two != nullptr) cudaStreamDestroy(two);
  std::printf("%d\n", got);
  return got == 3 ? 0 : 1;
}
