// SPDX-License-Identifier: Apache-2.0
// A result that no kernel wrote, since the launch was forgotten, is copied to the host; what is partly written is not told.
// options: --check all --strict
// code: 3
// says: uninitialized-read.: copy of 128 bytes of out, none of which was ever written
// says: copied_never_written.cu:20
// says: 1 warning
#include <cstdio>
__global__ void square(const int *in, int *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
int main() {
  int h[32] = {3}, *in, *out, *part;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&part, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  square<<<1, 32>>>(in, part, 20);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(h, part, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(in); cudaFree(out); cudaFree(part);
}
