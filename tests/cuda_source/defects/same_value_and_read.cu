// SPDX-License-Identifier: Apache-2.0
// A barrier is missing between the threads that all store one value and those that read it: one error, which has the
// harmless half of it under it. Writing one value without a reader is a warning.
// options: --check races
// code: 3
// says: error.race-shared.: .*of found
// says: 1 more finding with the same cause
// says: - error.race-shared. .*same_value_and_read.cu:1[45]
// says: warning.race-shared.: two writes of alone
#include <cuda_runtime.h>
__global__ void search(const int* x, int* out) {
  __shared__ int found, alone;
  if (threadIdx.x == 0) found = alone = 0;
  __syncthreads();
  if (x[threadIdx.x] == 7) found = 1;
  if (x[threadIdx.x] == 7) alone = 1;
  out[threadIdx.x] = found;
}
int main() {
  int host[64], *x, *out;
  for (int i = 0; i < 64; ++i) host[i] = i % 2 == 0 ? 7 : 1;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  search<<<1, 64>>>(x, out);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
