// SPDX-License-Identifier: Apache-2.0
// Arithmetic and conversions of inline PTX. Part of ptx.hpp.
#pragma once

#include <algorithm>
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
// f for each half of packed operands.
template <class T, class F, class... V>
inline T each_half(F f, V... v) {
  return T{f(as<T>(v).x...), f(as<T>(v).y...)};
}
#define SIMT_PTX_BINARY(name, expression)                                                                  \
  template <class T, class A, class B>                                                                     \
  inline T simt_ptx_##name([[maybe_unused]] const char* mods, A x, B y) {                                  \
    if constexpr (kPacked<T>) {                                                                            \
      return each_half<T>([&](auto v, auto w) { return simt_ptx_##name<decltype(v)>(mods, v, w); }, x, y); \
    } else {                                                                                               \
      [[maybe_unused]] const auto a = computed(as<T>(x)), b = computed(as<T>(y));                          \
      return T(expression);                                                                                \
    }                                                                                                      \
  }
#define SIMT_PTX_UNARY(name, expression)                                                     \
  template <class T, class A>                                                                \
  inline T simt_ptx_##name([[maybe_unused]] const char* mods, A x) {                         \
    if constexpr (kPacked<T>) {                                                              \
      return each_half<T>([&](auto v) { return simt_ptx_##name<decltype(v)>(mods, v); }, x); \
    } else {                                                                                 \
      [[maybe_unused]] const auto a = computed(as<T>(x));                                    \
      return T(expression);                                                                  \
    }                                                                                        \
  }
// `v`, or the limit of T that it is beyond.
template <class T, class V>
inline T within(V v) {
  using limits = std::numeric_limits<T>;
  return std::cmp_less(v, limits::min()) ? limits::min() : std::cmp_greater(v, limits::max()) ? limits::max() : T(v);
}
template <class T>
inline T saturated(const char* mods, T v) {
  if constexpr (kFloat<T>)
    if (has(mods, ".sat.")) return v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
  return v;
}
// Integers wrap; with .sat (of 32 bits, signed) they stay within their type.
template <class A, class B>
inline auto wrapping_add(const char* mods, A a, B b) {
  if constexpr (std::is_same_v<A, std::int32_t>)
    if (has(mods, ".sat.")) return within<A>(std::int64_t{a} + b);
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) + static_cast<std::make_unsigned_t<A>>(b));
  else
    return a + b;
}
template <class A, class B>
inline auto wrapping_sub(const char* mods, A a, B b) {
  if constexpr (std::is_same_v<A, std::int32_t>)
    if (has(mods, ".sat.")) return within<A>(std::int64_t{a} - b);
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) - static_cast<std::make_unsigned_t<A>>(b));
  else
    return a - b;
}
SIMT_PTX_BINARY(add, saturated(mods, in_direction(
                                         mods, [mods](auto v, auto w) { return wrapping_add(mods, v, w); }, a, b)))
SIMT_PTX_BINARY(sub, saturated(mods, in_direction(
                                         mods, [mods](auto v, auto w) { return wrapping_sub(mods, v, w); }, a, b)))
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
#undef SIMT_PTX_UNARY
#undef SIMT_PTX_BINARY
// mul.wide and mad.wide give twice the width; .hi its upper half.
template <class T, class A, class B>
inline auto simt_ptx_mul(const char* mods, A x, B y) {
  if constexpr (kPacked<T>) {
    return each_half<T>([&](auto v, auto w) { return simt_ptx_mul<decltype(v)>(mods, v, w); }, x, y);
  } else if constexpr (std::is_integral_v<T>) {
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
  if constexpr (kPacked<T>) {
    return each_half<T>([&](auto a, auto b, auto c) { return simt_ptx_fma<decltype(a)>(mods, a, b, c); }, x, y, z);
  } else {
    const auto sum = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
    const T r = T(saturated(mods, in_direction(mods, sum, computed(as<T>(x)), computed(as<T>(y)), computed(as<T>(z)))));
    return has(mods, ".relu.") && r < T(0) ? T(0) : r;
  }
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
// cvt.pack: two numbers side by side, the second one below, each in the range of its bits; above them what was there.
template <int Bits, bool Signed, class A, class B>
inline std::uint32_t pack_narrow(A high, B low, std::uint32_t before) {
  static constexpr std::int64_t kLowest = Signed ? -(1 << (Bits - 1)) : 0,
                                kHighest = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  const auto piece = [](auto v) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(as<std::int32_t>(v), kLowest, kHighest)) &
           ((1u << Bits) - 1);
  };
  return static_cast<std::uint32_t>(std::uint64_t{before} << 2 * Bits) | piece(high) << Bits | piece(low);
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
// add.cc, addc, sub.cc, subc, mad.lo.cc, madc.lo and .hi with the carry of the statement, the function or the thread.
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
