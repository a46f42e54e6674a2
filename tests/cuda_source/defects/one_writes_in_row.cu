// SPDX-License-Identifier: Apache-2.0
// One thread of a row writes where its neighbours read, at the address that a read is expected at: only the instruction
// differs, and the other block's thread of the same rank reads there.
// options: --detect-races
// code: 3
// says: race-global
// says: x.40. are not ordered: thread .40,0,0. of block .1,0,0.
// says: one_writes_in_row.cu:15 in mark
// says: one_writes_in_row.cu:17 in mark
#include <cstdio>
#include <cuda_runtime.h>
__global__ void mark(int* x, int* out) {
  const int i = threadIdx.x;
  int v = 7;
  if (i == 40 && blockIdx.x == 0) x[i] = v;
  else
    v = x[i];
  out[blockIdx.x * blockDim.x + i] = v;
}
int main() {
  int *x, *out, host[128];
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  cudaMalloc(&out, sizeof host);
  mark<<<2, 64>>>(x, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  cudaFree(x);
  cudaFree(out);
}
