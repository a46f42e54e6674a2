// SPDX-License-Identifier: Apache-2.0
// Functions that a program may take for granted: SIMD in a word, conversions with directions, comparisons and roundings of
// halves, complex numbers, inverse error functions; host bodies that differ from the device's, several on one line.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#define BOTH __host__ __device__
struct pair {
  float a, b;
  BOTH pair operator+(const pair &o) const { return {a + o.a, b + o.b}; } BOTH pair operator*(float k) const { return {a * k, b * k}; } BOTH float &operator[](int i) {
#ifdef __CUDA_ARCH__
    return i ? b : a;
#else
    return *(&a + (i >> 0));
#endif
  }
};
__global__ void words(const unsigned *in, unsigned *out) {
  const unsigned x = in[2 * threadIdx.x], y = in[2 * threadIdx.x + 1];
  unsigned *o = out + threadIdx.x * 24;
  int k = 0;
  o[k++] = __vadd2(x, y), o[k++] = __vaddss4(x, y), o[k++] = __vaddus2(x, y), o[k++] = __vsub2(x, y), o[k++] = __vsubss2(x, y), o[k++] = __vsubus4(x, y);
  o[k++] = __vabs4(x), o[k++] = __vabsss2(x), o[k++] = __vneg4(x), o[k++] = __vavgu4(x, y), o[k++] = __vavgs2(x, y), o[k++] = __vhaddu4(x, y);
  o[k++] = __vcmpgts4(x, y), o[k++] = __vcmpleu2(x, y), o[k++] = __vsetne4(x, y), o[k++] = __vmaxs2(x, y), o[k++] = __vmins4(x, y), o[k++] = __vabsdiffs4(x, y);
  o[k++] = __vsadu4(x, y), o[k++] = __vsads2(x, y), o[k++] = __viaddmax_s32(static_cast<int>(x), 5, static_cast<int>(y)), o[k++] = __vimin3_u32(x, y, 77);
  o[k++] = __fns(x, 0, 3), o[k++] = __float_as_uint(__int2float_rz(static_cast<int>(x | 1)));
}
__global__ void halves(unsigned short *out) {
  int k = 0;
  const auto put = [&](__half h) { out[k++] = __half_as_ushort(h); };
  const auto put_b = [&](__nv_bfloat16 h) { out[k++] = __bfloat16_as_ushort(h); };
  put(__float2half_rz(1.0009f)), put(__float2half_ru(1.0001f)), put(__float2half_rd(-1.0001f)), put(__int2half_rz(4099)), put(__short2half_rn(-7));
  put(__hadd_sat(__float2half(0.75f), __float2half(0.5f))), put(__hfma_relu(__float2half(-2.f), __float2half(3.f), __float2half(1.f)));
  const __half2 p = __floats2half2_rn(1.5f, -2.f), q = __floats2half2_rn(1.5f, 3.f);
  put(__low2half(__heq2(p, q))), put(__high2half(__hlt2(p, q))), put(__high2half(__habs2(p))), put(__hbeq2(p, q) ? __float2half(1.f) : __float2half(0.f));
  put(__low2half(__lowhigh2highlow(p))), put(__low2half(__highs2half2(p, q))), put(hrint(__float2half(2.5f))), put(htrunc(__float2half(-2.75f))), put(__low2half(h2sqrt(q)));
  out[k++] = static_cast<unsigned short>(__half2short_rz(__float2half(-3.75f))), out[k++] = static_cast<unsigned short>(__half2uint_ru(__float2half(3.25f)));
  put_b(__float2bfloat16_rz(1.01f)), put_b(__float2bfloat16_ru(1.0001f)), put_b(__int2bfloat16_rn(300)), put_b(__hmax_nan(__float2bfloat16(1.f), __float2bfloat16(2.f)));
  __half2 sum = p;
  sum += q;
  put(__low2half(sum)), put(__low2half(-sum));
}
__global__ void numbers(float *out) {
  cuDoubleComplex a = make_cuDoubleComplex(3, 4), b = make_cuDoubleComplex(1, -2), c = cuCdiv(cuCmul(a, b), cuConj(b));
  out[0] = static_cast<float>(cuCreal(c)), out[1] = static_cast<float>(cuCimag(c)), out[2] = static_cast<float>(cuCabs(a));
  out[3] = erfinvf(0.5f), out[4] = normcdfinvf(0.975f), out[5] = static_cast<float>(erfcinv(1e-5)), out[6] = norm4df(1, 2, 2, 4);
  pair p = pair{1, 2} + pair{3, 4} * 2;
  p[1] += 0.5f;
  out[7] = p.a, out[8] = p.b;
}
int main() {
  const unsigned in[6] = {0x80017fffu, 0x7f02ff81u, 0xffff0000u, 0x0001ffffu, 0x12345678u, 0x9abcdef0u};
  unsigned *source, *out, h[72];
  cudaMalloc(&source, sizeof in);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(source, in, sizeof in, cudaMemcpyHostToDevice);
  words<<<1, 3>>>(source, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 72; ++i) printf("%08x%c", h[i], i % 8 == 7 ? '\n' : ' ');
  unsigned short *bits, s[24];
  cudaMalloc(&bits, sizeof s);
  halves<<<1, 1>>>(bits);
  cudaMemcpy(s, bits, sizeof s, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24; ++i) printf("%04x%c", s[i], i % 12 == 11 ? '\n' : ' ');
  float *f, g[9];
  cudaMalloc(&f, sizeof g);
  numbers<<<1, 1>>>(f);
  cudaMemcpy(g, f, sizeof g, cudaMemcpyDeviceToHost);
  for (float x : g) printf("%.4f ", x);
  pair p = pair{1, 2} + pair{3, 4} * 2;
  p[1] += 0.5f;
  printf("\n%g %g\n", p.a, p.b);
  cudaFree(source); cudaFree(out); cudaFree(bits); cudaFree(f);
}
