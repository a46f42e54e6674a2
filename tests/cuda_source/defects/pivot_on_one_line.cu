// SPDX-License-Identifier: Apache-2.0
// Each thread reads its row's first element and divides its own by it, on one line: the first element changes while
// others still read it. No atomic operation mends that.
// options: --check all --workers 1
// code: 3
// says: error.race-shared.*put a barrier .__syncthreads... in line 13 between .float p = s.0.;. and
#include <cstdio>
#include <cuda_runtime.h>
__global__ void normalize(float* a) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  float p = s[0]; s[threadIdx.x] /= p;
  a[threadIdx.x] = s[threadIdx.x];
}
int main() {
  float *a, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i + 2.f;
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  normalize<<<1, 64>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[1]);
  cudaFree(a);
}
