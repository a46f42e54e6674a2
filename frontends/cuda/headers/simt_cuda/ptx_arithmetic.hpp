// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparisons and conversions of inline PTX. Part of ptx.hpp.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ptx_registers.hpp"

namespace simt_cuda::ptx {

template <class T>
inline auto computed(T v) {  // the type that C++ computes in
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
    return static_cast<float>(v);
  else
    return v;
}
template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
template <class T>
using wide = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<sizeof(T) == 2, std::int32_t, std::conditional_t<sizeof(T) == 4, std::int64_t, __int128>>,
    std::conditional_t<sizeof(T) == 2, std::uint32_t,
                       std::conditional_t<sizeof(T) == 4, std::uint64_t, unsigned __int128>>>;
// f(v...) rounded as .rz, .rm or .rp says; without one of them to nearest. Float and double; halves know no direction.
inline int direction_of(const char* mods) {
  return has(mods, ".rz.")   ? FE_TOWARDZERO
         : has(mods, ".rm.") ? FE_DOWNWARD
         : has(mods, ".rp.") ? FE_UPWARD
                             : FE_TONEAREST;
}
template <class F, class... V>
inline auto in_direction(const char* mods, F f, V... v) {
  if constexpr ((std::is_floating_point_v<V> && ...))
    return simt::detail::rounded(direction_of(mods), f, v...);
  else
    return f(v...);
}
#define SIMT_PTX_BINARY(name, expression)                                       \
  template <class T, class A, class B>                                          \
  inline T simt_ptx_##name([[maybe_unused]] const char* mods, A x, B y) {       \
    [[maybe_unused]] const auto a = computed(as<T>(x)), b = computed(as<T>(y)); \
    return T(expression);                                                       \
  }
#define SIMT_PTX_UNARY(name, expression)                             \
  template <class T, class A>                                        \
  inline T simt_ptx_##name([[maybe_unused]] const char* mods, A x) { \
    [[maybe_unused]] const auto a = computed(as<T>(x));              \
    return T(expression);                                            \
  }
template <class T>
inline T saturated(const char* mods, T v) {
  if constexpr (kFloat<T>)
    if (has(mods, ".sat.")) return v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
  return v;
}
template <class A, class B>
inline auto wrapping_add(A a, B b) {
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) + static_cast<std::make_unsigned_t<A>>(b));
  else
    return a + b;
}
template <class A, class B>
inline auto wrapping_sub(A a, B b) {
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) - static_cast<std::make_unsigned_t<A>>(b));
  else
    return a - b;
}
SIMT_PTX_BINARY(add, saturated(mods, in_direction(
                                         mods, [](auto v, auto w) { return wrapping_add(v, w); }, a, b)))
SIMT_PTX_BINARY(sub, saturated(mods, in_direction(
                                         mods, [](auto v, auto w) { return wrapping_sub(v, w); }, a, b)))
SIMT_PTX_BINARY(div, in_direction(
                         mods, [](auto v, auto w) { return v / w; }, a, b))
SIMT_PTX_BINARY(rem, a % b)
SIMT_PTX_BINARY(min, ::min(a, b))
SIMT_PTX_BINARY(max, ::max(a, b))
SIMT_PTX_BINARY(and, a& b)
SIMT_PTX_BINARY(or, a | b)
SIMT_PTX_BINARY(xor, a ^ b)
SIMT_PTX_BINARY(copysign, std::copysign(b, a))
SIMT_PTX_UNARY(mov, a)
SIMT_PTX_UNARY(abs, a < 0 ? -a : a)
SIMT_PTX_UNARY(neg, -a)
template <class T, class A>
inline T simt_ptx_not(const char*, A x) {
  if constexpr (std::is_same_v<T, bool>)
    return !x;
  else
    return T(~as<T>(x));
}
SIMT_PTX_UNARY(rcp, in_direction(
                        mods, [](auto v) { return 1 / v; }, a))
SIMT_PTX_UNARY(sqrt, in_direction(
                         mods, [](auto v) { return std::sqrt(v); }, a))
