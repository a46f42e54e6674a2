// SPDX-License-Identifier: Apache-2.0
// Numbers of several words by inline PTX whose carry goes from one asm statement to the next: within a function, and
// between functions that each hold one instruction, as libraries for large integers have them. A rotation that a macro
// makes is beside them, for such programs have both.
#include <cstdint>
#include <cstdio>

#define ADD_FIRST(to, a, b) asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(to) : "l"(a), "l"(b) : "memory");
#define ADD_MORE(to, a, b) asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(to) : "l"(a), "l"(b) : "memory");
#define ADD_LAST(to, a, b) asm volatile("addc.u64 %0, %1, %2;" : "=l"(to) : "l"(a), "l"(b));
#define SUB_FIRST(to, a, b) asm volatile("sub.cc.u64 %0, %1, %2;" : "=l"(to) : "l"(a), "l"(b) : "memory");
#define SUB_LAST(to, a, b) asm volatile("subc.u64 %0, %1, %2;" : "=l"(to) : "l"(a), "l"(b));
#define ROTATED(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define MIXED(x) (ROTATED(x, 7) ^ ROTATED(x, 18) ^ ((x) >> 3))

__device__ void difference(uint64_t* to, const uint64_t* a, const uint64_t* b) {
  SUB_FIRST(to[0], a[0], b[0]);
  SUB_LAST(to[1], a[1], b[1]);
}
__device__ void sum(uint64_t* to, const uint64_t* a, const uint64_t* b, int words) {
  ADD_FIRST(to[0], a[0], b[0]);
#pragma unroll 1
  for (int i = 1; i < words - 1; ++i) ADD_MORE(to[i], a[i], b[i]);
  ADD_LAST(to[words - 1], a[words - 1], b[words - 1]);
}

#if defined(BETWEEN_FUNCTIONS)
__device__ __forceinline__ uint32_t add_cc(uint32_t a, uint32_t b) {
  uint32_t to;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(to) : "r"(a), "r"(b));
  return to;
}
__device__ __forceinline__ uint32_t addc_cc(uint32_t a, uint32_t b) {
  uint32_t to;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(to) : "r"(a), "r"(b));
  return to;
}
__device__ __forceinline__ uint32_t addc(uint32_t a, uint32_t b) {
  uint32_t to;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(to) : "r"(a), "r"(b));
  return to;
}
// The numbers lie in memory that is watched, so that a schedule may run other threads between two steps.
__device__ uint32_t sum_by_parts(uint32_t* to, const uint32_t* a, const uint32_t* b) {
  to[0] = add_cc(a[0], b[0]);
#pragma unroll
  for (int i = 1; i < 4; ++i) to[i] = addc_cc(a[i], b[i]);
  return addc(0, 0);
}
#else
__device__ uint32_t sum_by_parts(uint32_t* to, const uint32_t* a, const uint32_t* b) {
  uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) {
    carry += static_cast<uint64_t>(a[i]) + b[i];
    to[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return static_cast<uint32_t>(carry);
}
#endif

__global__ void compute(uint32_t* to, uint32_t* from, uint32_t* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const uint64_t a[4] = {~0ull - t % 2, ~0ull, t, 1}, b[4] = {1, 0, ~0ull, 2};
  uint64_t s[4], d[2];
  sum(s, a, b, 4);
  difference(d, b, a);
  uint32_t mixed = static_cast<uint32_t>(s[0] ^ s[1] ^ s[2] ^ s[3] ^ d[0] ^ d[1]);
  const uint32_t last = sum_by_parts(to + 4 * t, from + 8 * t, from + 8 * t + 4);
  out[t] = MIXED(mixed) * 31 + last;
}

int main() {
  constexpr int n = 256;
  uint32_t *to, *from, *out;
  cudaMallocManaged(&to, 4 * n * sizeof(uint32_t));
  cudaMallocManaged(&from, 8 * n * sizeof(uint32_t));
  cudaMallocManaged(&out, n * sizeof(uint32_t));
  for (int i = 0; i < 8 * n; ++i) from[i] = i % 3 == 0 ? 0xffffffffu : i * 2654435761u;
  compute<<<4, n / 4>>>(to, from, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < n; ++t) {
    using wide = unsigned __int128;
    const wide a = (wide(~0ull) << 64) | (~0ull - t % 2), b = 1, low = a + b, difference = b - a;
    const uint64_t third = uint64_t(t) + ~0ull + (low < a), fourth = 3 + (t + uint64_t(low < a) > 0);
    const auto mixed = static_cast<uint32_t>(uint64_t(low) ^ uint64_t(low >> 64) ^ third ^ fourth ^
                                             uint64_t(difference) ^ uint64_t(difference >> 64));
    uint64_t carry = 0;
    for (int i = 0; i < 4; ++i) {
      carry += uint64_t(from[8 * t + i]) + from[8 * t + 4 + i];
      wrong += to[4 * t + i] != static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    wrong += out[t] != MIXED(mixed) * 31 + static_cast<uint32_t>(carry);
  }
  std::printf("wrong: %d\n", wrong);
  cudaFree(to), cudaFree(from), cudaFree(out);
}
