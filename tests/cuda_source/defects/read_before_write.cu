// SPDX-License-Identifier: Apache-2.0
// A read keeps its line where its thread writes the same element at a later one.
// options: --check races
// code: 3
// says: read and write of last
// says: read_before_write.cu:11
// says: two writes of last
// says: read_before_write.cu: 2 errors;
#include <cuda_runtime.h>
__global__ void rotate(int* last, int* out) {
  out[threadIdx.x] = *last;
  *last = threadIdx.x;
}
int main() {
  int *last, *out;
  cudaMalloc(&last, sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(last, 0, sizeof(int));
  rotate<<<1, 64>>>(last, out);
  cudaDeviceSynchronize();
  cudaFree(last);
  cudaFree(out);
}
