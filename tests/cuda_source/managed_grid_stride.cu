// SPDX-License-Identifier: Apache-2.0
// Unified memory vector add with grid-stride loop (style of "An Even Easier Introduction to CUDA").
#include <cmath>
#include <iostream>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t err__ = (call);                                                                  \
    if (err__ != cudaSuccess) {                                                                  \
      std::cerr << __FILE__ << ":" << __LINE__ << " " << cudaGetErrorString(err__) << std::endl; \
      std::exit(EXIT_FAILURE);                                                                   \
    }                                                                                            \
  } while (0)

__global__ void init(int n, float *x, float *y) {
  int index = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = index; i < n; i += stride) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }
}

__global__ void add(int n, float *x, float *y) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = index; i < n; i += stride) y[i] = x[i] + y[i];
}

int main(void) {
  int N = 1 << 16;
  float *x, *y;
  CHECK(cudaMallocManaged(&x, N * sizeof(float)));
  CHECK(cudaMallocManaged(&y, N * sizeof(float)));
  int blockSize = 256;
  int numBlocks = (N + blockSize - 1) / blockSize;
  init<<<numBlocks, blockSize>>>(N, x, y);
  CHECK(cudaGetLastError());
  add<<<numBlocks, blockSize>>>(N, x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  float maxError = 0.0f;
  for (int i = 0; i < N; i++) maxError = fmax(maxError, fabs(y[i] - 3.0f));
  std::cout << "Max error: " << maxError << std::endl;
  for (int i = 0; i < N; i++) x[i] = i;   // the host reuses the array
  add<<<64, 128>>>(N, x, y);
  CHECK(cudaDeviceSynchronize());
  double sum = 0;
  for (int i = 0; i < N; i++) sum += y[i];
  std::cout << "Sum: " << sum << std::endl;
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
