// SPDX-License-Identifier: Apache-2.0
// Integer functions with a GPU's results, also where C++ leaves them open. Host and device.
//
// T: a 32- or 64-bit integer. Names are those of CUDA's intrinsics without underscores and type letters.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <simt/dim3.hpp>

// On a GPU: CUDA's intrinsic.
#if defined(SIMT_VARIANT_CUDA) && defined(__CUDA_ARCH__)
#define SIMT_ON_GPU(...) \
  if (!std::is_constant_evaluated()) return __VA_ARGS__
#else
#define SIMT_ON_GPU(...)
#endif
#define SIMT_MATH SIMT_INLINE SIMT_HD constexpr

namespace simt {

namespace detail {
template <class T>
concept register_integer = std::integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
template <register_integer T>
inline constexpr int kBits = 8 * sizeof(T);
}  // namespace detail

// ---- shifts, divisions ----

// PTX ISA, shl and shr: amounts of T's width and more shift everything out (of a negative number: all but its sign).
template <detail::register_integer T>
SIMT_MATH T shift_left(T x, std::uint32_t n) {
  return n >= detail::kBits<T> ? T{0} : static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << n);
}
template <detail::register_integer T>
SIMT_MATH T shift_right(T x, std::uint32_t n) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(x >> (n >= detail::kBits<T> ? detail::kBits<T> - 1 : n));
  else
    return n >= detail::kBits<T> ? T{0} : static_cast<T>(x >> n);
}

// Division that never traps: by 0 both give all ones, as code that nvcc makes for / and % does (PTX ISA, div: the value
// is unspecified); the most negative number by -1 wraps. On the simulator a plain / by 0 is a division-by-zero finding.
template <detail::register_integer T>
SIMT_MATH T divide(T a, std::type_identity_t<T> b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(a));
  return a / b;
}
template <detail::register_integer T>
SIMT_MATH T modulo(T a, std::type_identity_t<T> b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return T{0};
  return a % b;
}

// ---- bits ----

// Ones; zeros above the highest one (of 0: the width); 1 + the lowest one's position (of 0: 0); bits in reverse.
template <detail::register_integer T>
SIMT_MATH int popc(T x) {
  SIMT_ON_GPU(sizeof(T) == 8 ? __popcll(static_cast<unsigned long long>(x)) : __popc(static_cast<unsigned>(x)));
  return __builtin_popcountll(static_cast<std::make_unsigned_t<T>>(x));
}
template <detail::register_integer T>
SIMT_MATH int clz(T x) {
  SIMT_ON_GPU(sizeof(T) == 8 ? __clzll(static_cast<long long>(x)) : __clz(static_cast<int>(x)));
  if (x == 0) return detail::kBits<T>;
  return __builtin_clzll(static_cast<std::make_unsigned_t<T>>(x)) - (64 - detail::kBits<T>);
}
template <detail::register_integer T>
SIMT_MATH int ffs(T x) {
  SIMT_ON_GPU(sizeof(T) == 8 ? __ffsll(static_cast<long long>(x)) : __ffs(static_cast<int>(x)));
  const auto u = static_cast<std::make_unsigned_t<T>>(x);
  return x == 0 ? 0 : __builtin_popcountll(u ^ (u - 1));
}
template <detail::register_integer T>
SIMT_MATH T brev(T x) {
  SIMT_ON_GPU(
      static_cast<T>(sizeof(T) == 8 ? __brevll(static_cast<unsigned long long>(x)) : __brev(static_cast<unsigned>(x))));
  auto u = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(x));
  u = ((u >> 1) & 0x5555555555555555u) | ((u & 0x5555555555555555u) << 1);
  u = ((u >> 2) & 0x3333333333333333u) | ((u & 0x3333333333333333u) << 2);
  u = ((u >> 4) & 0x0f0f0f0f0f0f0f0fu) | ((u & 0x0f0f0f0f0f0f0f0fu) << 4);
  u = ((u >> 8) & 0x00ff00ff00ff00ffu) | ((u & 0x00ff00ff00ff00ffu) << 8);
  u = ((u >> 16) & 0x0000ffff0000ffffu) | ((u & 0x0000ffff0000ffffu) << 16);
  return static_cast<T>((u >> 32 | u << 32) >> (64 - detail::kBits<T>));
}
// Bytes 0-3 are x, 4-7 are y; each of the selector's four nibbles takes one. The nibbles' top bits do nothing, unlike
// those of PTX's prmt.
SIMT_MATH std::uint32_t byte_perm(std::uint32_t x, std::uint32_t y, std::uint32_t selector) {
  SIMT_ON_GPU(__byte_perm(x, y, selector));
  const std::uint64_t all = (static_cast<std::uint64_t>(y) << 32) | x;
  std::uint32_t r = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t s = (selector >> (4 * i)) & 7;
    r |= (static_cast<std::uint32_t>(all >> (8 * s)) & 0xff) << (8 * i);
  }
  return r;
}
// The upper (l) and the lower (r) word of hi:lo shifted by n; n counts modulo 32, or up to 32 (c) (PTX ISA, shf).
SIMT_MATH std::uint32_t funnelshift_l(std::uint32_t lo, std::uint32_t hi, std::uint32_t n) {
  SIMT_ON_GPU(__funnelshift_l(lo, hi, n));
  return static_cast<std::uint32_t>(((static_cast<std::uint64_t>(hi) << 32 | lo) << (n & 31)) >> 32);
}
SIMT_MATH std::uint32_t funnelshift_r(std::uint32_t lo, std::uint32_t hi, std::uint32_t n) {
  SIMT_ON_GPU(__funnelshift_r(lo, hi, n));
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(hi) << 32 | lo) >> (n & 31));
}
SIMT_MATH std::uint32_t funnelshift_lc(std::uint32_t lo, std::uint32_t hi, std::uint32_t n) {
  SIMT_ON_GPU(__funnelshift_lc(lo, hi, n));
  return n >= 32 ? lo : funnelshift_l(lo, hi, n);
}
SIMT_MATH std::uint32_t funnelshift_rc(std::uint32_t lo, std::uint32_t hi, std::uint32_t n) {
  SIMT_ON_GPU(__funnelshift_rc(lo, hi, n));
  return n >= 32 ? hi : funnelshift_r(lo, hi, n);
}

