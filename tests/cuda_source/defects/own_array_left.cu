// SPDX-License-Identifier: Apache-2.0
// Indices outside a thread's own arrays, in three ways: a loop that makes a turn too many, a function that is given the
// array, and a row of two dimensions.
// Nothing else is disturbed by them. A pointer that runs off the front is found, too.
// options: --check memory
// code: 3
// says: write of 4 bytes at a.10., outside the thread's own variable
// says: own_array_left.cu:25 in overrun
// says: just past the end of a .40 bytes
// says: write of 4 bytes at a.12., outside the thread's own variable
// says: thread .31,0,0. of block .0,0,0. writes
// says: called from overrun at .*own_array_left.cu:26
// says: read of 4 bytes at b.4..2., outside the thread's own variable
// says: read of 4 bytes at c.-1., outside the thread's own variable
// says: 4 bytes before the start of c
#include <cuda_runtime.h>
__device__ void put(float* v, int i, float x) { v[i] = x; }
__device__ float last_before(const float* v, float limit, int n) {
  const float* p = v + n - 1;
  while (*p >= limit) --p;
  return *p;
}
__global__ void overrun(float* out, const int* which, float limit) {
  float a[10], b[4][4], c[8];
  for (int i = 0; i <= 10; ++i) a[i] = i;
  put(a, which[threadIdx.x], 3.0f);
  for (int i = 0; i < 16; ++i) b[i / 4][i % 4] = i;
  for (int i = 0; i < 8; ++i) c[i] = 5.0f;
  out[threadIdx.x] = a[which[threadIdx.x] % 10] + b[which[threadIdx.x] / 3][2] + last_before(c, limit, 8);
}
int main() {
  float* out;
  int *which, numbers[32];
  for (int i = 0; i < 32; ++i) numbers[i] = i == 31 ? 12 : i % 10;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&which, sizeof numbers);
  cudaMemcpy(which, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  overrun<<<1, 32>>>(out, which, 1.0f);
  float results[32];
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  cudaFree(out);
  cudaFree(which);
}
