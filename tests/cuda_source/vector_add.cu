// SPDX-License-Identifier: Apache-2.0
// The first program of every course: c = a + b, with the grid rounded up and a guard.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                   \
  do {                                                                                                \
    cudaError_t status = (call);                                                                      \
    if (status != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status)); \
      std::exit(1);                                                                                   \
    }                                                                                                 \
  } while (0)

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 100000;
  const size_t bytes = n * sizeof(float);
  float* h_a = (float*)malloc(bytes);
  float* h_b = (float*)malloc(bytes);
  float* h_c = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) {
    h_a[i] = 0.5f * i;
    h_b[i] = 2.0f * i;
  }
  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc((void**)&d_a, bytes));
  CHECK(cudaMalloc((void**)&d_b, bytes));
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice));
  int block = 256, grid = (n + block - 1) / block;
  vector_add<<<grid, block>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++)
    if (h_c[i] != 2.5f * i) wrong++;
  printf("vector_add: %d wrong, c[7] = %.1f, c[n-1] = %.1f\n", wrong, h_c[7], h_c[n - 1]);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  free(h_a);
  free(h_b);
  free(h_c);
  return wrong != 0;
}
