// SPDX-License-Identifier: Apache-2.0
// The step of a reduction reads what another thread writes by the same operator: that asks for a barrier, no atomicAdd.
// options: --check races
// code: 3
// says: race-shared
// says: tree_without_barrier.cu:13
// says: put a barrier .__syncthreads... at the end of the loop's body, behind line 13, in braces
#include <cuda_runtime.h>
__global__ void sum(float* out) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  __syncthreads();
  if (threadIdx.x == 0) *out = s[0];
}
int main() {
  float* out;
  cudaMalloc(&out, sizeof(float));
  sum<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
