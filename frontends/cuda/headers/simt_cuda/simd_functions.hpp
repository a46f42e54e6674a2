// SPDX-License-Identifier: Apache-2.0
// CUDA's SIMD functions: two halves or four bytes of a word at once, and the fused minimum and maximum functions.
#pragma once

namespace simt_cuda {

// Calls f(x, y) for each part of two words; the low bits of what it returns become that part of the result.
template <int Bits, bool Signed, class F>
constexpr unsigned int lanewise(unsigned int a, unsigned int b, F f) {
  constexpr unsigned int kMask = (1u << Bits) - 1;
  constexpr auto part = [](unsigned int w, int shift) {
    const int v = static_cast<int>((w >> shift) & kMask);
    return Signed && (v >> (Bits - 1)) != 0 ? v - (1 << Bits) : v;
  };
  unsigned int r = 0;
  for (int shift = 0; shift < 32; shift += Bits)
    r |= (static_cast<unsigned int>(f(part(a, shift), part(b, shift))) & kMask) << shift;
  return r;
}
template <int Bits, bool Signed, class F>
constexpr unsigned int lanewise_sum(unsigned int a, unsigned int b, F f) {
  unsigned int sum = 0;
  lanewise<Bits, Signed>(a, b, [&](int x, int y) { return sum += static_cast<unsigned int>(f(x, y)), 0; });
  return sum;
}
constexpr int clamped(int v, int least, int most) { return v < least ? least : v > most ? most : v; }

}  // namespace simt_cuda

#define SIMT_CUDA_LANES_OF(name, bits, is_signed, expression)                                                          \
  inline constexpr unsigned int name(unsigned int a, unsigned int b) {                                                 \
    constexpr int kLeast = (is_signed) ? -(1 << ((bits)-1)) : 0, kMost = (1 << ((is_signed) ? (bits)-1 : (bits))) - 1; \
    (void)kLeast, (void)kMost;                                                                                         \
    return simt_cuda::lanewise<bits, is_signed>(a, b,                                                                  \
                                                [](int x, int y) -> int { return (void)x, (void)y, (expression); });   \
  }
#define SIMT_CUDA_BOTH(name, expression)             \
  SIMT_CUDA_LANES_OF(name##2, 16, false, expression) \
  SIMT_CUDA_LANES_OF(name##4, 8, false, expression)
#define SIMT_CUDA_SIGNED(name, expression)          \
  SIMT_CUDA_LANES_OF(name##2, 16, true, expression) \
  SIMT_CUDA_LANES_OF(name##4, 8, true, expression)
#define SIMT_CUDA_COMPARE(suffix, kind, op) kind(__vcmp##suffix, x op y ? -1 : 0) kind(__vset##suffix, x op y ? 1 : 0)

SIMT_CUDA_BOTH(__vadd, x + y)
SIMT_CUDA_BOTH(__vsub, x - y)
SIMT_CUDA_SIGNED(__vaddss, simt_cuda::clamped(x + y, kLeast, kMost))
SIMT_CUDA_SIGNED(__vsubss, simt_cuda::clamped(x - y, kLeast, kMost))
SIMT_CUDA_BOTH(__vaddus, simt_cuda::clamped(x + y, kLeast, kMost))
SIMT_CUDA_BOTH(__vsubus, simt_cuda::clamped(x - y, kLeast, kMost))
SIMT_CUDA_BOTH(__vabsdiffu, x > y ? x - y : y - x)
SIMT_CUDA_SIGNED(__vabsdiffs, x > y ? x - y : y - x)
SIMT_CUDA_BOTH(__vmaxu, x > y ? x : y)
SIMT_CUDA_SIGNED(__vmaxs, x > y ? x : y)
SIMT_CUDA_BOTH(__vminu, x < y ? x : y)
SIMT_CUDA_SIGNED(__vmins, x < y ? x : y)
SIMT_CUDA_BOTH(__vavgu, (x + y + 1) >> 1)
SIMT_CUDA_SIGNED(__vavgs, (x + y + ((x + y) >= 0 ? 1 : 0)) >> 1)
SIMT_CUDA_BOTH(__vhaddu, (x + y) >> 1)
SIMT_CUDA_COMPARE(eq, SIMT_CUDA_BOTH, ==)
SIMT_CUDA_COMPARE(ne, SIMT_CUDA_BOTH, !=)
SIMT_CUDA_COMPARE(geu, SIMT_CUDA_BOTH, >=)
SIMT_CUDA_COMPARE(gtu, SIMT_CUDA_BOTH, >)
SIMT_CUDA_COMPARE(leu, SIMT_CUDA_BOTH, <=)
SIMT_CUDA_COMPARE(ltu, SIMT_CUDA_BOTH, <)
SIMT_CUDA_COMPARE(ges, SIMT_CUDA_SIGNED, >=)
SIMT_CUDA_COMPARE(gts, SIMT_CUDA_SIGNED, >)
SIMT_CUDA_COMPARE(les, SIMT_CUDA_SIGNED, <=)
SIMT_CUDA_COMPARE(lts, SIMT_CUDA_SIGNED, <)
#undef SIMT_CUDA_COMPARE
#undef SIMT_CUDA_SIGNED
#undef SIMT_CUDA_BOTH
#undef SIMT_CUDA_LANES_OF

#define SIMT_CUDA_ONE_WORD(bits, n)                                                                          \
  inline constexpr unsigned int __vabs##n(unsigned int a) {                                                  \
    return simt_cuda::lanewise<bits, true>(a, 0, [](int x, int) { return x < 0 ? -x : x; });                 \
  }                                                                                                          \
  inline constexpr unsigned int __vneg##n(unsigned int a) {                                                  \
    return simt_cuda::lanewise<bits, true>(a, 0, [](int x, int) { return -x; });                             \
  }                                                                                                          \
  inline constexpr unsigned int __vabsss##n(unsigned int a) {                                                \
    return simt_cuda::lanewise<bits, true>(                                                                  \
        a, 0, [](int x, int) { return simt_cuda::clamped(x < 0 ? -x : x, 0, (1 << (bits - 1)) - 1); });      \
  }                                                                                                          \
  inline constexpr unsigned int __vnegss##n(unsigned int a) {                                                \
    return simt_cuda::lanewise<bits, true>(                                                                  \
        a, 0, [](int x, int) { return simt_cuda::clamped(-x, -(1 << (bits - 1)), (1 << (bits - 1)) - 1); }); \
  }                                                                                                          \
  inline constexpr unsigned int __vsadu##n(unsigned int a, unsigned int b) {                                 \
    return simt_cuda::lanewise_sum<bits, false>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });   \
  }                                                                                                          \
  inline constexpr unsigned int __vsads##n(unsigned int a, unsigned int b) {                                 \
    return simt_cuda::lanewise_sum<bits, true>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });    \
  }
