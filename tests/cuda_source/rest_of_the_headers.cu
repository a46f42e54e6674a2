// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA's headers that few programs call.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ int table[4] = {1, 2, 3, 4};

__global__ void bits(long long* p) {
  const long long bit = 1ll << (threadIdx.x + 20);
  atomicOr(&p[0], bit);
  atomicAnd(&p[1], ~bit);
  atomicXor(&p[2], bit);
  atomicOr_block(&p[3], bit);
  atomicAnd_system(&p[4], ~bit);
  atomicXor_block(&p[5], bit);
}
__global__ void sums(float2* a, float4* b) {
  atomicAdd(&a[0], make_float2(1, 2));
  atomicAdd_block(&a[1], make_float2(1, 2));
  atomicAdd_system(&a[2], make_float2(1, 2));
  atomicAdd(&b[0], make_float4(1, 2, 3, 4));
  atomicAdd_block(&b[1], make_float4(1, 2, 3, 4));
}
__global__ void spaces(int* p) {
  __shared__ int mine;
  int own = 0;
  if (threadIdx.x == 0) {
    mine = 7;
    p[0] = (__isShared(&mine) != 0) + 10 * (__isShared(p) != 0);
    p[1] = (__isConstant(&table[1]) != 0) + 10 * (__isConstant(p) != 0);
    p[2] = (__isGlobal(p) != 0) + 10 * (__isLocal(&own) != 0);
    p[3] = *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(&mine)));
    p[4] = *static_cast<int*>(__cvta_global_to_generic(__cvta_generic_to_global(p + 3)));
    float s, c;
    sincos(0.5f, &s, &c);
    p[5] = static_cast<int>(s * 1000) * 1000 + static_cast<int>(c * 1000);
    sincospi(0.25f, &s, &c);
    p[6] = static_cast<int>(s * 1000) * 1000 + static_cast<int>(c * 1000);
  }
}

int main() {
  long long* b;
  cudaMallocManaged(&b, 6 * sizeof *b);
  for (int i = 0; i < 6; ++i) b[i] = i == 1 || i == 4 ? -1 : 5;
  bits<<<1, 32>>>(b);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) std::printf("%lld%c", b[i], i < 5 ? ' ' : '\n');
  float2* two;
  float4* four;
  cudaMallocManaged(&two, 3 * sizeof *two);
  cudaMallocManaged(&four, 2 * sizeof *four);
  cudaMemset(two, 0, 3 * sizeof *two);
  cudaMemset(four, 0, 2 * sizeof *four);
  sums<<<1, 64>>>(two, four);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i) std::printf("%g %g\n", two[i].x, two[i].y);
  for (int i = 0; i < 2; ++i) std::printf("%g %g %g %g\n", four[i].x, four[i].y, four[i].z, four[i].w);
  int* p;
  cudaMallocManaged(&p, 7 * sizeof *p);
  spaces<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  for (int i = 0; i < 7; ++i) std::printf("%d%c", p[i], i < 6 ? ' ' : '\n');

  std::size_t width = 0;
  const cudaChannelFormatDesc d = cudaCreateChannelDesc<float4>();
  std::printf("%s", cudaGetErrorName(cudaDeviceGetTexture1DLinearMaxWidth(&width, &d, 0)));
  std::printf(" %zu\n", width);
  const cudaChannelFormatDesc h = cudaCreateChannelDescHalf2();
  std::printf("%d %d %d\n", h.x, h.y, h.z);
  cudaFree(b);
  cudaFree(two);
  cudaFree(four);
  cudaFree(p);
}
