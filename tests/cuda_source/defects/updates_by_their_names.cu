// SPDX-License-Identifier: Apache-2.0
// A fix names what the kernel names, with the operand that is there; the host calls its buffers something else.
// options: --check races
// code: 3
// says: atomicAdd\(&bins\[keys\[i\] % 8\], 1\)
// says: atomicAdd\(total, keys\[i\]\)
// says: atomicAdd\(&count, 1\)
// says: make the test and the write one atomic operation: atomicMax\(best, keys\[i\]\)
#include <cuda_runtime.h>
__device__ int count;
__global__ void
update(int* bins, int* total, int* best, const int* keys) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins[keys[i] % 8]++;
  *total += keys[i];
  ++count;
  if (keys[i] > *best) *best = keys[i];
}
int main() {
  int host[256], *d_bins, *d_total, *d_best, *d_keys;
  for (int i = 0; i < 256; ++i) host[i] = i * 37 % 256;
  cudaMalloc(&d_bins, 8 * sizeof(int));
  cudaMalloc(&d_total, sizeof(int));
  cudaMalloc(&d_best, sizeof(int));
  cudaMalloc(&d_keys, sizeof host);
  cudaMemset(d_bins, 0, 8 * sizeof(int));
  cudaMemset(d_total, 0, sizeof(int));
  cudaMemset(d_best, 0, sizeof(int));
  cudaMemcpy(d_keys, host, sizeof host, cudaMemcpyHostToDevice);
  update<<<4, 64>>>(d_bins, d_total, d_best, d_keys);
  cudaDeviceSynchronize();
  cudaFree(d_bins);
  cudaFree(d_total);
  cudaFree(d_best);
  cudaFree(d_keys);
}
