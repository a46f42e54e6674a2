// SPDX-License-Identifier: Apache-2.0
// A thread reads s[1] in one line, the other updates it in the next: they race with each other, not the update with
// itself, and a barrier mends it, no atomicAdd.
// options: --check races
// code: 3
// says: race-shared
// says: update_of_what_others_read.cu:18 in
// says: update_of_what_others_read.cu:17 in
// says: put a barrier .__syncthreads
// says: 1 error
#include <cuda_runtime.h>
__global__ void sum_of_neighbours(float* x) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const float other = t < 63 ? s[t + 1] : 0;
  s[t] += other;
  __syncthreads();
  x[t] = s[t];
}
int main() {
  float* x;
  cudaMalloc(&x, 64 * sizeof(float));
  sum_of_neighbours<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
