// SPDX-License-Identifier: Apache-2.0
// Two branches store to the same place, and load into the same variable: each keeps its line.
// options: --check races
// code: 3
// says: lines_of_two_branches.cu:17 in kernel
// says: lines_of_two_branches.cu:15 in kernel
// says: lines_of_two_branches.cu:13, 21: write and read
// says: lines_of_two_branches.cu:23, 13: read and write
#include <cstdio>
__global__ void kernel(int* out, int n) {
  __shared__ int pairs[32], ring[64];
  const int t = threadIdx.x;
  ring[t] = t;
  if (t % 2 == 0)
    pairs[t / 2] = 1;
  else
    pairs[t / 2] = 2;
  if (n == 1) __syncthreads();
  int v;
  if (t < 32)
    v = ring[t + n];
  else
    v = ring[t - n];
  __syncthreads();
  out[t] = v + pairs[t / 2];
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64>>>(out, 32);
  cudaDeviceSynchronize();
  cudaFree(out);
}