SIMT_PTX_UNARY(rsqrt, 1 / std::sqrt(a))
SIMT_PTX_UNARY(ex2, std::exp2(a))
SIMT_PTX_UNARY(lg2, std::log2(a))
SIMT_PTX_UNARY(sin, std::sin(a))
SIMT_PTX_UNARY(cos, std::cos(a))
SIMT_PTX_UNARY(tanh, std::tanh(a))
SIMT_PTX_UNARY(brev, kBits<T> == 32 ? __brev(static_cast<unsigned>(a)) : __brevll(a))
#undef SIMT_PTX_UNARY
#undef SIMT_PTX_BINARY
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
// mul.wide and mad.wide give twice the width; .hi its upper half.
template <class T, class A, class B>
inline auto simt_ptx_mul(const char* mods, A x, B y) {
  if constexpr (std::is_integral_v<T>) {
    const wide<T> product = static_cast<wide<T>>(as<T>(x)) * static_cast<wide<T>>(as<T>(y));
    struct result {
      wide<T> all;
      bool is_wide, is_high;
    };
    return result{product, has(mods, ".wide."), has(mods, ".hi.")};
  } else {
    const auto product = [](auto v, auto w) { return v * w; };
    return T(saturated(mods, in_direction(mods, product, computed(as<T>(x)), computed(as<T>(y)))));
  }
}
template <class D, class R>
requires requires(R r) { r.is_wide; }
inline void assign(D& target, R r) {
  using W = decltype(r.all);
  constexpr int half = kBits<W> / 2;
  target = r.is_wide   ? static_cast<D>(r.all)
           : r.is_high ? static_cast<D>(r.all >> half)
                       : static_cast<D>(static_cast<bits_of_size<sizeof(W) / 2>>(r.all));
}
template <class T, class A, class B, class C>
inline T simt_ptx_fma(const char* mods, A x, B y, C z) {
  const auto sum = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
  return T(saturated(mods, in_direction(mods, sum, computed(as<T>(x)), computed(as<T>(y)), computed(as<T>(z)))));
}
template <class T, class A, class B, class C>
inline auto simt_ptx_mad(const char* mods, A x, B y, C z) {
  if constexpr (std::is_integral_v<T>) {
    auto r = simt_ptx_mul<T>(mods, x, y);
    using W = decltype(r.all);
    if (r.is_wide)
      r.all = static_cast<W>(r.all + static_cast<W>(z));
    else  // the sum wraps at T's width
      r.all = static_cast<W>(static_cast<std::make_unsigned_t<T>>(
          static_cast<std::make_unsigned_t<T>>(r.is_high ? r.all >> kBits<T> : r.all) +
          as<std::make_unsigned_t<T>>(z)));
    r.is_high = false;
    return r;
  } else {
    return simt_ptx_fma<T>(mods, x, y, z);
  }
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
// Differences of bytes, and with .add their sum and the third operand. The second type says how bytes are read.
template <class T, class U, class A, class B, class C>
inline std::uint32_t simt_ptx_vabsdiff4(const char* mods, A a, B b, C c) {
  const auto x = as<std::uint32_t>(a), y = as<std::uint32_t>(b);
  const std::uint32_t each = std::is_signed_v<U> ? __vabsdiffs4(x, y) : __vabsdiffu4(x, y);
  if (!has(mods, ".add.")) return each;
  return (each & 0xff) + (each >> 8 & 0xff) + (each >> 16 & 0xff) + (each >> 24) + as<std::uint32_t>(c);
}
// `v`, or the limit of T that it is beyond.
template <class T, class V>
inline T within(V v) {
  using limits = std::numeric_limits<T>;
  return std::cmp_less(v, limits::min()) ? limits::min() : std::cmp_greater(v, limits::max()) ? limits::max() : T(v);
}
// To the first type from the second; float to integer rounds as it says, to nearest without, and stays in its range.
template <class T, class F, class A>
inline T simt_ptx_cvt(const char* mods, A x) {
  const auto v = computed(as<F>(x));
  if constexpr (kFloat<F> && std::is_integral_v<T>) {
    using W = std::conditional_t<sizeof(T) >= 4, T, int>;
    const W r = has(mods, ".rzi.")   ? simt::convert_rz<W>(v)
                : has(mods, ".rmi.") ? simt::convert_rd<W>(v)
                : has(mods, ".rpi.") ? simt::convert_ru<W>(v)
                                     : simt::convert_rn<W>(v);
    return within<T>(r);
  } else if constexpr (kFloat<F> && kFloat<T>) {
    const auto r = has(mods, ".rni.")   ? std::nearbyint(v)
                   : has(mods, ".rzi.") ? std::trunc(v)
                   : has(mods, ".rmi.") ? std::floor(v)
                   : has(mods, ".rpi.") ? std::ceil(v)
                                        : v;
    const auto narrowed = [](auto wide) { return T(wide); };
    if constexpr (std::is_floating_point_v<T>) return in_direction(mods, narrowed, saturated(mods, r));
    return narrowed(saturated(mods, r));
  } else if constexpr (std::is_floating_point_v<T> && std::is_integral_v<F>) {
    const int direction = direction_of(mods);
    if (direction == FE_TONEAREST) return T(v);
    return directed<T>(v, direction == FE_UPWARD ? 1 : direction == FE_DOWNWARD ? -1 : 0);
  } else if constexpr (std::is_integral_v<T> && std::is_integral_v<F>) {
    return has(mods, ".sat.") ? within<T>(v) : static_cast<T>(v);
  } else {
    return T(v);
  }
}
template <class T, class A, class B>
inline bool simt_ptx_setp(const char* mods, A x, B y) {
  const auto a = computed(as<T>(x)), b = computed(as<T>(y));
  if (has(mods, ".eq.")) return a == b;
  if (has(mods, ".ne.")) return a != b;
  if (has(mods, ".lt.") || has(mods, ".lo.")) return a < b;
  if (has(mods, ".le.") || has(mods, ".ls.")) return a <= b;
  if (has(mods, ".gt.") || has(mods, ".hi.")) return a > b;
  return a >= b;
}
template <class T, class A, class B>
inline T simt_ptx_selp(const char*, A a, B b, bool p) {
  return p ? as<T>(a) : as<T>(b);
}
// f on each of the two halves of registers of .f16x2 and .bf16x2.
template <class Half, class F, class... V>
inline std::uint32_t in_halves(F f, V... v) {
  const auto half = [&](int shift) -> std::uint32_t {
    return as<std::uint16_t>(f(as<Half>(static_cast<std::uint16_t>(as<std::uint32_t>(v) >> shift))...));
  };
  return half(0) | half(16) << 16;
}
// add.cc, addc, sub.cc, subc, mad.lo.cc, madc.lo and .hi with the carry of the statement.
template <class T, class A, class B, class... C>
inline T with_carry(bool& carry, const char* opcode, A x, B y, C... z) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<sizeof(T) == 4, std::uint64_t, unsigned __int128>;
  const std::string_view name(opcode);
  const bool takes = name.starts_with("addc") || name.starts_with("subc") || name.starts_with("madc");
  const W in = takes && carry ? 1 : 0;
  W a = as<U>(x), b = as<U>(y);
  if constexpr (sizeof...(C) == 1) {
    const W product = a * b;
    a = has(opcode, ".hi.") ? product >> kBits<T> : static_cast<U>(product);
    b = (as<U>(z), ...);
  }
  const W sum = name.starts_with("sub") ? a - b - in : a + b + in;
  if (has(opcode, ".cc.")) carry = (sum >> kBits<T> & 1) != 0;
  return static_cast<T>(static_cast<U>(sum));
}
inline void simt_ptx_addc() {}  // names that translate/ptx.cpp asks for; with_carry does the work
inline void simt_ptx_subc() {}
inline void simt_ptx_madc() {}
template <class T, class V, class... Out>
inline void unpack(V from, Out&... out) {
  using P = bits_of_size<sizeof(T) / sizeof...(Out)>;
  auto rest = as<std::uint64_t>(as<bits_of_size<sizeof(T)>>(from));
  ((assign(out, static_cast<P>(rest)), rest >>= kBits<P> % 64), ...);
}
template <class T, class D, class... In>
inline void pack(D& to, In... in) {
  using P = bits_of_size<sizeof(T) / sizeof...(In)>;
  std::uint64_t all = 0;
  int shift = 0;
  ((all |= static_cast<std::uint64_t>(as<P>(in)) << shift, shift += kBits<P>), ...);
  assign(to, static_cast<bits_of_size<sizeof(T)>>(all));
}

}  // namespace simt_cuda::ptx