SIMT_CUDA_ONE_WORD(16, 2)
SIMT_CUDA_ONE_WORD(8, 4)
#undef SIMT_CUDA_ONE_WORD

// max(a + b, c) and the like; _relu: not below zero. The pairs hold two 16-bit values.
#define SIMT_CUDA_FUSED(suffix, T)                                                                          \
  inline constexpr T __viaddmax_##suffix(T a, T b, T c) {                                                   \
    return static_cast<T>(a + b) > c ? static_cast<T>(a + b) : c;                                           \
  }                                                                                                         \
  inline constexpr T __viaddmin_##suffix(T a, T b, T c) {                                                   \
    return static_cast<T>(a + b) < c ? static_cast<T>(a + b) : c;                                           \
  }                                                                                                         \
  inline constexpr T __vimax3_##suffix(T a, T b, T c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); } \
  inline constexpr T __vimin3_##suffix(T a, T b, T c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
SIMT_CUDA_FUSED(s32, int)
SIMT_CUDA_FUSED(u32, unsigned int)
#undef SIMT_CUDA_FUSED
inline constexpr int __vimax_s32_relu(int a, int b) { return a > b ? (a > 0 ? a : 0) : (b > 0 ? b : 0); }
inline constexpr int __vimin_s32_relu(int a, int b) { return a < b ? (a > 0 ? a : 0) : (b > 0 ? b : 0); }
inline constexpr int __vimax3_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__vimax3_s32(a, b, c), 0); }
inline constexpr int __vimin3_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__vimin3_s32(a, b, c), 0); }
inline constexpr int __viaddmax_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__viaddmax_s32(a, b, c), 0); }
inline constexpr int __viaddmin_s32_relu(int a, int b, int c) { return __vimax_s32_relu(__viaddmin_s32(a, b, c), 0); }
inline constexpr unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(__vmaxs2(a, b), 0); }
inline constexpr unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(__vmins2(a, b), 0); }
inline constexpr unsigned int __vimax3_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vmaxs2(a, b), c);
}
inline constexpr unsigned int __vimin3_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmins2(__vmins2(a, b), c);
}
inline constexpr unsigned int __vimax3_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxu2(__vmaxu2(a, b), c);
}
inline constexpr unsigned int __vimin3_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vminu2(__vminu2(a, b), c);
}
inline constexpr unsigned int __viaddmax_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vadd2(a, b), c);
}
inline constexpr unsigned int __viaddmin_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmins2(__vadd2(a, b), c);
}
inline constexpr unsigned int __viaddmax_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxu2(__vadd2(a, b), c);
}
inline constexpr unsigned int __viaddmin_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vminu2(__vadd2(a, b), c);
}
inline constexpr unsigned int __vimax3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vimax3_s16x2(a, b, c), 0);
}
inline constexpr unsigned int __vimin3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vimin3_s16x2(a, b, c), 0);
}
inline constexpr unsigned int __viaddmax_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__viaddmax_s16x2(a, b, c), 0);
}
inline constexpr unsigned int __viaddmin_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}

// The larger (smaller) of two, and whether it is the first.
#define SIMT_CUDA_WHICH(name, T, op)                           \
  inline constexpr T name(const T a, const T b, bool* first) { \
    *first = a op b;                                           \
    return *first ? a : b;                                     \
  }
SIMT_CUDA_WHICH(__vibmax_s32, int, >=)
SIMT_CUDA_WHICH(__vibmin_s32, int, <=)
SIMT_CUDA_WHICH(__vibmax_u32, unsigned int, >=)
SIMT_CUDA_WHICH(__vibmin_u32, unsigned int, <=)
#undef SIMT_CUDA_WHICH
#define SIMT_CUDA_WHICH_OF_PAIRS(name, T, op)                                                             \
  inline constexpr unsigned int name(const unsigned int a, const unsigned int b, bool* high, bool* low) { \
    *high = static_cast<T>(a >> 16) op static_cast<T>(b >> 16);                                           \
    *low = static_cast<T>(a) op static_cast<T>(b);                                                        \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0x0000ffffu);                              \
  }
SIMT_CUDA_WHICH_OF_PAIRS(__vibmax_s16x2, short, >=)
SIMT_CUDA_WHICH_OF_PAIRS(__vibmin_s16x2, short, <=)
SIMT_CUDA_WHICH_OF_PAIRS(__vibmax_u16x2, unsigned short, >=)
SIMT_CUDA_WHICH_OF_PAIRS(__vibmin_u16x2, unsigned short, <=)
#undef SIMT_CUDA_WHICH_OF_PAIRS
