// SPDX-License-Identifier: Apache-2.0
// own_array_left.cu with every index where it belongs: the first element, the last, and those between.
// options: --check memory
// code: 0
// says: no findings; judged memory
#include <cuda_runtime.h>
__device__ void put(float* v, int i, float x) { v[i] = x; }
__device__ float last_before(const float* v, float limit, int n) {
  const float* p = v + n - 1;
  while (*p >= limit) --p;
  return *p;
}
__global__ void overrun(float* out, const int* which, float limit) {
  float a[10], b[4][4], c[8];
  for (int i = 0; i < 10; ++i) a[i] = i;
  put(a, which[threadIdx.x], 3.0f);
  for (int i = 0; i < 16; ++i) b[i / 4][i % 4] = i;
  for (int i = 0; i < 8; ++i) c[i] = 5.0f;
  out[threadIdx.x] = a[which[threadIdx.x] % 10] + b[which[threadIdx.x] / 3][2] + last_before(c, limit, 8);
}
int main() {
  float* out;
  int *which, numbers[32];
  for (int i = 0; i < 32; ++i) numbers[i] = i == 31 ? 9 : i % 10;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&which, sizeof numbers);
  cudaMemcpy(which, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  overrun<<<1, 32>>>(out, which, 6.0f);
  float results[32];
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  cudaFree(out);
  cudaFree(which);
}
