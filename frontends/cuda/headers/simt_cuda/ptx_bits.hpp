// SPDX-License-Identifier: Apache-2.0
// Bits, bytes and short integers of inline PTX. Part of ptx.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "ptx_arithmetic.hpp"

namespace simt_cuda::ptx {

template <class T, class A>
inline std::uint32_t simt_ptx_popc(const char*, A x) {
  return static_cast<std::uint32_t>(std::popcount(as<std::make_unsigned_t<T>>(x)));
}
template <class T, class A>
inline std::uint32_t simt_ptx_clz(const char*, A x) {
  return static_cast<std::uint32_t>(std::countl_zero(as<std::make_unsigned_t<T>>(x)));
}
template <class T, class A>
inline std::uint32_t simt_ptx_bfind(const char* mods, A x) {
  auto v = as<std::make_unsigned_t<T>>(x);
  if (std::is_signed_v<T> && static_cast<T>(v) < 0) v = static_cast<decltype(v)>(~v);
  const int at = kBits<T> - 1 - std::countl_zero(v);
  return at < 0 ? ~0u : static_cast<std::uint32_t>(has(mods, ".shiftamt.") ? kBits<T> - 1 - at : at);
}
template <class T, class A, class B>
inline T simt_ptx_shl(const char*, A a, B b) {
  const auto n = static_cast<std::uint32_t>(b);
  return n >= static_cast<std::uint32_t>(kBits<T>) ? T(0) : T(as<std::make_unsigned_t<T>>(a) << n);
}
template <class T, class A, class B>
inline T simt_ptx_shr(const char*, A a, B b) {
  const auto n = static_cast<std::uint32_t>(b);
  const T v = as<T>(a);
  return n >= static_cast<std::uint32_t>(kBits<T>) ? T(v < 0 ? -1 : 0) : T(v >> n);
}
template <class T, class A, class B, class C>
inline T simt_ptx_shf(const char* mods, A lo, B hi, C n) {
  const auto l = as<std::uint32_t>(lo), h = as<std::uint32_t>(hi), s = static_cast<std::uint32_t>(n);
  if (has(mods, ".clamp.")) return T(has(mods, ".l.") ? __funnelshift_lc(l, h, s) : __funnelshift_rc(l, h, s));
  return T(has(mods, ".l.") ? __funnelshift_l(l, h, s) : __funnelshift_r(l, h, s));
}
template <class T, class A, class B, class C>
inline T simt_ptx_sad(const char*, A x, B y, C z) {
  const T a = as<T>(x), b = as<T>(y);
  return T((a < b ? b - a : a - b) + as<T>(z));
}
template <class T, class A, class B, class C>
inline T simt_ptx_bfe(const char*, A x, B from, C count) {
  const int first = static_cast<int>(from) & 255, n = static_cast<int>(count) & 255;
  const T v = as<T>(x);
  if (n == 0) return 0;
  const int last = std::min(first + n - 1, kBits<T> - 1);
  const T sign = std::is_signed_v<T> ? T((v >> last) & 1 ? -1 : 0) : T(0);
  if (first >= kBits<T>) return sign;
  const int width = last - first + 1;
  using U = std::make_unsigned_t<T>;
  const U mask = width >= kBits<T> ? U(~U(0)) : U((U(1) << width) - 1);
  return T((static_cast<U>(v) >> first & mask) | (static_cast<U>(sign) & static_cast<U>(~mask)));
}
template <class T, class A, class B, class C, class D>
inline T simt_ptx_bfi(const char*, A x, B into, C from, D count) {
  using U = std::make_unsigned_t<T>;
  const int first = static_cast<int>(from) & 255,
            n = std::min(static_cast<int>(count) & 255, kBits<T> - std::min(first, kBits<T>));
  if (n <= 0) return as<T>(into);
  const U mask = static_cast<U>((n >= kBits<T> ? U(~U(0)) : U((U(1) << n) - 1)) << first);
  return T((static_cast<U>(as<U>(x) << first) & mask) | (as<U>(into) & static_cast<U>(~mask)));
}
template <class T, class A, class B, class C>
inline std::uint32_t simt_ptx_prmt(const char*, A a, B b, C selector) {
  return __byte_perm(as<std::uint32_t>(a), as<std::uint32_t>(b), static_cast<std::uint32_t>(selector));
}
template <class T, class A, class B, class C, class D>
inline std::uint32_t simt_ptx_lop3(const char*, A x, B y, C z, D table) {
  const auto a = as<std::uint32_t>(x), b = as<std::uint32_t>(y), c = as<std::uint32_t>(z),
             t = static_cast<std::uint32_t>(table);
  std::uint32_t r = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    if (t >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return r;
}
template <class T, class U, class A, class B, class C>
inline std::int32_t simt_ptx_dp4a(const char*, A a, B b, C c) {
  if constexpr (std::is_signed_v<T>) return __dp4a(as<int>(a), as<int>(b), as<int>(c));
  return static_cast<std::int32_t>(__dp4a(as<unsigned>(a), as<unsigned>(b), as<unsigned>(c)));
}
template <class T, class A>
inline T simt_ptx_brev(const char*, A x) {
  return T(kBits<T> == 32 ? __brev(static_cast<unsigned>(as<T>(x))) : __brevll(as<T>(x)));
}
template <class T, class A>
inline T simt_ptx_cnot(const char*, A x) {
  return as<T>(x) == 0 ? T(1) : T(0);
}
// The product of the lower 24 bits: its lower 32 bits, or its upper ones (of 48).
template <class T, class A, class B>
inline T simt_ptx_mul24(const char* mods, A x, B y) {
  const auto lower = [](T v) {
    const std::uint32_t up = static_cast<std::uint32_t>(v) << 8;
    return std::is_signed_v<T> ? std::int64_t{static_cast<std::int32_t>(up) >> 8} : std::int64_t{up >> 8};
  };
  const std::int64_t product = lower(as<T>(x)) * lower(as<T>(y));
  return static_cast<T>(has(mods, ".hi.") ? product >> 16 : product);
}
template <class T, class A, class B, class C>
inline T simt_ptx_mad24(const char* mods, A x, B y, C z) {
  const T product = simt_ptx_mul24<T>(mods, x, y);
  if constexpr (std::is_signed_v<T>)
    if (has(mods, ".sat.")) return within<T>(std::int64_t{product} + as<T>(z));
  return static_cast<T>(static_cast<std::uint32_t>(product) + static_cast<std::uint32_t>(as<T>(z)));
}
// Two 16 bit numbers of a by the lower or upper two bytes of b, and c.
template <class T, class U, class A, class B, class C>
inline std::int32_t simt_ptx_dp2a(const char* mods, A a, B b, C c) {
  const auto x = as<std::uint32_t>(a), y = as<std::uint32_t>(b) >> (has(mods, ".hi.") ? 16 : 0);
  std::uint32_t sum = as<std::uint32_t>(c);
  for (int i = 0; i < 2; ++i) {
    const auto word = static_cast<std::uint16_t>(x >> 16 * i);
    const auto byte = static_cast<std::uint8_t>(y >> 8 * i);
    const std::int64_t v = std::is_signed_v<T> ? static_cast<std::int16_t>(word) : std::int64_t{word};
    const std::int64_t w = std::is_signed_v<U> ? static_cast<std::int8_t>(byte) : std::int64_t{byte};
    sum += static_cast<std::uint32_t>(v * w);
  }
  return static_cast<std::int32_t>(sum);
}
// A mask of b bits from bit a on; both from 0 to 32 with .clamp, modulo 32 with .wrap.
template <class T, class A, class B>
inline std::uint32_t simt_ptx_bmsk(const char* mods, A from, B bits) {
  auto a = as<std::uint32_t>(from), n = as<std::uint32_t>(bits);
  if (has(mods, ".wrap.")) a &= 31, n &= 31;
  const std::uint64_t ones = n >= 32 ? 0xffffffffu : (std::uint64_t{1} << n) - 1;
  return a >= 32 ? 0 : static_cast<std::uint32_t>(ones << a);
}
// The lower n bits of a, extended to 32 by sign or zeros.
template <class T, class A, class N>
inline T simt_ptx_szext(const char* mods, A x, N bits) {
  auto n = as<std::uint32_t>(bits);
  if (has(mods, ".wrap.")) n &= 31;
  if (n == 0) return 0;
  if (n >= 32) return as<T>(x);
  const std::uint32_t up = as<std::uint32_t>(x) << (32 - n);
  return std::is_signed_v<T> ? static_cast<T>(static_cast<std::int32_t>(up) >> (32 - n))
                             : static_cast<T>(up >> (32 - n));
}
// The place of the n-th set bit of the mask from `base` on, upwards for n > 0, downwards for n < 0; ~0 if there is
// none.
template <class T, class A, class B, class N>
inline std::uint32_t simt_ptx_fns(const char*, A mask, B base, N count) {
  return __fns(as<std::uint32_t>(mask), as<std::uint32_t>(base), as<std::int32_t>(count));
}

}  // namespace simt_cuda::ptx
