// SPDX-License-Identifier: Apache-2.0
// Three kernels whose counts on a GPU were known before there was a record: an H200 says 1,048,576 global load requests
// of 4,194,304 sectors for saxpy of 16,777,216 elements, and 1,015,808 bank conflicts of shared loads for the
// transposition.
#include "check.hpp"

constexpr int kSide = 1024;

__global__ void saxpy_16m(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void transpose_1024(const float* x, float* y) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 32 + threadIdx.y) * kSide + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  y[(blockIdx.x * 32 + threadIdx.y) * kSide + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void histogram_1m(const int* samples, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[samples[i] % 256], 1);
}

int main() {
  const int n = 1 << 24;
  float* x = zeroed<float>(n);
  float* y = zeroed<float>(n);
  int* samples = filled<int>(1 << 20);
  int* bins = zeroed<int>(256);
  RUN(saxpy_16m, n / 256, 256, 2.f, x, y, n);
  RUN(transpose_1024, dim3(kSide / 32, kSide / 32), dim3(32, 32), x, y);
  RUN(histogram_1m, (1 << 20) / 256, 256, samples, bins, 1 << 20);
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  LOOK(cudaFree(samples));
  LOOK(cudaFree(bins));
  return 0;
}
