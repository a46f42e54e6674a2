// SPDX-License-Identifier: Apache-2.0
// For look_at_page.py: a barrier that is missing (line 11), a write past the end (line 15), and its clean twin.
#include <cstdio>
#include <cstdlib>

__global__ void shift(int* x) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  s[i] = x[i];
  __syncthreads();
  s[i] = i;
  x[i] = s[(i + 1) % 64];
}

__global__ void fill(int* x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x + n] = 1; }

int main(int argc, char** argv) {
  int* x = nullptr;
  cudaMalloc(&x, 1024 * sizeof(int));
  fill<<<2, 512>>>(x, 0);
  if (argc > 1) fill<<<2, 512>>>(x, 4);
  if (argc > 1) shift<<<1, 64>>>(x);
  cudaFree(x);
}
