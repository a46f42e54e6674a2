// SPDX-License-Identifier: Apache-2.0
// The last block sums up what all have written. One thread counts for its block, and no barrier has made it wait for the
// others: a fence is its own thread's. Each with a twin that has what the report says.
// options: --check all --json -
// code: 3
// says: fix": "put __syncthreads.. behind the fence at line 22 and in front of line 24, where one thread tells for all"
// says: the fence at line 22 is its own thread's, and the one that goes on to line 24 waits for no other
// says: fix": "put __syncthreads.. between line 33 and the fence at line 36"
// says: the fence at line 36 keeps in order what its thread knows of, and no barrier has told it of the others
// says: fix": "put __threadfence.., and __syncthreads.. behind it, between line 46 and line 51
// says: 3 errors
#include <cuda_runtime.h>
#include <cstdio>
__device__ unsigned done[6];
__device__ void sum_up(const int* part, int* out, bool last) {
  if (last && threadIdx.x == 0)
    for (int i = 0; i < gridDim.x * 4; ++i) *out += part[i];
}
template <bool Right> __global__ void fence_by_all(int* part, int* out) {
  __shared__ bool last;
  if (threadIdx.x < 4) part[blockIdx.x * 4 + threadIdx.x] = threadIdx.x;
  __threadfence();
  if (Right) __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&done[Right], 1) == gridDim.x - 1;
  __syncthreads();
  __threadfence();
  sum_up(part, out, last);
}


template <bool Right> __global__ void fence_by_one(int* part, int* out) {
  __shared__ bool last;
  if (threadIdx.x < 4) part[blockIdx.x * 4 + threadIdx.x] = threadIdx.x;
  if (Right) __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(&done[2 + Right], 1) == gridDim.x - 1;
  }
  __syncthreads();
  __threadfence();
  sum_up(part, out, last);
}

template <bool Right> __global__ void no_fence(int* part, int* out) {
  __shared__ bool last;
  if (threadIdx.x < 4) part[blockIdx.x * 4 + threadIdx.x] = threadIdx.x;
  if (Right) __threadfence();
  if (Right) __syncthreads();


  if (threadIdx.x == 0) last = atomicAdd(&done[4 + Right], 1) == gridDim.x - 1;
  __syncthreads();
  __threadfence();
  sum_up(part, out, last);
}
int main() {
  int *part, *out, h = 0;
  cudaMalloc(&part, 6 * 32 * sizeof(int)), cudaMalloc(&out, 6 * sizeof(int)), cudaMemset(out, 0, 6 * sizeof(int));
  fence_by_all<true><<<8, 64>>>(part, out), fence_by_one<true><<<8, 64>>>(part + 32, out + 1);
  no_fence<true><<<8, 64>>>(part + 64, out + 2);
  fence_by_all<false><<<8, 64>>>(part + 96, out + 3), fence_by_one<false><<<8, 64>>>(part + 128, out + 4);
  no_fence<false><<<8, 64>>>(part + 160, out + 5);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost), std::printf("%d\n", h);
  cudaFree(part), cudaFree(out);
}
