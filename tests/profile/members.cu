// SPDX-License-Identifier: Apache-2.0
// Structures that are loaded and stored whole, while members are computed with one by one: compilers take such copies
// apart. nvcc makes one instruction of what the alignment of the type allows.
#include "check.hpp"

struct complex_number {
  float re, im;
};
struct five_floats {
  float a, b, c, d, e;
};

template <class T>
__global__ void first_changed(const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = x[i];
  v.x += 1;
  y[i] = v;
}
template <class T>
__global__ void second_changed(const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = x[i];
  v.y += 1;
  y[i] = v;
}
template <class T>
__global__ void last_changed(const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = x[i];
  v.w += 1;
  y[i] = v;
}
__global__ void in_place(float4* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = x[i];
  v.x += 1, v.w += 2;
  x[i] = v;
}
__global__ void to_grey(const uchar4* x, unsigned char* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 v = x[i];
  y[i] = (v.x * 77 + v.y * 151 + v.z * 28) >> 8;
}
__global__ void two_of_four(const float4* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = x[i];
  y[i] = v.x * v.z;
}
__global__ void unaligned_pair(const complex_number* x, complex_number* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  complex_number v = x[i];
  v.re += 1;
  y[i] = v;
}
__global__ void middle_of_five(const five_floats* x, five_floats* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  five_floats v = x[i];
  v.c += 1;
  y[i] = v;
}
__global__ void last_of_five(const five_floats* x, five_floats* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  five_floats v = x[i];
  v.e += 1;
  y[i] = v;
}
__global__ void product_of_neighbours(const float2* x, float2* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 a = x[2 * i];
  const float2 b = x[2 * i + 1];
  y[i] = make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__global__ void in_shared(const float4* x, float4* y) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  float4 v = tile[255 - threadIdx.x];
  v.y += 1;
  y[i] = v;
}
// A loop by which lanes go differently often: told thread by thread.
__global__ void changed_in_turns(const uchar4* x, uchar4* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k <= static_cast<int>(threadIdx.x % 4); ++k) {
    uchar4 v = x[i];
    v.z += k;
    y[i] = v;
  }
}

int main() {
  const int n = 16384;
  float *x = filled<float>(5 * n), *y = zeroed<float>(5 * n);
  const auto run = [&](auto kernel, auto* of) {
    using T = std::remove_pointer_t<decltype(of)>;
    RUN(kernel, 64, 256, reinterpret_cast<const T*>(x), reinterpret_cast<T*>(y));
  };
  run(first_changed<float4>, static_cast<float4*>(nullptr));
  run(second_changed<float4>, static_cast<float4*>(nullptr));
  run(last_changed<float4>, static_cast<float4*>(nullptr));
  run(first_changed<float3>, static_cast<float3*>(nullptr));
  run(first_changed<uchar4>, static_cast<uchar4*>(nullptr));
  run(last_changed<short4>, static_cast<short4*>(nullptr));
  run(second_changed<short2>, static_cast<short2*>(nullptr));
  RUN(in_place, 64, 256, reinterpret_cast<float4*>(y));
  RUN(to_grey, 64, 256, reinterpret_cast<const uchar4*>(x), reinterpret_cast<unsigned char*>(y));
  RUN(two_of_four, 64, 256, reinterpret_cast<const float4*>(x), y);
  run(unaligned_pair, static_cast<complex_number*>(nullptr));
  run(middle_of_five, static_cast<five_floats*>(nullptr));
  run(last_of_five, static_cast<five_floats*>(nullptr));
  run(product_of_neighbours, static_cast<float2*>(nullptr));
  run(in_shared, static_cast<float4*>(nullptr));
  run(changed_in_turns, static_cast<uchar4*>(nullptr));
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  return 0;
}
