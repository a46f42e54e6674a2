// SPDX-License-Identifier: Apache-2.0
// Video instructions of inline PTX: integers of a word, a half or a byte, saturated, with a second operation. Part of
// ptx.hpp. PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions".
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ptx_registers.hpp"

namespace simt_cuda::ptx {

enum class video { add, sub, absdiff, min, max, shl, shr, set, avrg };

// Bits of a register: a byte, a half, or all of it.
struct part {
  int first = 0, bits = 32;
  constexpr bool is_all() const { return bits == 32; }
  constexpr std::uint32_t mask() const { return is_all() ? ~0u : ((1u << bits) - 1) << first; }
};

// As an integer of type T, by its sign.
template <class T>
inline std::int64_t part_of(std::uint32_t word, part p) {
  const std::uint32_t shifted = word << (32 - p.first - p.bits);  // at the top
  if constexpr (std::is_signed_v<T>) return static_cast<std::int32_t>(shifted) >> (32 - p.bits);
  return shifted >> (32 - p.bits);
}
// What fits in so many bits, of T's sign.
template <class T>
inline std::int64_t saturated(std::int64_t v, int bits) {
  const std::int64_t top = (std::int64_t{1} << (std::is_signed_v<T> ? bits - 1 : bits)) - 1;
  return std::clamp(v, std::is_signed_v<T> ? -top - 1 : 0, top);
}
inline std::int64_t video_result(const char* mods, video what, std::int64_t a, std::int64_t b) {
  switch (what) {
    case video::add:
      return a + b;
    case video::sub:
      return a - b;
    case video::absdiff:
      return a < b ? b - a : a - b;
    case video::avrg:  // a half goes away from zero
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case video::min:
      return std::min(a, b);
    case video::max:
      return std::max(a, b);
    case video::set:
      return has(mods, ".eq.")   ? a == b
             : has(mods, ".ne.") ? a != b
             : has(mods, ".lt.") ? a < b
             : has(mods, ".le.") ? a <= b
             : has(mods, ".gt.") ? a > b
                                 : a >= b;
    default:
      break;
  }
  const std::int64_t n = has(mods, ".wrap.") ? b & 31 : std::min<std::int64_t>(b & 0xffffffff, 32);
  return what == video::shl ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << n) : a >> n;
}

// The operand c is added to the result, compared with it, or keeps the bits that the result has not.
template <class D, class A, class B, class X, class Y, class Z>
[[gnu::always_inline]] inline std::uint32_t video_scalar(const char* mods, video what, part to, X x, part in_x, Y y,
                                                         part in_y, Z z) {
  std::int64_t v =
      video_result(mods, what, part_of<A>(as<std::uint32_t>(x), in_x), part_of<B>(as<std::uint32_t>(y), in_y));
  if (has(mods, ".sat.")) v = saturated<D>(v, to.bits);
  const auto word = as<std::uint32_t>(z);
  const std::int64_t c = part_of<D>(word, {});
  if (has(mods, ".add.")) v += c;
  if (has(mods, ".min.")) v = std::min(v, c);
  if (has(mods, ".max.")) v = std::max(v, c);
  return (static_cast<std::uint32_t>(v) << to.first & to.mask()) | (word & ~to.mask());
}
// a * b + c, a sign before them and a shift behind; .po adds one more.
template <class D, class A, class B, class X, class Y, class Z>
[[gnu::always_inline]] inline std::uint32_t video_mad(const char* mods, bool negate_product, bool negate_c, X x,
                                                      part in_x, Y y, part in_y, Z z) {
  __int128 v = static_cast<__int128>(part_of<A>(as<std::uint32_t>(x), in_x)) * part_of<B>(as<std::uint32_t>(y), in_y);
  const bool is_signed = std::is_signed_v<A> || std::is_signed_v<B> || negate_product || negate_c;
  const auto word = as<std::uint32_t>(z);
  const std::int64_t c = is_signed ? part_of<std::int32_t>(word, {}) : part_of<std::uint32_t>(word, {});
  v = (negate_product ? -v : v) + (negate_c ? -c : c) + (has(mods, ".po.") ? 1 : 0);
  v >>= has(mods, ".shr7.") ? 7 : has(mods, ".shr15.") ? 15 : 0;
  if (has(mods, ".sat."))
    return static_cast<std::uint32_t>(is_signed
                                          ? std::clamp<__int128>(v, std::numeric_limits<std::int32_t>::min(),
                                                                 std::numeric_limits<std::int32_t>::max())
                                          : std::clamp<__int128>(v, 0, std::numeric_limits<std::uint32_t>::max()));
  return static_cast<std::uint32_t>(v);
}
// Each half or byte by itself; with .add their sum and c.
template <int Lanes, class D, class A, class B, class X, class Y, class Z>
[[gnu::always_inline]] inline std::uint32_t video_lanes(const char* mods, video what, X x, Y y, Z z) {
  constexpr int kBits = 32 / Lanes;
  std::uint32_t all = has(mods, ".add.") ? as<std::uint32_t>(z) : 0;
  for (int i = 0; i < Lanes; ++i) {
    const part p{i * kBits, kBits};
    std::int64_t v = video_result(mods, what, part_of<A>(as<std::uint32_t>(x), p), part_of<B>(as<std::uint32_t>(y), p));
    if (has(mods, ".sat.")) v = saturated<D>(v, kBits);
    if (has(mods, ".add."))
      all += static_cast<std::uint32_t>(v);
    else
      all |= static_cast<std::uint32_t>(v) << p.first & p.mask();
  }
  return all;
}

}  // namespace simt_cuda::ptx
