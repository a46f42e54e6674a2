// SPDX-License-Identifier: Apache-2.0
// Floats of 8, 6 and 4 bits: conversions with and without saturation, classes, pairs and fours, in kernels and on the
// host.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cstdio>

__global__ void through(const float *x, float *e4m3, float *e5m2, unsigned *codes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_fp8_e4m3 a(x[i]);
  __nv_fp8_e5m2 b(x[i]);
  e4m3[i] = float(a);
  e5m2[i] = float(b);
  codes[i] = a.__x | b.__x << 8 | __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E4M3) << 16 |
             __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E5M2) << 24;
}
__global__ void quads(const float4 *in, __nv_fp8x4_e4m3 *packed, float4 *out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  packed[i] = __nv_fp8x4_e4m3(in[i]);
  out[i] = float4(packed[i]);
}

int main() {
  const float values[] = {0, -0.0f, 1, 1.0625f, 1.1875f, 447, 448, 464, 465, 1e6f, 57344, 61440, 0.001953125f, 0.0009f,
                          -3.3f, 1e-9f};
  const int n = sizeof values / sizeof values[0];
  float *x, *e4m3, *e5m2;
  unsigned *codes;
  cudaMallocManaged(&x, sizeof values);
  cudaMallocManaged(&e4m3, sizeof values);
  cudaMallocManaged(&e5m2, sizeof values);
  cudaMallocManaged(&codes, n * sizeof(unsigned));
  for (int i = 0; i < n; ++i) x[i] = values[i];
  through<<<1, 32>>>(x, e4m3, e5m2, codes, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) printf("%g: %g %g %08x\n", x[i], e4m3[i], e5m2[i], codes[i]);
  float4 *in, *out;
  __nv_fp8x4_e4m3 *packed;
  cudaMallocManaged(&in, 2 * sizeof(float4));
  cudaMallocManaged(&out, 2 * sizeof(float4));
  cudaMallocManaged(&packed, 2 * sizeof(__nv_fp8x4_e4m3));
  in[0] = make_float4(1, 2.2f, -3, 1000);
  in[1] = make_float4(0.1f, -0.2f, 17, 19);
  quads<<<1, 32>>>(in, packed, out, 2);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i)
    printf("%08x: %g %g %g %g\n", packed[i].__x, out[i].x, out[i].y, out[i].z, out[i].w);
  __half h(__nv_cvt_fp8_to_halfraw(0x7b, __NV_E5M2));
  __half2 pair(__nv_cvt_fp8x2_to_halfraw2(0x3840, __NV_E4M3));
  printf("half %g, pair %g %g\n", __half2float(h), __low2float(pair), __high2float(pair));
  const float2 unpacked = __internal_halfraw2_to_float2(__nv_cvt_fp8x2_to_halfraw2(0x3840, __NV_E4M3));
  printf("unpacked %g, %g %g\n", __internal_halfraw_to_float(__nv_cvt_fp8_to_halfraw(0x7b, __NV_E5M2)), unpacked.x, unpacked.y);
  printf("fp6 %g %g %02x\n", float(__nv_fp6_e2m3(3.3f)), float(__nv_fp6_e3m2(100.0f)),
         __nv_cvt_float_to_fp6(-0.3f, __NV_E3M2, cudaRoundNearest));
  __nv_fp4x2_e2m1 four(make_float2(2.6f, -7));
  float2 back = make_float2(__half2float(__half(__nv_cvt_fp4_to_halfraw(four.__x & 15, __NV_E2M1))),
                            __half2float(__half(__nv_cvt_fp4_to_halfraw(four.__x >> 4, __NV_E2M1))));
  printf("fp4 %02x: %g %g; scale %g %d\n", four.__x, back.x, back.y, float(__nv_fp8_e8m0(5.0f)),
         __nv_cvt_float_to_e8m0(5.0f, __NV_SATFINITE, cudaRoundZero));
  static_assert(sizeof(__nv_fp8_e4m3) == 1 && sizeof(__nv_fp8x4_e5m2) == 4 && sizeof(__nv_fp4x4_e2m1) == 2);
  for (void *p : {(void *)x, (void *)e4m3, (void *)e5m2, (void *)codes, (void *)in, (void *)out, (void *)packed})
    cudaFree(p);
}
