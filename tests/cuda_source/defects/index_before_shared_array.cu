// SPDX-License-Identifier: Apache-2.0
// An index just in front of a shared array is one of that array, not of the one that lies below. And what was written
// past the end of too small an array and is read there is one defect. Each with a twin.
// options: --check all
// code: 3
// says: read of 4 bytes at s.-1., outside the shared array
// says: write of 4 bytes at d.64., outside the shared array
// says: 3 errors of 2 causes;
#include <cuda_runtime.h>
template <bool Right>
__global__ void difference(const int* in, int* out) {
  __shared__ int pad[64], s[64];
  const int t = threadIdx.x;
  pad[t] = 0, s[t] = in[t];
  __syncthreads();
  if (!Right || t > 0) out[t] = s[t] - s[t - 1] + pad[t];
}
__global__ void halves(const int* in, int* out) {
  extern __shared__ int d[];
  d[threadIdx.x] = in[threadIdx.x];
  d[64 + threadIdx.x] = 2 * in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = d[63 - threadIdx.x] + d[127 - threadIdx.x];
}
int main() {
  int *in, *out, h[64] = {};
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice), cudaMemset(out, 0, sizeof h);
  difference<true><<<1, 64>>>(in, out), halves<<<1, 64, 512>>>(in, out);
  difference<false><<<1, 64>>>(in, out), halves<<<1, 64, 256>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(in), cudaFree(out);
}
