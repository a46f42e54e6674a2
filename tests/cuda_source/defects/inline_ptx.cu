// SPDX-License-Identifier: Apache-2.0
// Inline PTX beyond what is translated: the instruction and the line are named, where a program has them in the end.
// code: 2
// says: inline_ptx.cu:10:17: error: inline PTX: 'mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32' is not supported
// says: inline_ptx.cu:14:116: error: inline PTX: there is no label 'before' in this statement
// says: inline_ptx.cu:19:21: error: inline PTX: the special register '%pm0' is not supported
__global__ void matrix(float *d, const unsigned *a, const unsigned *b) {
  asm volatile(
      "mov.u32 %0, %0;" : "+r"(*(unsigned *)d));
  asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, %4, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__global__ void waits(int *flag) {
  asm volatile("{ .reg .pred p; .reg .s32 r; again: ld.acquire.gpu.global.s32 r, [%0]; setp.eq.s32 p, r, 0; @p bra before; }"
               :: "l"(flag) : "memory");
}
__device__ unsigned counter() {
  unsigned r;
  asm("mov.u32 %0, %%pm0;" : "=r"(r));
  return r;
}
int main() {}
