// SPDX-License-Identifier: Apache-2.0
// Each word is read at two lines, so the first run is not sure of them and another one follows. The text of the failed
// assertion is printed by the first alone.
// options: --check all --execution fibers --workers 1
// code: 4
// says: ^[^!]*cu:21: late: block: .2,0,0., thread: .63,0,0. Assertion .blockIdx.x < 2. failed[^!]* on sim, all checks
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void late(int* p, int* q) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  const int one = s[(t + 1) % 64];
  const int two = s[(t + 2) % 64];
  q[blockIdx.x * blockDim.x + t] = one + two;
  __syncthreads();
  s[t] = p[0];
  if (blockIdx.x == 0) p[0] = 5;
  assert(blockIdx.x < 2);
}

int main() {
  int *p, *q;
  cudaMalloc(&p, sizeof(int));
  cudaMalloc(&q, 256 * sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  late<<<4, 64>>>(p, q);
  cudaDeviceSynchronize();
}
