// SPDX-License-Identifier: Apache-2.0
// Inline PTX is refused with its line.
// code: 2
// says: inline_ptx.cu:8: error: inline PTX .asm. is not supported
#include <cuda_runtime.h>
__global__ void lanes(unsigned* out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[threadIdx.x] = lane;
}
int main() {
  lanes<<<1, 32>>>(nullptr);
  return 0;
}
