// SPDX-License-Identifier: Apache-2.0
// Inline PTX as CUDA code in the wild has it: special registers, cached and ordered loads, bit fields, carries, predicates,
// warp shuffles, shared addresses and asynchronous copies.
#include <cstdint>
#include <cstdio>
__device__ unsigned lane_id() {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
__device__ unsigned lanes_below() {
  unsigned r;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  return r;
}
__device__ float4 load_once(const float4 *p) {
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
  return v;
}
__device__ int load_acquire(const int *p) {
  int v;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ unsigned field(unsigned x, unsigned from, unsigned bits) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(from), "r"(bits));
  return r;
}
__device__ void add128(uint64_t a[2], const uint64_t b[2]) {
  asm("add.cc.u64 %0, %0, %2;\n\t"
      "addc.u64 %1, %1, %3;"
      : "+l"(a[0]), "+l"(a[1])
      : "l"(b[0]), "l"(b[1]));
}
__device__ int larger(int a, int b) {
  int r;
  asm("{\n\t.reg .pred p;\n\tsetp.gt.s32 p, %1, %2;\n\tselp.s32 %0, %1, %2, p;\n\t}" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
// The value of the lane below, and whether there is one.
__device__ int from_below(int v, int &there) {
  int r;
  asm volatile("{\n\t.reg .pred p;\n\tshfl.sync.up.b32 %0|p, %2, 1, 0, -1;\n\tselp.s32 %1, 1, 0, p;\n\t}" : "=r"(r), "=r"(there) : "r"(v));
  return r;
}
__global__ void instructions(unsigned *out, const float4 *in, int *sums, uint64_t *wide) {
  const unsigned i = threadIdx.x;
  unsigned product_high, bits, three;
  uint64_t product;
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(product_high) : "r"(0x80000001u), "r"(i));
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(0xffffffffu), "r"(i));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(bits) : "r"(i), "r"(0xffu), "r"(0x0fu));
  asm("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(three) : "r"(0x03020100u), "r"(0x07060504u));
  float4 v = load_once(in);
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(3.0f));
  int there, below = from_below(static_cast<int>(i) * 2, there);
  unsigned *o = out + i * 8;
  o[0] = lane_id() + (lanes_below() == (1u << (i % 32)) - 1 ? 0 : 1000);
  o[1] = product_high;
  o[2] = static_cast<unsigned>(product >> 32);
  o[3] = bits;
  o[4] = three + field(0xabcd1234u, 8, 12);
  o[5] = static_cast<unsigned>(v.x + v.w + power);
  o[6] = static_cast<unsigned>(larger(static_cast<int>(i), 40));
  o[7] = there ? static_cast<unsigned>(below) : 7777u;
  asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" ::"l"(sums), "r"(1) : "memory");
  int old;
  asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(old) : "l"(sums + 1), "r"(static_cast<int>(i)) : "memory");
  if (i == 0) {
    uint64_t a[2] = {~0ull, 1}, b[2] = {2, 3};
    add128(a, b);
    wide[0] = a[0], wide[1] = a[1];
  }
}
__global__ void flag(int *data, int *ready, int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 41;
    store_release(ready, 1);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (load_acquire(ready) == 0) {}
    *out = data[0] + 1;
  }
}
__global__ void staged(const int4 *in, int *out) {
  __shared__ int4 tile[64];
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  asm volatile("bar.sync 0;" ::: "memory");
  const uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[63 - threadIdx.x]));
  int x, y;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(x) : "r"(from));
  asm volatile("ld.shared.s32 %0, [%1+12];" : "=r"(y) : "r"(from));
  out[threadIdx.x] = x + y;
}
__global__ void size_of_dynamic(unsigned *out) {
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(out[0]));
}
int main() {
  unsigned *out, h[64 * 8];
  float4 four = {1, 2, 3, 4}, *in;
  int *sums, s[2];
  uint64_t *wide, w[2];
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&in, sizeof four);
  cudaMalloc(&sums, sizeof s);
  cudaMalloc(&wide, sizeof w);
  cudaMemcpy(in, &four, sizeof four, cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, sizeof s);
  instructions<<<1, 64>>>(out, in, sums, wide);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(s, sums, sizeof s, cudaMemcpyDeviceToHost);
  cudaMemcpy(w, wide, sizeof w, cudaMemcpyDeviceToHost);
  for (int i : {0, 1, 33, 63}) {
    for (int k = 0; k < 8; ++k) printf("%x ", h[i * 8 + k]);
    printf("\n");
  }
  printf("%d %d %llu %llu\n", s[0], s[1], static_cast<unsigned long long>(w[0]), static_cast<unsigned long long>(w[1]));
  cudaMemset(sums, 0, sizeof s);
  flag<<<2, 32>>>(reinterpret_cast<int *>(out), sums, sums + 1);
  cudaMemcpy(s, sums, sizeof s, cudaMemcpyDeviceToHost);
  printf("%d\n", s[1]);
  int numbers[256], *source;
  for (int i = 0; i < 256; ++i) numbers[i] = i;
  cudaMalloc(&source, sizeof numbers);
  cudaMemcpy(source, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  staged<<<1, 64>>>(reinterpret_cast<int4 *>(source), reinterpret_cast<int *>(out));
  cudaMemcpy(numbers, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", numbers[0], numbers[63]);
  size_of_dynamic<<<1, 1, 1024>>>(out);
  cudaMemcpy(h, out, sizeof(unsigned), cudaMemcpyDeviceToHost);
  printf("%u\n", h[0]);
  cudaFree(out); cudaFree(in); cudaFree(sums); cudaFree(wide); cudaFree(source);
}
