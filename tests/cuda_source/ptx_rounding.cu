// SPDX-License-Identifier: Apache-2.0
// Directions of rounding in inline PTX: each instruction beside the function of CUDA that names the same direction.
#include <cstdio>

#define TWO_WAYS(instruction, type, letter, function, ...)                                  \
  {                                                                                         \
    type there;                                                                             \
    asm(instruction : "=" letter(there) : __VA_ARGS__);                                     \
    const type here = function;                                                             \
    same[count++] = __float_as_int(static_cast<float>(there - here)) == 0 && there == here; \
  }

__global__ void directions(float a, float b, float c, double d, double e, int n, unsigned long long wide, int* same) {
  int count = 0;
  TWO_WAYS("cvt.rz.f32.f64 %0, %1;", float, "f", __double2float_rz(d), "d"(d))
  TWO_WAYS("cvt.rm.f32.f64 %0, %1;", float, "f", __double2float_rd(d), "d"(d))
  TWO_WAYS("cvt.rp.f32.f64 %0, %1;", float, "f", __double2float_ru(d), "d"(d))
  TWO_WAYS("cvt.rp.f32.s32 %0, %1;", float, "f", __int2float_ru(n), "r"(n))
  TWO_WAYS("cvt.rz.f32.s32 %0, %1;", float, "f", __int2float_rz(n), "r"(n))
  TWO_WAYS("cvt.rm.f64.u64 %0, %1;", double, "d", __ull2double_rd(wide), "l"(wide))
  TWO_WAYS("add.rp.f32 %0, %1, %2;", float, "f", __fadd_ru(a, b), "f"(a), "f"(b))
  TWO_WAYS("sub.rz.f32 %0, %1, %2;", float, "f", __fsub_rz(a, b), "f"(a), "f"(b))
  TWO_WAYS("mul.rm.f32 %0, %1, %2;", float, "f", __fmul_rd(a, b), "f"(a), "f"(b))
  TWO_WAYS("mul.rp.f32 %0, %1, %2;", float, "f", __fmul_ru(a, b), "f"(a), "f"(b))
  TWO_WAYS("fma.rz.f32 %0, %1, %2, %3;", float, "f", __fmaf_rz(a, b, c), "f"(a), "f"(b), "f"(c))
  TWO_WAYS("div.rz.f32 %0, %1, %2;", float, "f", __fdiv_rz(a, c), "f"(a), "f"(c))
  TWO_WAYS("rcp.rp.f32 %0, %1;", float, "f", __frcp_ru(c), "f"(c))
  TWO_WAYS("sqrt.rm.f32 %0, %1;", float, "f", __fsqrt_rd(c), "f"(c))
  TWO_WAYS("add.rz.f64 %0, %1, %2;", double, "d", __dadd_rz(d, e), "d"(d), "d"(e))
  TWO_WAYS("fma.rp.f64 %0, %1, %2, %1;", double, "d", __fma_ru(d, e, d), "d"(d), "d"(e))
  TWO_WAYS("mul.rn.f32 %0, %1, %2;", float, "f", __fmul_rn(a, b), "f"(a), "f"(b))
  while (count < 20) same[count++] = -1;
}

int main() {
  int* same;
  int host[20];
  cudaMalloc(&same, sizeof host);
  directions<<<1, 1>>>(1.1f, 1e-9f, 3.0f, 0.1, 1e-18, 16777217, 0x8000000000000401ull, same);
  cudaMemcpy(host, same, sizeof host, cudaMemcpyDeviceToHost);
  printf("same:");
  for (int i = 0; host[i] >= 0; ++i) printf(" %d", host[i]);
  printf("\n");
  cudaFree(same);
}
