// SPDX-License-Identifier: Apache-2.0
// Integer and floating-point intrinsics, half and bfloat16, vector types, clocks, device printf and assert.
#include <cassert>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math_constants.h>

#include <cstdio>

__global__ void integers(unsigned long long* out) {
  out[0] = __popc(0xf0f0u) + __popcll(0xffffffffffull);
  out[1] = __clz(1) * 100 + __clzll(1ll);
  out[2] = __ffs(64) * 100 + __ffsll(1ll << 40);
  out[3] = __brev(1u);
  out[4] = __byte_perm(0x33221100u, 0x77665544u, 0x7410u);
  out[5] = __umulhi(0x80000000u, 6u) * 1000 + __mul24(1000, 1000) % 1000;
  out[6] = (unsigned int)__dp4a(0x01020304, 0x05060708, 10);
  out[7] = __funnelshift_l(0x80000001u, 0x12345678u, 4);
  out[8] = __sad(3, -4, 10u) + min(7, 3) + max(2u, 9u);
  out[9] = __umul64hi(1ull << 63, 6ull);
}

__global__ void floats(float* out, double* wide) {
  out[0] = __fmaf_rn(1.5f, 2.0f, 0.25f);
  out[1] = __fadd_rz(1.0f, 1e-8f);
  out[2] = __fadd_ru(1.0f, 1e-8f);
  out[3] = __frcp_rn(8.0f) + __fsqrt_rn(2.25f);
  out[4] = rsqrtf(4.0f) + fdividef(1.0f, 4.0f) + __saturatef(3.0f);
  out[5] = __int_as_float(0x40490fdb) - CUDART_PI_F;
  out[6] = (float)__float2int_rn(2.5f) + __float2int_rd(-2.5f) * 10 + __float2int_ru(2.1f) * 100;
  out[7] = fmaxf(CUDART_NAN_F, 3.0f) + fminf(1.0f, 2.0f);
  float4 v = make_float4(1, 2, 3, 4);
  float2 w = {v.y, v.w};
  out[8] = w.x * v.x + w.y * v.z;
  wide[0] = __fma_rn(0.1, 10.0, -1.0);
  wide[1] = __hiloint2double(0x3ff80000, 0);
}

__global__ void halves(float* out, __half* h, __nv_bfloat16* b) {
  int i = threadIdx.x;
  __half x = __float2half(i * 0.3f);
  h[i] = __hadd(__hmul(x, __float2half(2.0f)), __float2half(0.5f));
  __half2 pair = __floats2half2_rn(i + 0.5f, i - 0.5f);
  pair = __hfma2(pair, pair, __float2half2_rn(1.0f));
  b[i] = __float2bfloat16(i * 0.3f);
  out[2 * i] = __half2float(h[i]) + __low2float(pair);
  out[2 * i + 1] = __bfloat162float(b[i]) + __high2float(pair);
}

__global__ void messages(int n) {
  assert(n == 3);
  if (threadIdx.x < n) printf("thread %d of block %d: %s %.2f\n", threadIdx.x, blockIdx.x, "hello", threadIdx.x * 0.5);
}

__global__ void ticking(int* ok) {
  long long start = clock64();
  __nanosleep(100);
  long long stop = clock64();
  *ok = stop >= start;
}

int main() {
  unsigned long long hi[10], *di;
  cudaMalloc(&di, sizeof hi);
  integers<<<1, 1>>>(di);
  cudaMemcpy(hi, di, sizeof hi, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 10; i++) printf("%llx ", hi[i]);
  float hf[9], *df;
  double hd[2], *dd;
  cudaMalloc(&df, 16 * sizeof(float));
  cudaMalloc(&dd, sizeof hd);
  floats<<<1, 1>>>(df, dd);
  cudaMemcpy(hf, df, sizeof hf, cudaMemcpyDeviceToHost);
  cudaMemcpy(hd, dd, sizeof hd, cudaMemcpyDeviceToHost);
  printf("\n");
  for (int i = 0; i < 9; i++) printf("%.9g ", hf[i]);
  printf("%.6g %.3g\n", hd[0], hd[1]);
  __half* dh;
  __nv_bfloat16* db;
  cudaMalloc(&dh, 8 * sizeof(__half));
  cudaMalloc(&db, 8 * sizeof(__nv_bfloat16));
  halves<<<1, 8>>>(df, dh, db);
  cudaMemcpy(hf, df, 8 * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++) printf("%.6g ", hf[i]);
  printf("\n");
  messages<<<1, 4>>>(3);
  cudaDeviceSynchronize();
  int ok, *d_ok;
  cudaMalloc(&d_ok, sizeof(int));
  ticking<<<1, 1>>>(d_ok);
  cudaMemcpy(&ok, d_ok, sizeof ok, cudaMemcpyDeviceToHost);
  printf("clock %s, half on the host %.3f\n", ok ? "runs" : "stands", __half2float(__float2half(1.0f / 3.0f)));
  cudaFree(di), cudaFree(df), cudaFree(dd), cudaFree(dh), cudaFree(db), cudaFree(d_ok);
  return 0;
}
