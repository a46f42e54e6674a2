// SPDX-License-Identifier: Apache-2.0
// Inline PTX of packed halves, comparisons with two results and with NaN, saturating sums, bit fields and hints to caches.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>

__device__ unsigned bits(__half2 h) { return *reinterpret_cast<unsigned*>(&h); }

__global__ void halves(const float* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned a, b, r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(a) : "f"(in[2 * i + 1]), "f"(in[2 * i]));
  b = bits(__floats2half2_rn(2.0f, -0.5f));
  unsigned* o = out + 10 * i;
  asm("add.f16x2 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("mul.f16x2 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(o[3]) : "r"(a), "r"(b), "r"(a));
  asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(b), "r"(a));
  asm("max.f16x2 %0, %1, %2;" : "=r"(o[5]) : "r"(a), "r"(b));
  asm("neg.f16x2 %0, %1;" : "=r"(o[6]) : "r"(a));
  asm("{.reg .pred p, q;\n\tsetp.lt.f16x2 p|q, %1, %2;\n\tselp.u32 %0, 1, 0, p;\n\t@q add.u32 %0, %0, 2;}" : "=r"(o[7]) : "r"(a), "r"(b));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(in[2 * i + 1]), "f"(in[2 * i]));
  asm("fma.rn.bf16x2 %0, %1, %1, %1;" : "=r"(o[8]) : "r"(r));
  asm("set.gt.u32.f16 %0, %1, %2;" : "=r"(o[9]) : "h"(static_cast<unsigned short>(a)), "h"(static_cast<unsigned short>(b)));
}

__device__ unsigned compared(float a, float b) {
  unsigned r = 0;
  asm("{.reg .pred p<8>;\n\t"
      "setp.ne.f32 p0, %1, %2;\n\tsetp.neu.f32 p1, %1, %2;\n\tsetp.lt.f32 p2, %1, %2;\n\tsetp.ltu.f32 p3, %1, %2;\n\t"
      "setp.num.f32 p4, %1, %2;\n\tsetp.nan.f32 p5, %1, %2;\n\tsetp.ge.and.f32 p6|p7, %1, %2, p4;\n\t"
      "@p0 or.b32 %0, %0, 1;\n\t@p1 or.b32 %0, %0, 2;\n\t@p2 or.b32 %0, %0, 4;\n\t@p3 or.b32 %0, %0, 8;\n\t"
      "@p4 or.b32 %0, %0, 16;\n\t@p5 or.b32 %0, %0, 32;\n\t@p6 or.b32 %0, %0, 64;\n\t@p7 or.b32 %0, %0, 128;}"
      : "+r"(r)
      : "f"(a), "f"(b));
  return r;
}

__global__ void others(unsigned* out, int* signed_out, float* sums, unsigned* packed_sum) {
  __shared__ int here;
  const float nan = __int_as_float(0x7fffffff);
  out[0] = compared(1, 2), out[1] = compared(2, 1), out[2] = compared(1, 1), out[3] = compared(nan, 1);
  asm("add.sat.s32 %0, %1, %2;" : "=r"(signed_out[0]) : "r"(2000000000), "r"(2000000000));
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(signed_out[1]) : "r"(-2000000000), "r"(2000000000));
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(signed_out[2]) : "r"(-3), "r"(70000));
  asm("mul24.hi.u32 %0, %1, %2;" : "=r"(out[4]) : "r"(0xffffffu), "r"(0xffffffu));
  asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(out[5]) : "r"(0x1000003u), "r"(5u), "r"(7u));
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(signed_out[3]) : "r"(0xfffe0003u), "r"(0x7f80ff02u), "r"(100));
  asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(out[6]) : "r"(0xfffe0003u), "r"(0x7f80ff02u), "r"(100));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(out[7]) : "r"(4u), "r"(9u));
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(signed_out[4]) : "r"(0x1fu), "r"(5u));
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(out[8]) : "r"(0xb4u), "r"(3u), "r"(2));
  asm("slct.s32.f32 %0, %1, %2, %3;" : "=r"(signed_out[5]) : "r"(1), "r"(2), "f"(-0.5f));
  asm("cnot.b32 %0, %1;" : "=r"(out[9]) : "r"(0u));
  asm("{.reg .pred p;\n\ttestp.infinite.f32 p, %1;\n\tselp.u32 %0, 1, 0, p;}" : "=r"(out[10]) : "f"(1e30f * 1e30f));
  asm("{.reg .pred p;\n\tisspacep.shared p, %1;\n\tselp.u32 %0, 1, 0, p;}" : "=r"(out[11]) : "l"(&here));
  asm("{.reg .pred p;\n\tisspacep.global p, %1;\n\tselp.u32 %0, 1, 0, p;}" : "=r"(out[12]) : "l"(sums));
  asm("add.u32 %0, %1, WARP_SZ;" : "=r"(out[13]) : "r"(1u));
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  float loaded;
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(loaded) : "l"(sums), "l"(policy) : "memory");
  asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(sums), "f"(loaded + 1), "l"(policy) : "memory");
  asm volatile("prefetchu.L1 [%0];" ::"l"(sums));
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(packed_sum), "r"(bits(__floats2half2_rn(1.5f, -2.0f))) : "memory");
}

int main() {
  const float values[8] = {0.25f, -3.0f, 2.0f, -0.5f, 100.125f, 0.1f, -7.5f, 65000.0f};
  float *in, *sums;
  unsigned *out, *packed_sum;
  int* signed_out;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, 64 * sizeof(unsigned));
  cudaMalloc(&signed_out, 6 * sizeof(int));
  cudaMalloc(&sums, sizeof(float));
  cudaMalloc(&packed_sum, sizeof(unsigned));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, sizeof(float));
  cudaMemset(packed_sum, 0, sizeof(unsigned));
  unsigned h[64], packed;
  int s[6];
  float sum;
  halves<<<1, 4>>>(in, out);
  cudaMemcpy(h, out, 40 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 40; ++i) printf("%08x%c", h[i], i % 10 == 9 ? '\n' : ' ');
  others<<<1, 1>>>(out, signed_out, sums, packed_sum);
  cudaMemcpy(h, out, 14 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaMemcpy(s, signed_out, sizeof s, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemcpy(&packed, packed_sum, sizeof packed, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 14; ++i) printf("%x ", h[i]);
  printf("\n");
  for (int i = 0; i < 6; ++i) printf("%d ", s[i]);
  printf("\n%g %08x\n", sum, packed);
  cudaFree(in), cudaFree(out), cudaFree(signed_out), cudaFree(sums), cudaFree(packed_sum);
}
