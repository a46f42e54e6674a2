// SPDX-License-Identifier: Apache-2.0
// The missing guard of the first program of every course.
// options: --check memory
// code: 3
// says: out-of-bounds
// says: out_of_bounds.cu:10 in vector_add
// says: past the end of d_c
#include <cuda_runtime.h>
__global__ void vector_add(float* c, int n) {
  c[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
int main() {
  float* d_c;
  cudaMalloc(&d_c, 1000 * sizeof(float));
  vector_add<<<8, 128>>>(d_c, 1000);
  cudaFree(d_c);
  return 0;
}
