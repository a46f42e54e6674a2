// SPDX-License-Identifier: Apache-2.0
// A counter that some threads change by a compare-and-swap and others by c = c + 1: no lock is given back there.
// options: --check all
// code: 3
// says: make the update at line 12 atomic, too: atomicAdd\(&c\[0\], 1\)
#include <cstdio>

__global__ void add(int* c) {
  if (blockIdx.x == 0) {
    int old = 0;
    for (int seen; (seen = atomicCAS(&c[0], old, old + 1)) != old; old = seen) continue;
  } else if (threadIdx.x == 0) c[0] = c[0] + 1;
}

int main() {
  int* c;
  cudaMalloc(&c, 4);
  cudaMemset(c, 0, 4);
  add<<<2, 64>>>(c);
  cudaDeviceSynchronize();
  cudaFree(c);
}
