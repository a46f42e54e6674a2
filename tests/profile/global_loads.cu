// SPDX-License-Identifier: Apache-2.0
// Loads and stores of global memory: strides, offsets, widths, indices from a table.
#include "check.hpp"

__global__ void copy_neighbours(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void load_stride_2(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[2 * i];
}
__global__ void load_stride_3(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[3 * i];
}
__global__ void load_stride_8(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[8 * i];
}
__global__ void load_stride_33(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[33 * i];
}
__global__ void store_stride_4(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[4 * i] = x[i];
}
__global__ void load_offset_1(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i + 1];
}
__global__ void store_offset_5(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i + 5] = x[i];
}
__global__ void load_backwards(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[gridDim.x * blockDim.x - 1 - i];
}
__global__ void load_same(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[blockIdx.x];
}
__global__ void saxpy(float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}
__global__ void load_by_table(const int* table, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[table[i]];
}
__global__ void store_by_table(const int* table, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[table[i] * 16 + i % 16] = x[i];
}
__global__ void copy_bytes(const unsigned char* x, unsigned char* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void copy_shorts(const short* x, short* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void copy_doubles(const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void load_doubles_stride_2(const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[2 * i];
}
__global__ void copy_float2(const float2* x, float2* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void copy_float4(const float4* x, float4* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void scale_float4(const float4* x, float4* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[i];
  y[i] = make_float4(2 * v.x, 3 * v.y, 4 * v.z, 5 * v.w);
}
__global__ void load_float4_stride_2(const float4* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[2 * i];
  y[i] = v.x + v.y + v.z + v.w;
}
__global__ void load_float4_same(const float4* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[blockIdx.x];
  y[i] = v.x + v.y + v.z + v.w;
}
struct three {
  float a, b, c;
};
__global__ void load_members(const three* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i].a + x[i].b + x[i].c;
}

int main() {
  const int n = 16384;
  float* x = filled<float>(40 * n);
  float* y = zeroed<float>(40 * n);
  int* table = filled<int>(n);
  RUN(copy_neighbours, n / 256, 256, x, y);
  RUN(load_stride_2, n / 256, 256, x, y);
  RUN(load_stride_3, n / 256, 256, x, y);
  RUN(load_stride_8, n / 256, 256, x, y);
  RUN(load_stride_33, n / 256, 256, x, y);
  RUN(store_stride_4, n / 256, 256, x, y);
  RUN(load_offset_1, n / 256, 256, x, y);
  RUN(store_offset_5, n / 256, 256, x, y);
  RUN(load_backwards, n / 256, 256, x, y);
  RUN(load_same, n / 256, 256, x, y);
  RUN(saxpy, n / 256, 256, 2.f, x, y);
  RUN(load_by_table, n / 256, 256, table, x, y);
  RUN(store_by_table, n / 256, 256, table, x, y);
  RUN(copy_bytes, n / 256, 256, reinterpret_cast<unsigned char*>(x), reinterpret_cast<unsigned char*>(y));
  RUN(copy_shorts, n / 256, 256, reinterpret_cast<short*>(x), reinterpret_cast<short*>(y));
  RUN(copy_doubles, n / 256, 256, reinterpret_cast<double*>(x), reinterpret_cast<double*>(y));
  RUN(load_doubles_stride_2, n / 256, 256, reinterpret_cast<double*>(x), reinterpret_cast<double*>(y));
  RUN(copy_float2, n / 256, 256, reinterpret_cast<float2*>(x), reinterpret_cast<float2*>(y));
  RUN(copy_float4, n / 256, 256, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
  RUN(scale_float4, n / 256, 256, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
  RUN(load_float4_stride_2, n / 256, 256, reinterpret_cast<float4*>(x), y);
  RUN(load_float4_same, n / 256, 256, reinterpret_cast<float4*>(x), y);
  RUN(load_members, n / 256, 256, reinterpret_cast<three*>(x), y);
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  LOOK(cudaFree(table));
  return 0;
}
