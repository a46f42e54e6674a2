// SPDX-License-Identifier: Apache-2.0
// Elements that are no power of two, rows that begin anywhere, elements that an index array names.
#include <cuda_fp16.h>

#include "check.hpp"

struct point {
  float x, y, z;
};
struct record {
  float key, a, b, c, value;
};
struct frame {
  float4 position, speed, force;
};

__global__ void gather(const int* index, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[index[i]];
}
__global__ void scatter(const int* index, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[index[i] * 3] = x[i];
}
__global__ void gather_float4(const int* index, const float4* x, float4* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[index[i]];
}
__global__ void copy_points(const point* x, point* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void two_of_five_members(const record* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i].key * x[i].value;
}
__global__ void move_frames(const frame* from, frame* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  frame now = from[i];
  now.position.x += now.speed.x + now.force.x;
  now.position.y += now.speed.y + now.force.y;
  now.position.z += now.speed.z + now.force.z;
  now.position.w += now.speed.w + now.force.w;
  to[i] = now;
}
__global__ void copy_float3(const float3* x, float3* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void rows_of_25(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 32, column = i % 32;
  if (column < 25) y[row * 32 + column] = x[row * 25 + column];
}
__global__ void tile_of_odd_pitch(const float* x, float* y) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  y[row * 257 + column] = x[column * 259 + row];
}
__global__ void bytes_stride_3(const unsigned char* x, unsigned char* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[3 * i];
}
__global__ void shorts_backwards(const short* x, short* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[gridDim.x * blockDim.x - 1 - i] = x[i + 5];
}
__global__ void doubles_stride_3(const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[3 * i];
}
__global__ void add_half2(const __half2* x, __half2* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __hadd2(x[i], x[i + 8]);
}
__global__ void read_volatile_twice(const volatile int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[2 * i] + x[2 * i];
}
__global__ void read_only_path(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __ldg(&x[i + 3]) + __ldg(&x[i ^ 17]);
}
__global__ void own_array(const int* index, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[16];
#pragma unroll 1
  for (int k = 0; k < 16; ++k) own[k] = x[i + k * 40];
  y[i] = own[index[i] & 15] + own[index[i + 1] & 15];
}

int main() {
  const int n = 16384;
  int* index = filled<int>(2 * n);
  float* x = filled<float>(40 * n);
  float* y = zeroed<float>(40 * n);
  RUN(gather, 64, 256, index, x, y);
  RUN(scatter, 64, 256, index, x, y);
  RUN(gather_float4, 64, 256, index, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
  RUN(copy_points, 64, 256, reinterpret_cast<point*>(x), reinterpret_cast<point*>(y));
  RUN(two_of_five_members, 64, 256, reinterpret_cast<record*>(x), y);
  RUN(move_frames, 64, 256, reinterpret_cast<frame*>(x), reinterpret_cast<frame*>(y));
  RUN(copy_float3, 64, 256, reinterpret_cast<float3*>(x), reinterpret_cast<float3*>(y));
  RUN(rows_of_25, 64, 256, x, y);
  RUN(tile_of_odd_pitch, dim3(8, 8), dim3(16, 16), x, y);
  RUN(bytes_stride_3, 64, 256, reinterpret_cast<unsigned char*>(x), reinterpret_cast<unsigned char*>(y));
  RUN(shorts_backwards, 64, 256, reinterpret_cast<short*>(x), reinterpret_cast<short*>(y));
  RUN(doubles_stride_3, 64, 256, reinterpret_cast<double*>(x), reinterpret_cast<double*>(y));
  RUN(add_half2, 64, 256, reinterpret_cast<__half2*>(x), reinterpret_cast<__half2*>(y));
  RUN(read_volatile_twice, 64, 256, reinterpret_cast<int*>(x), reinterpret_cast<int*>(y));
  RUN(read_only_path, 64, 256, x, y);
  RUN(own_array, 64, 256, index, x, y);
  LOOK(cudaFree(index));
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  return 0;
}
