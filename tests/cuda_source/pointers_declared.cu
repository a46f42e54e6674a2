// SPDX-License-Identifier: Apache-2.0
// Variables of the device whose name stands within their type: pointers to functions and to arrays, and tables of them.
#include <cstdio>

typedef float real;
__device__ float twice(float x) { return 2 * x; }
__device__ real add(real a, real b) { return a + b; }
__device__ real mul(real a, real b) { return a * b; }

__device__ float (*chosen)(float) = twice;
__device__ real (*const table[2])(real, real) = {add, mul};
__device__ int (*row_of)[4];
__constant__ float (*fixed)(float);

__device__ int rows[3][4];

__global__ void call(float *out) {
  out[0] = chosen(4);
  out[1] = table[0](3, 5) + table[1](3, 5);
  out[2] = fixed(8);
}
__global__ void given(float (*f)(float), float *out) { *out = f(16); }

// The pointer is the block's: one thread sets it, the others use it.
__global__ void across(int *out) {
  __shared__ int (*picked)[4];
  __shared__ int near[2][4];
  static __shared__ float (*op)(float);
  near[threadIdx.x / 4][threadIdx.x % 4] = 10 * blockIdx.x + threadIdx.x;
  if (threadIdx.x == 7) {
    picked = near + blockIdx.x;
    op = chosen;
    if (blockIdx.x == 0) row_of = rows + 1;
  }
  __syncthreads();
  out[8 * blockIdx.x + threadIdx.x] = picked[0][threadIdx.x % 4] + static_cast<int>(op(100));
}
__global__ void through_row() { (*row_of)[threadIdx.x] = threadIdx.x + 1; }

int main() {
  float (*of_device)(float), *out, h[3];
  cudaMalloc(&out, sizeof h);
  cudaMemcpyFromSymbol(&of_device, chosen, sizeof of_device);
  cudaMemcpyToSymbol(fixed, &of_device, sizeof of_device);
  call<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%.0f %.0f %.0f\n", h[0], h[1], h[2]);
  given<<<1, 1>>>(of_device, out);
  cudaMemcpy(h, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.0f\n", h[0]);

  int *numbers, n[16];
  cudaMalloc(&numbers, sizeof n);
  across<<<2, 8>>>(numbers);
  cudaMemcpy(n, numbers, sizeof n, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", n[0], n[7], n[8], n[15]);
  through_row<<<1, 4>>>();
  int kept[3][4];
  cudaMemcpyFromSymbol(kept, rows, sizeof kept);
  printf("%d %d %d\n", kept[0][3], kept[1][3], kept[2][0]);
  cudaFree(out);
  cudaFree(numbers);
}
