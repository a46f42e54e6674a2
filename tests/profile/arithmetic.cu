// SPDX-License-Identifier: Apache-2.0
// Additions, multiplications and multiply-adds of float and double, as nvcc makes them of the source.
#include "check.hpp"

constexpr int kThreads = 16384;

__global__ void one_add(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] + 1.5f;
}
__global__ void one_product(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 1.5f;
}
__global__ void twice(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i];
}
__global__ void multiply_add(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}
__global__ void multiply_subtract(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = y[i] - a * x[i];
}
__global__ void two_products(float a, float b, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + b * y[i];
}
__global__ void product_used_twice(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float p = a * x[i];
  y[i] = p + 1.5f;
  y[i + kThreads] = p - x[i];
}
__global__ void product_kept(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float p = a * x[i];
  y[i] = p;
  y[i + kThreads] = p + 1.5f;
}
__global__ void polynomial(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = x[i];
  y[i] = ((0.5f * v + 1.5f) * v + 2.5f) * v + 3.5f;
}
__global__ void dot_product(const float* x, const float* y, float* z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[i + 64 * k] * y[i + 64 * k];
  z[i] = sum;
}
// Loops of different lengths: three quarters of the threads leave early.
__global__ void iterate(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float c = x[i] * 0.001f;
  float a = 0, b = 0;
#pragma unroll 1
  for (int k = 0; k < 20 && a * a + b * b < 4; ++k) {
    const float next = a * a - b * b + c;
    b = 2 * a * b + c;
    a = next;
  }
  y[i] = a;
}
__global__ void where_even(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    y[i] = x[i] * 3 + 1;
  else
    y[i] = x[i + 32] + x[i + 64] + x[i + 96];
}
__global__ void doubles(double a, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double v = x[i];
  y[i] = (a * v + 1.5) * (v + 2.5);
}
__global__ void asked_for(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = fmaf(a, x[i], 1.5f) * 3;
}
__global__ void distance(const float4* p, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 a = p[i], b = p[i + 32];
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  y[i] = dx * dx + dy * dy + dz * dz;
}
__global__ void stencil(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 0.25f * (x[i] + x[i + 2]) + 0.5f * x[i + 1];
}
__global__ void divisions(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = sqrtf(x[i] / (x[i + 1] + 1.5f));
}

int main() {
  const float* x = filled<float>(4 * kThreads);
  const double* d = filled<double>(kThreads);
  float* y = zeroed<float>(2 * kThreads);
  double* e = zeroed<double>(kThreads);
  const int grid = kThreads / 256, block = 256;
  RUN(one_add, grid, block, x, y);
  RUN(one_product, grid, block, x, y);
  RUN(twice, grid, block, x, y);
  RUN(multiply_add, grid, block, 1.25f, x, y);
  RUN(multiply_subtract, grid, block, 1.25f, x, y);
  RUN(two_products, grid, block, 1.25f, 0.75f, x, y);
  RUN(product_used_twice, grid, block, 1.25f, x, y);
  RUN(product_kept, grid, block, 1.25f, x, y);
  RUN(polynomial, grid, block, x, y);
  RUN(dot_product, grid, block, x, x + kThreads, y);
  RUN(iterate, grid, block, x, y);
  RUN(where_even, grid, block, x, y);
  RUN(doubles, grid, block, 1.25, d, e);
  RUN(asked_for, grid, block, 1.25f, x, y);
  RUN(distance, grid / 2, block, reinterpret_cast<const float4*>(x), y);
  RUN(stencil, grid, block, x, y);
  RUN(divisions, grid, block, x, y);
  return 0;
}