// ---- products and sums ----

// The upper half of a * b.
template <detail::register_integer T>
SIMT_MATH T mulhi(T a, std::type_identity_t<T> b) {
#if defined(SIMT_VARIANT_CUDA) && defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8) {
    if constexpr (std::is_signed_v<T>)
      return __mul64hi(a, b);
    else
      return __umul64hi(a, b);
  }
#else
  if constexpr (sizeof(T) == 8) {
    using wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<wide>(a) * b) >> 64);
  }
#endif
  else {
    using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<wide>(a) * b) >> 32);
  }
}
// Of the lower 24 bits.
SIMT_MATH std::int32_t mul24(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8) *
      static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(b) << 8) >> 8));
}
SIMT_MATH std::uint32_t mul24(std::uint32_t a, std::uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); }
// |a - b| + c.
SIMT_MATH std::uint32_t sad(std::int32_t a, std::int32_t b, std::uint32_t c) {
  const std::uint32_t d = static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b);
  return (a > b ? d : 0 - d) + c;
}
SIMT_MATH std::uint32_t sad(std::uint32_t a, std::uint32_t b, std::uint32_t c) { return (a > b ? a - b : b - a) + c; }
// (a + b) / 2 rounded down, and up, without overflow.
template <detail::register_integer T>
SIMT_MATH T hadd(T a, std::type_identity_t<T> b) {
  return static_cast<T>((a & b) + ((a ^ b) >> 1));
}
template <detail::register_integer T>
SIMT_MATH T rhadd(T a, std::type_identity_t<T> b) {
  return static_cast<T>((a | b) - ((a ^ b) >> 1));
}
// c plus the dot product of four bytes, or of two 16-bit numbers in a with the two lower or upper bytes of b. Wraps.
SIMT_MATH std::int32_t dp4a(std::int32_t a, std::int32_t b, std::int32_t c) {
  SIMT_ON_GPU(__dp4a(a, b, c));
  std::uint32_t r = static_cast<std::uint32_t>(c);
  for (int i = 0; i < 32; i += 8)
    r += static_cast<std::uint32_t>(static_cast<std::int8_t>(a >> i) * static_cast<std::int8_t>(b >> i));
  return static_cast<std::int32_t>(r);
}
SIMT_MATH std::uint32_t dp4a(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  SIMT_ON_GPU(__dp4a(a, b, c));
  for (int i = 0; i < 32; i += 8) c += ((a >> i) & 0xff) * ((b >> i) & 0xff);
  return c;
}
SIMT_MATH std::int32_t dp2a_lo(std::int32_t a, std::int32_t b, std::int32_t c) {
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(c) +
      static_cast<std::uint32_t>(static_cast<std::int16_t>(a) * static_cast<std::int8_t>(b) +
                                 static_cast<std::int16_t>(a >> 16) * static_cast<std::int8_t>(b >> 8)));
}
SIMT_MATH std::int32_t dp2a_hi(std::int32_t a, std::int32_t b, std::int32_t c) { return dp2a_lo(a, b >> 16, c); }

}  // namespace simt
