// SPDX-License-Identifier: Apache-2.0
// Video instructions by inline PTX: signs, parts of registers, saturation, second operations, halves and bytes.
// An H200 (CUDA 13.0, any level of optimisation) gives the same, but for one number: into `%0.h1` of vadd and vsub it puts
// bits 31 to 16 of the result, where PTX ISA's optMerge, and the simulator, put bits 15 to 0 (13124 instead of 45888324).
#include <cstdio>

#define SCALAR(slot, text, x, y, z)                                                        \
  do {                                                                                     \
    unsigned d = 0;                                                                        \
    asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(z));                       \
    out[slot] = d;                                                                         \
  } while (0)
#define PLAIN(slot, text, x, y)                                                            \
  do {                                                                                     \
    unsigned d = 0;                                                                        \
    asm(text " %0, %1, %2;" : "=r"(d) : "r"(x), "r"(y));                                   \
    out[slot] = d;                                                                         \
  } while (0)

__global__ void scalars(unsigned* out, unsigned a, unsigned b, int c, int top) {
  PLAIN(0, "vadd.s32.u32.s32", a, c);
  PLAIN(1, "vadd.s32.s32.s32.sat", top, a);
  PLAIN(2, "vsub.u32.u32.u32.sat", b, a);
  PLAIN(3, "vabsdiff.u32.s32.s32", c, a);
  PLAIN(4, "vmin.s32.u32.s32", a, c);
  PLAIN(5, "vmax.s32.u32.s32", a, c);
  SCALAR(6, "vadd.s32.u32.s32.sat.add", a, c, 100);
  SCALAR(7, "vmin.s32.s32.s32.max", a, c, -3);
  SCALAR(8, "vsub.s32.s32.s32.min", a, c, 7);
  PLAIN(9, "vshl.u32.u32.u32.clamp", a, 40);
  PLAIN(10, "vshl.u32.u32.u32.wrap", a, 36);
  SCALAR(11, "vshr.u32.u32.u32.clamp.add", 0xf0000000u, 28, 1);
  SCALAR(12, "vmad.s32.s32.s32", a, c, 1000);
  SCALAR(13, "vmad.s32.s32.s32.sat", top, top, 1);
  SCALAR(14, "vmad.u32.u32.u32.shr7", a, b, 64);
  PLAIN(15, "vset.s32.s32.lt", c, a);
  unsigned d = 0;
  asm("vadd.s32.s32.u32 %0, %1.b3, %2.h1;" : "=r"(d) : "r"(0x80ffffff), "r"(0x00030000));
  out[16] = d;
  asm("vsub.u32.u32.u32.sat %0.b1, %1.b0, %2.b2, %3;" : "=r"(d) : "r"(0x000000ff), "r"(0x000f0000), "r"(0x11223344));
  out[17] = d;
  asm("vadd.s32.s32.s32 %0.h1, %1, %2, %3;" : "=r"(d) : "r"(300), "r"(400), "r"(0x11223344));
  out[18] = d;
  asm("vmad.s32.s32.s32 %0, -%1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(5));
  out[19] = d;
}

__global__ void lanes(unsigned* out, unsigned a, unsigned b) {
  SCALAR(0, "vadd2.s32.s32.s32.sat", 0x7fff8000u, 0x0001ffffu, 0);
  SCALAR(1, "vsub2.u32.u32.u32", a, b, 0);
  SCALAR(2, "vadd4.u32.u32.u32.sat", 0xf0102030u, 0x20304050u, 0);
  SCALAR(3, "vabsdiff4.u32.u32.u32.add", a, b, 1000);
  SCALAR(4, "vmin4.s32.s32.s32", 0x80017f00u, 0x7f80ff01u, 0);
  SCALAR(5, "vmax2.u32.u32.u32", a, b, 0);
  SCALAR(6, "vset4.u32.u32.ge", a, b, 0);
  SCALAR(7, "vset2.s32.s32.lt.add", a, b, 3);
  SCALAR(8, "vavrg2.u32.u32.s32", 0x00007fffu, 0xffffffffu, 0);
  SCALAR(9, "vavrg4.s32.s32.s32", 0xfdfe0304u, 0x00000003u, 0);
  SCALAR(10, "vavrg2.u32.u32.s32.add", 0x00007fffu, 0xffffffffu, 10000000);
  unsigned d = 0;
  asm("mov.u32 %0, (3 + 7) * 10 / 5;" : "=r"(d));
  out[11] = d;
  asm("mov.u32 %0, ~7;" : "=r"(d));
  out[12] = d;
  asm("mov.u32 %0, 2 * (1 << 4 | 2);" : "=r"(d));
  out[13] = d;
}

int main() {
  unsigned *d, h[20];
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  scalars<<<1, 1>>>(d, 12, 5, -20, 0x7fffffff);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 20; ++i) std::printf("%d%c", static_cast<int>(h[i]), i % 10 == 9 ? '\n' : ' ');
  lanes<<<1, 1>>>(d, 0x01f20344u, 0x81020943u);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 14; ++i) std::printf("%08x%c", h[i], i % 7 == 6 ? '\n' : ' ');
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(d);
}
