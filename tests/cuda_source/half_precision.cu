// SPDX-License-Identifier: Apache-2.0
// Half precision: conversions, half2 arithmetic, a dot product, bfloat16.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
#include <vector>
__forceinline__ __device__ void reduceInShared_native(half2 *const v) {
  if (threadIdx.x < 64) v[threadIdx.x] = __hadd2(v[threadIdx.x], v[threadIdx.x + 64]);
  __syncthreads();
  for (int i = 32; i > 0; i /= 2) {
    if (threadIdx.x < 32 && threadIdx.x < i) v[threadIdx.x] = v[threadIdx.x] + v[threadIdx.x + i];
    __syncthreads();
  }
}
__global__ void scalarProductKernel_native(half2 const *const a, half2 const *const b, float *const results, size_t const size) {
  const int stride = gridDim.x * blockDim.x;
  __shared__ half2 shArray[128];
  half2 value = __float2half2_rn(0.f);
  shArray[threadIdx.x] = value;
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < size; i += stride) value = __hfma2(a[i], b[i], value);
  shArray[threadIdx.x] = value;
  __syncthreads();
  reduceInShared_native(shArray);
  if (threadIdx.x == 0) {
    half2 result = shArray[0];
    results[blockIdx.x] = (float)(__low2float(result) + __high2float(result));
  }
}
__global__ void saxpy_half(__half a, const __half *x, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hadd(__hmul(a, x[i]), y[i]);
}
__global__ void to_bf16(const float *in, __nv_bfloat16 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2bfloat16(in[i]);
}
int main() {
  const int n = 1024;
  std::vector<half2> a(n), b(n);
  float want = 0;
  for (int i = 0; i < n; ++i) {
    a[i].x = __float2half(i % 4), a[i].y = __float2half(1.0f);
    b[i].x = __float2half(1.0f), b[i].y = __float2half(i % 2);
    want += i % 4 + i % 2;
  }
  half2 *da, *db;
  float *dr, r[2];
  cudaMalloc(&da, n * sizeof(half2)); cudaMalloc(&db, n * sizeof(half2)); cudaMalloc(&dr, 2 * sizeof(float));
  cudaMemcpy(da, a.data(), n * sizeof(half2), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * sizeof(half2), cudaMemcpyHostToDevice);
  scalarProductKernel_native<<<2, 128>>>(da, db, dr, n);
  cudaMemcpy(r, dr, sizeof r, cudaMemcpyDeviceToHost);
  printf("dot %g (%g)\n", r[0] + r[1], want);
  std::vector<__half> x(100), y(100);
  for (int i = 0; i < 100; ++i) x[i] = __float2half(i * 0.5f), y[i] = __int2half_rn(i);
  __half *dx, *dy;
  cudaMalloc(&dx, 200); cudaMalloc(&dy, 200);
  cudaMemcpy(dx, x.data(), 200, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), 200, cudaMemcpyHostToDevice);
  saxpy_half<<<1, 128>>>(__float2half(2.0f), dx, dy, 100);
  cudaMemcpy(y.data(), dy, 200, cudaMemcpyDeviceToHost);
  float s = 0;
  for (auto v : y) s += __half2float(v);
  printf("saxpy %g\n", s);
  float f[4] = {1.0f, 3.14159f, -2.71828f, 65536.f}, *df;
  __nv_bfloat16 h[4], *dh;
  cudaMalloc(&df, sizeof f); cudaMalloc(&dh, sizeof h);
  cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
  to_bf16<<<1, 32>>>(df, dh, 4);
  cudaMemcpy(h, dh, sizeof h, cudaMemcpyDeviceToHost);
  for (auto v : h) printf("%g ", __bfloat162float(v));
  printf("\n");
  cudaFree(da); cudaFree(db); cudaFree(dr); cudaFree(dx); cudaFree(dy); cudaFree(df); cudaFree(dh);
}
