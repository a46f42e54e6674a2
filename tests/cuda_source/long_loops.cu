// SPDX-License-Identifier: Apache-2.0
// Threads that compute for some tenths of a second without an access or a barrier, and come by the same registers but
// one: no hang.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void count(unsigned* out) {
  unsigned i = 1, turns = 0;
  if (threadIdx.x == 3)
    for (; turns < 300000000; ++turns) i = i * 3 + 1, i = i > 1000000 ? 1 : i;
  out[threadIdx.x] = i + turns;
}
int main() {
  unsigned *out, host[4];
  cudaMalloc(&out, sizeof host);
  count<<<1, 4>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%u %u\n", host[0], host[3]);
  cudaFree(out);
}
