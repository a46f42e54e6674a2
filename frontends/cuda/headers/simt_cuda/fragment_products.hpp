// SPDX-License-Identifier: Apache-2.0
// What one lane does in a product of fragments (mma.h), on vectors of the host: moves of rows and columns, and the sums
// of a few rows of A by a few columns of B. Plain code for any compiler of vectors; nothing in here is watched.
#pragma once

#include <simt/dim3.hpp>

#include <utility>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda::wmma::detail {

// N elements side by side; `loose_vector` may lie at any address.
template <class T, int N>
struct vector_types {
  typedef T packed __attribute__((vector_size(N * sizeof(T))));
  typedef T loose __attribute__((vector_size(N * sizeof(T)), aligned(1), may_alias));
};
template <class T, int N>
using vector = typename vector_types<T, N>::packed;
template <class T, int N>
using loose_vector = typename vector_types<T, N>::loose;

// What holds an element: an arithmetic type of its size.
template <class T>
struct raw_of {
  using type = T;
};
template <>
struct raw_of<__half> {
  using type = unsigned short;
};
template <>
struct raw_of<__nv_bfloat16> {
  using type = unsigned short;
};
template <class T>
using raw = typename raw_of<T>::type;

template <int N, class T>
[[gnu::always_inline]] SIMT_UNWATCHED inline vector<raw<T>, N> load_raw(const T* from) {
  return *reinterpret_cast<const loose_vector<raw<T>, N>*>(from);
}
template <int N, class T>
[[gnu::always_inline]] SIMT_UNWATCHED inline void store_raw(T* to, vector<raw<T>, N> v) {
  *reinterpret_cast<loose_vector<raw<T>, N>*>(to) = v;
}

// N elements as numbers of type W: exact, since W is wider.
template <class W, int N, class T>
[[gnu::always_inline]] SIMT_UNWATCHED inline vector<W, N> widen(const T* from) {
  const auto bits = load_raw<N>(from);
  if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return reinterpret_cast<vector<float, N>>(__builtin_convertvector(bits, vector<unsigned, N>) << 16);
  } else if constexpr (std::is_same_v<T, __half>) {
#if defined(__F16C__) && defined(__clang__)
    return __builtin_convertvector(reinterpret_cast<vector<_Float16, N>>(bits), vector<float, N>);
#else
    using words = vector<unsigned, N>;
    const words all = __builtin_convertvector(bits, words), size = (all & 0x7fffU) << 13;
    const vector<float, N> scaled = reinterpret_cast<vector<float, N>>(size) * 0x1p112f;  // the other bias
    const words no_number = reinterpret_cast<words>(size >= 0x0f800000U) & 0x7f800000U;   // infinity and NaN stay so
    return reinterpret_cast<vector<float, N>>(reinterpret_cast<words>(scaled) | no_number | ((all & 0x8000U) << 16));
#endif
  } else {
    return __builtin_convertvector(bits, vector<W, N>);
  }
}

// Pieces of `Piece` elements of a and b by turns: the first half (Part 0) or the second half of the result.
template <int Piece, int Part, class V, int... I>
[[gnu::always_inline]] SIMT_UNWATCHED inline V interleave(V a, V b, std::integer_sequence<int, I...>) {
  constexpr int N = sizeof...(I);
  return __builtin_shufflevector(a, b, ((I / Piece % 2) * N + Part * N / 2 + I / (2 * Piece) * Piece + I % Piece)...);
}

// Columns of K elements, each `ld` elements behind the other, to K rows.
template <int K, int Columns, class T>
[[gnu::always_inline]] SIMT_UNWATCHED inline void columns_to_rows(T* to, const T* from, long ld) {
  static_assert(Columns == 2 || Columns == 4);
  constexpr std::make_integer_sequence<int, K> all{};
  const auto c0 = load_raw<K>(from), c1 = load_raw<K>(from + ld);
  const auto low = interleave<1, 0>(c0, c1, all), high = interleave<1, 1>(c0, c1, all);
  if constexpr (Columns == 2) {
    store_raw<K>(to, low);
    store_raw<K>(to + K, high);
  } else {
    const auto c2 = load_raw<K>(from + 2 * ld), c3 = load_raw<K>(from + 3 * ld);
    const auto low2 = interleave<1, 0>(c2, c3, all), high2 = interleave<1, 1>(c2, c3, all);
    store_raw<K>(to, interleave<2, 0>(low, low2, all));
    store_raw<K>(to + K, interleave<2, 1>(low, low2, all));
    store_raw<K>(to + 2 * K, interleave<2, 0>(high, high2, all));
    store_raw<K>(to + 3 * K, interleave<2, 1>(high, high2, all));
  }
}

// Elements First, First + 1, ..., each `Times` times.
template <int First, int Times, class V, int... I>
[[gnu::always_inline]] SIMT_UNWATCHED inline auto spread(V v, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(v, v, (First + I / Times)...);
}
// The sum of the two halves, of their halves, and so on down to N elements.
template <class W, int N, class V, int... I>
[[gnu::always_inline]] SIMT_UNWATCHED inline vector<W, N> fold(V v, std::integer_sequence<int, I...> half) {
  constexpr int kHalf = sizeof...(I);
  if constexpr (kHalf < N) {
    return v;
  } else {
    const vector<W, kHalf> sum = __builtin_shufflevector(v, v, I...) + __builtin_shufflevector(v, v, (kHalf + I)...);
    return fold<W, N>(sum, std::make_integer_sequence<int, kHalf / 2>{});
  }
}

// sums[r] += row r of a (K elements each) by the columns of b (K rows of `Columns` elements).
template <class W, int K, int Columns, int Rows, class A, class B>
[[gnu::always_inline]] SIMT_UNWATCHED inline void add_products(vector<W, Columns> (&sums)[Rows], const A* a,
                                                               const B* b) {
  constexpr int kSteps = 4, kWide = kSteps * Columns;  // so many rows of b in one vector
  static_assert(K % kSteps == 0);
  vector<W, K> row[Rows];
  vector<W, kWide> wide[Rows] = {};
  for (int r = 0; r < Rows; ++r) row[r] = widen<W, K>(a + r * K);
  [&]<int... S>(std::integer_sequence<int, S...>) __attribute__((always_inline)) SIMT_UNWATCHED {
    const auto step = [&]<int At>(std::integral_constant<int, At>) __attribute__((always_inline)) SIMT_UNWATCHED {
      const vector<W, kWide> columns = widen<W, kWide>(b + At * Columns);
      for (int r = 0; r < Rows; ++r)
        wide[r] += spread<At, Columns>(row[r], std::make_integer_sequence<int, kWide>{}) * columns;
    };
    (step(std::integral_constant<int, S * kSteps>{}), ...);
  }
  (std::make_integer_sequence<int, K / kSteps>{});
  for (int r = 0; r < Rows; ++r) sums[r] += fold<W, Columns>(wide[r], std::make_integer_sequence<int, kWide / 2>{});
}

}  // namespace nvcuda::wmma::detail
