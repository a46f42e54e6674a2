// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of inline PTX: mma.sync by fragments, ldmatrix, stmatrix (PTX ISA 8, "Warp Level Matrix
// Instructions"). Which lane holds which element is part of the language here, so lanes fetch the rows and columns that
// they need from each other.
#pragma once

#include <cstdint>

#include <simt/small_float_bits.hpp>

#include "narrow_formats.hpp"
#include "warp_functions.hpp"

namespace simt_cuda::ptx {

// What an element is: how many bits, what it is worth, in what it is summed up.
struct mma_f16 {
  static constexpr int bits = 16;
  using work = float;
  static float value(std::uint64_t x) { return simt::detail::half_arithmetic::value(static_cast<std::uint16_t>(x)); }
  static std::uint64_t code(float v) { return simt::detail::half_arithmetic::from(v); }
};
struct mma_bf16 {
  static constexpr int bits = 16;
  using work = float;
  static float value(std::uint64_t x) {
    return simt::detail::bfloat16_arithmetic::value(static_cast<std::uint16_t>(x));
  }
};
struct mma_tf32 {  // the lower bits are not looked at
  static constexpr int bits = 32;
  using work = float;
  static float value(std::uint64_t x) { return __builtin_bit_cast(float, static_cast<std::uint32_t>(x) & 0xffffe000u); }
};
struct mma_f32 {
  static constexpr int bits = 32;
  using work = float;
  static float value(std::uint64_t x) { return __builtin_bit_cast(float, static_cast<std::uint32_t>(x)); }
  static std::uint64_t code(float v) { return __builtin_bit_cast(std::uint32_t, v); }
};
struct mma_f64 {
  static constexpr int bits = 64;
  using work = double;
  static double value(std::uint64_t x) { return __builtin_bit_cast(double, x); }
  static std::uint64_t code(double v) { return __builtin_bit_cast(std::uint64_t, v); }
};
struct mma_s32 {
  static constexpr int bits = 32;
  using work = int;
  static int value(std::uint64_t x) { return static_cast<int>(x); }
  static std::uint64_t code(int v) { return static_cast<std::uint32_t>(v); }
};
struct mma_s8 {
  static constexpr int bits = 8;
  static int value(std::uint64_t x) { return static_cast<signed char>(x); }
};
struct mma_u8 {
  static constexpr int bits = 8;
  static int value(std::uint64_t x) { return static_cast<unsigned char>(x); }
};
struct mma_e4m3 {
  static constexpr int bits = 8;
  static float value(std::uint64_t x) { return from_narrow(static_cast<unsigned int>(x & 0xff), kE4M3); }
};
struct mma_e5m2 {
  static constexpr int bits = 8;
  static float value(std::uint64_t x) { return from_narrow(static_cast<unsigned int>(x & 0xff), kE5M2); }
};

template <class V>
[[gnu::always_inline]] inline std::uint64_t bits_of(V v) {
  if constexpr (sizeof(V) == 8)
    return __builtin_bit_cast(std::uint64_t, v);
  else if constexpr (sizeof(V) == 4)
    return __builtin_bit_cast(std::uint32_t, v);
  else
    return static_cast<std::uint64_t>(v);
}
template <class T>
[[gnu::always_inline]] inline auto register_of(std::uint64_t x) {
  if constexpr (std::is_same_v<T, mma_f32> || std::is_same_v<T, mma_f64>)
    return T::value(x);
  else
    return static_cast<std::uint32_t>(x);
}

// Element i of a register.
template <class T>
inline auto element(std::uint64_t reg, int i) {
  return T::value(T::bits == 64 ? reg : reg >> (i * T::bits));
}

// D = A B + C. Lane 4g + t holds of A the rows g and g + 8, of B the column g; of both the elements of register r that
// begin at t times what a register holds, r / (rows / 8) quads of registers further on. Of C and D it holds the columns
// 2t and 2t + 1.
template <int M, int N, int K, class D, class A, class B, class C, int DN, int AN, int BN, int CN>
inline void mma(std::uint64_t (&d)[DN], const std::uint64_t (&a)[AN], const std::uint64_t (&b)[BN],
                const std::uint64_t (&c)[CN]) {
  constexpr int kIn = (A::bits < 32 ? 32 / A::bits : 1), kRows = M / 8, kPacked = D::bits == 16 ? 2 : 1;
  static_assert(N == 8 && AN * kIn * 4 * 8 == M * K && BN * kIn * 4 * 8 == N * K && DN * kPacked == 2 * kRows &&
                    CN * (C::bits == 16 ? 2 : 1) == 2 * kRows,
                "the lists of registers do not fit the shape of the matrices");
  using work = typename D::work;
  const int lane = static_cast<int>(self().lane()), g = lane / 4, t = lane % 4;
  work sum[kRows][2];
  for (int h = 0; h < kRows; ++h)
    for (int j = 0; j < 2; ++j) {
      const int i = 2 * h + j;
      sum[h][j] = static_cast<work>(C::bits == 16 ? element<C>(c[i / 2], i % 2) : element<C>(c[i % CN], 0));
    }
  for (int from = 0; from < 4; ++from) {
    std::uint64_t row[AN], column[2][BN];
    for (int r = 0; r < AN; ++r) row[r] = __shfl_sync(0xffffffffu, static_cast<unsigned long long>(a[r]), 4 * g + from);
    for (int j = 0; j < 2; ++j)
      for (int r = 0; r < BN; ++r)
        column[j][r] = __shfl_sync(0xffffffffu, static_cast<unsigned long long>(b[r]), 4 * (2 * t + j) + from);
    for (int h = 0; h < kRows; ++h)
      for (int j = 0; j < 2; ++j)
        for (int r = 0; r < BN; ++r)
          for (int i = 0; i < kIn; ++i)
            sum[h][j] +=
                static_cast<work>(element<A>(row[r * kRows + h], i)) * static_cast<work>(element<B>(column[j][r], i));
  }
  for (int i = 0; i < DN; ++i) {
    if constexpr (D::bits == 16)
      d[i] = D::code(sum[i][0]) | D::code(sum[i][1]) << 16;
    else
      d[i] = D::code(sum[i / 2][i % 2]);
  }
}

// Matrices of 8 rows of 16 bytes, whose addresses the lanes 8m .. 8m + 7 give. A lane gets two elements of row
// lane / 4, or transposed of column lane / 4.
template <int Count>
inline void load_matrices(const char* row, std::uint32_t (&to)[Count], bool transposed) {
  const int lane = static_cast<int>(self().lane());
  const auto given = reinterpret_cast<unsigned long long>(row);
  const auto address = [&](int from) { return reinterpret_cast<const char*>(__shfl_sync(0xffffffffu, given, from)); };
  for (int m = 0; m < Count; ++m) {
    if (!transposed) {
      to[m] = *reinterpret_cast<const std::uint32_t*>(address(8 * m + lane / 4) + lane % 4 * 4);
      continue;
    }
    const char *first = address(8 * m + lane % 4 * 2), *second = address(8 * m + lane % 4 * 2 + 1);
    to[m] = *reinterpret_cast<const std::uint16_t*>(first + lane / 4 * 2) |
            static_cast<std::uint32_t>(*reinterpret_cast<const std::uint16_t*>(second + lane / 4 * 2)) << 16;
  }
}
template <int Count>
inline void store_matrices(char* row, const std::uint64_t (&from)[Count], bool transposed) {
  const int lane = static_cast<int>(self().lane());
  const auto given = reinterpret_cast<unsigned long long>(row);
  const auto address = [&](int lane_of) { return reinterpret_cast<char*>(__shfl_sync(0xffffffffu, given, lane_of)); };
  for (int m = 0; m < Count; ++m) {
    const auto v = static_cast<std::uint32_t>(from[m]);
    if (!transposed) {
      *reinterpret_cast<std::uint32_t*>(address(8 * m + lane / 4) + lane % 4 * 4) = v;
      continue;
    }
    char *const first = address(8 * m + lane % 4 * 2), *const second = address(8 * m + lane % 4 * 2 + 1);
    *reinterpret_cast<std::uint16_t*>(first + lane / 4 * 2) = static_cast<std::uint16_t>(v);
    *reinterpret_cast<std::uint16_t*>(second + lane / 4 * 2) = static_cast<std::uint16_t>(v >> 16);
  }
}

// Conversions to tf32, and of two floats to a pair; the first operand is the upper half. The type of its own makes a
// conversion between two types prefer ptx_arithmetic.hpp's.
struct tf32_modifiers {
  const char* text;
  tf32_modifiers(const char* t) : text(t) {}  // NOLINT(google-explicit-constructor): that is its purpose
};
template <class T, class V>
requires std::is_same_v<T, float>
inline std::uint32_t simt_ptx_cvt(tf32_modifiers mods, V v) {
  const auto bits = static_cast<std::uint32_t>(bits_of(as<float>(v)));
  return has(mods.text, ".rz.") ? bits & 0xffffe000u : (bits + 0x1000u) & 0xffffe000u;
}
template <class T, class F, class V, class W>
requires kPacked<T>
inline T simt_ptx_cvt(const char* mods, V high, W low) {
  const auto clipped = [&](float v) { return has(mods, ".relu.") && v < 0 ? 0.0f : v; };
  return T{half_of<T>(clipped(as<float>(low))), half_of<T>(clipped(as<float>(high)))};
}
template <class T, class V>
requires kPacked<T>
inline T simt_ptx_cvt(const char* mods, V narrow) {  // from a pair of narrow floats
  const auto format = has(mods, ".e5m2x2.") ? kE5M2 : kE4M3;
  const auto bits = as<std::uint16_t>(narrow);
  return T{half_of<T>(from_narrow(bits & 0xff, format)), half_of<T>(from_narrow(bits >> 8, format))};
}
template <class T, class V, class W>
requires std::is_same_v<T, float>
inline std::uint32_t simt_ptx_cvt(const char* mods, V high, W low) {  // to a pair of narrow floats
  const bool wide = has(mods, ".e5m2x2.");
  return to_narrow(as<float>(high), wide ? kE5M2 : kE4M3, true) << 8 |
         to_narrow(as<float>(low), wide ? kE5M2 : kE4M3, true);
}

// Each lane has two elements of 16 bits of a row of a matrix of 8 by 8, four lanes a row: those of the transposed one.
template <class T, class V>
inline std::uint32_t simt_ptx_movmatrix(const char*, V fragment) {
  const auto mine = static_cast<std::uint32_t>(fragment);
  const unsigned lane = self().lane(), row = lane / 4, first = lane % 4 * 2;
  std::uint32_t result = 0;
  for (unsigned k = 0; k < 2; ++k) {
    const std::uint32_t pair = __shfl_sync(~0u, mine, static_cast<int>((first + k) * 4 + row / 2));
    result |= (pair >> row % 2 * 16 & 0xffff) << k * 16;
  }
  return result;
}

}  // namespace simt_cuda::ptx
