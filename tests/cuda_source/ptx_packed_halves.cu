// SPDX-License-Identifier: Apache-2.0
// Pairs of halves in inline PTX, as kernels of inference libraries write them: arithmetic on both, updates of both, and
// the wait of a kernel that depends on the one before it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
__device__ unsigned pair(float low, float high) {
  unsigned r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}
__device__ unsigned short single(float v) {
  unsigned short r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(v));
  return r;
}
__global__ void arithmetic(float2* out) {
  const unsigned a = pair(1.5f, -2.0f), b = pair(0.25f, 3.0f), c = pair(10.0f, -0.5f);
  unsigned r[8];
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("add.f16x2 %0, %1, %2;\n" : "=r"(r[0]) : "r"(a), "r"(b));
  asm volatile("sub.f16x2 %0, %1, %2;\n" : "=r"(r[1]) : "r"(a), "r"(b));
  asm volatile("mul.f16x2 %0, %1, %2;\n" : "=r"(r[2]) : "r"(a), "r"(b));
  asm volatile("fma.rn.f16x2 %0, %1, %2, %3;\n" : "=r"(r[3]) : "r"(a), "r"(b), "r"(c));
  asm("max.f16x2 %0, %1, %2;" : "=r"(r[4]) : "r"(a), "r"(b));
  asm("neg.f16x2 %0, %1;" : "=r"(r[5]) : "r"(a));
  asm("abs.f16x2 %0, %1;" : "=r"(r[6]) : "r"(c));
  asm("{ .reg .f16 low; mov.b16 low, %1; mov.b32 %0, {low, low}; }" : "=r"(r[7]) : "h"(single(7.0f)));
  for (int i = 0; i < 8; ++i) out[i] = __half22float2(*reinterpret_cast<__half2*>(&r[i]));
  __nv_bfloat162 x = __floats2bfloat162_rn(1.5f, -2.0f), y;
  asm("fma.rn.bf16x2 %0, %1, %1, %1;" : "=r"(*reinterpret_cast<unsigned*>(&y)) : "r"(*reinterpret_cast<unsigned*>(&x)));
  out[8] = __bfloat1622float2(y);
  asm volatile("griddepcontrol.launch_dependents;");
}
__global__ void update(unsigned* sum) {
  const unsigned one_and_two = pair(1.0f, 2.0f);
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" : : "l"(sum), "r"(one_and_two) : "memory");
}
int main() {
  float2 *out, host[9];
  unsigned *sum, host_sum;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  arithmetic<<<1, 1>>>(out);
  update<<<2, 64>>>(sum);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&host_sum, sum, sizeof host_sum, cudaMemcpyDeviceToHost);
  const char* names[] = {"add", "sub", "mul", "fma", "max", "neg", "abs", "pack", "bf16"};
  for (int i = 0; i < 9; ++i) printf("%s %g %g\n", names[i], host[i].x, host[i].y);
  printf("sum %04x %04x\n", host_sum & 0xffff, host_sum >> 16);
  cudaFree(out);
  cudaFree(sum);
}
