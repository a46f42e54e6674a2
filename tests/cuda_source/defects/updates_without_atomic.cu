// SPDX-License-Identifier: Apache-2.0
// Many threads update one element in place, and the operand is other memory: no barrier goes between, so the advice is
// one atomic operation.
// options: --check races
// code: 3
// says: race-shared
// says: updates_without_atomic.cu:14
// says: atomicAdd\(&s\[0\], out\[threadIdx.x\]\)
#include <cuda_runtime.h>
__global__ void sum(float* out) {
  __shared__ float s[4];
  if (threadIdx.x == 0) s[0] = 0;
  __syncthreads();
  s[0] += out[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = s[0];
}
int main() {
  float* out;
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(out, 0, 256 * sizeof(float));
  sum<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
