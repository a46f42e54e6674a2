// SPDX-License-Identifier: Apache-2.0
// Vector types at addresses that are no multiples of their size, in every way that the compiler may take apart.
// options: --check memory --workers 1
// code: 3
// says: vectors_between.cu:14
// says: vectors_between.cu:15
// says: vectors_between.cu:16
// says: vectors_between.cu:19
// says: vectors_between.cu:20
// says: 5 errors
#include <cstdio>
#include <cuda_runtime.h>
__global__ void sum(const float* a, float* out) {
  const float4 four = *(const float4*)(a + 1);
  const float2 two = __ldg((const float2*)(a + 3));
  const int4 whole = *reinterpret_cast<const int4*>(a + 6);
  out[threadIdx.x] = four.x + four.w + two.y + whole.z;
  __shared__ alignas(16) float tile[64];
  reinterpret_cast<float2*>(tile + 1)[threadIdx.x] = make_float2(1, 2);
  __stcs((float2*)(out + 41), make_float2(1, 2));
  __syncthreads();
  out[2] += tile[threadIdx.x * 2 + 1] + reinterpret_cast<const float4*>(a + 1)->y;  // one number: fits
}
int main() {
  float *a, *out;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(a, 0, 64 * sizeof(float));
  sum<<<1, 1>>>(a, out);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(out);
}
