// SPDX-License-Identifier: Apache-2.0
// A pointer and its tag are swapped together, and one thread writes the tag alone, plainly.
// options: --check all
// code: 3
// says: race-global
// says: of top.
// says: wide_atomic_and_plain.cu:21 in push
// says: reads it atomically
#include <cuda_runtime.h>
struct __align__(16) Head {
  unsigned long long at, tag;
};
__global__ void push(Head* top) {
  Head seen = {0, 0};
  for (;;) {
    const Head found = atomicCAS(top, seen, Head{seen.at + 16, seen.tag + 1});
    if (found.at == seen.at && found.tag == seen.tag) break;
    seen = found;
  }
  if (blockIdx.x == 1 && threadIdx.x == 0)
    top->tag = 5;
}
int main() {
  Head* top;
  cudaMalloc(&top, sizeof(Head));
  cudaMemset(top, 0, sizeof(Head));
  push<<<2, 64>>>(top);
  Head h;
  cudaMemcpy(&h, top, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(top);
  return 0;
}
