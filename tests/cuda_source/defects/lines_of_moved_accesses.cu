// SPDX-License-Identifier: Apache-2.0
// Accesses that the compiler moves out of a loop, or makes one of in two branches, keep their lines in findings.
// options: --check races
// code: 3
// says: race-global.*\n[^>]*--> .*lines_of_moved_accesses.cu:23 in
// says: lines_of_moved_accesses.cu:22 in moved_out
// says: lines_of_moved_accesses.cu:31 in two_branches
// says: lines_of_moved_accesses.cu:33 in two_branches
// says: lines_of_moved_accesses.cu:41 in behind_barrier
// says: at the end of the loop's body, behind line 41, in braces
// says: lines_of_moved_accesses.cu:48 in sum_in_loop
// says: make the update one atomic operation: atomicAdd.sum, x.i..
// says: lines_of_moved_accesses.cu:53 in one_place
// says: lines_of_moved_accesses.cu:55 in one_place
#include <cuda_runtime.h>
__global__ void moved_out(float* x, int n) {
  const int t = threadIdx.x;
  float sum = 1;
  for (int k = 0; k < n; ++k)
    // No turn of the loop writes x, so this is read once, before it.
    sum +=
        x[t + 1] * k;
  x[t] = sum;
}
__global__ void two_branches(float* x) {
  const int t = threadIdx.x;
  float* const at = x + t;
  const float bias = t % 3;
  if (t & 1)

    *at = bias + 1;
  else
    at[1] = bias + 2;
}
__global__ void behind_barrier(float* x) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int k = 0; k < 3; ++k)
    if (t < 63) s[t] = 2 + s[t + 1];
  __syncthreads();
  x[t] = s[t];
}
__global__ void sum_in_loop(const float* x, float* sum, int n) {
  for (int i = threadIdx.x; i < n;
       i += blockDim.x)
    *sum += x[i];
}
__global__ void one_place(float* x) {
  const int t = threadIdx.x;
  if (t & 1)
    x[0] = t;
  else
    x[0] = 7;
}
int main() {
  float *x, *sum;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  cudaMalloc(&x, 65 * sizeof(float));
  cudaMemset(x, 0, 65 * sizeof(float));
  moved_out<<<1, 64>>>(x, 3);
  two_branches<<<1, 64>>>(x);
  behind_barrier<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  sum_in_loop<<<1, 64>>>(x, sum, 65);
  cudaDeviceSynchronize();
  one_place<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(x);
}
