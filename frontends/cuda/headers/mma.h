// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma: products of small matrices by a warp.
//
// Which lane holds which element of a fragment is nobody's business (Programming Guide, "Warp Matrix Functions"). Here
// a lane has a few neighbours of a sum, two rows by four columns, and of the factors what their products need: nothing
// is moved between lanes, several lanes have the same elements of a factor.
//
// Invariants
// - Each byte of a factor that the warp loads is announced, by one of its lanes; the copies are unwatched.
// - Lanes that follow each other announce pieces of one size at evenly spaced addresses, one line on: so they are
//   gathered (sim/instrument/batch_recorder.hpp) and not judged one by one.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simt_cuda/fragment_products.hpp"

namespace simt_cuda {
#if defined(SIMT_VARIANT_CHECK)
extern "C" void __tsan_read4(void* p);
extern "C" void __tsan_read8(void* p);
extern "C" void __tsan_read16(void* p);
extern "C" void __tsan_read_range(void* p, unsigned long bytes);
#endif
}  // namespace simt_cuda

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision

template <class T>
struct storage_of {
  using type = T;
};
template <>
struct storage_of<precision::tf32> {
  using type = float;
};
// As the hardware cuts a float: ten bits of fraction, to nearest.
inline float __float_to_tf32(float v) {
  unsigned bits = __builtin_bit_cast(unsigned, v);
  bits = (bits + 0x1000u) & 0xffffe000u;
  return __builtin_bit_cast(float, bits);
}

// Of a sum of M by N: what one lane has, and where it begins.
template <int M, int N>
struct share_of_lane {
  static constexpr int columns = M * N / 32 >= 8 ? 4 : 2, rows = M * N / 32 / columns;
  static_assert(rows * columns * 32 == M * N && N % columns == 0);
  static int first_row(int lane) { return lane / (N / columns) * rows; }
  static int first_column(int lane) { return lane % (N / columns) * columns; }
};

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
 public:
  using share = share_of_lane<M, N>;
  static constexpr bool is_sum = std::is_same_v<Use, accumulator>, is_left = std::is_same_v<Use, matrix_a>;
  // A sum's rows; rows of A of K elements; K rows of B.
  enum {
    num_elements = is_sum ? share::rows * share::columns : K * (is_left ? share::rows : share::columns),
    num_storage_elements = num_elements
  };
  using element_type = typename storage_of<T>::type;
  element_type x[num_elements];
};

namespace detail {
template <int M, int N, int K, class T>
[[gnu::always_inline]] SIMT_UNWATCHED inline void take_rows(T* to, const T* from, long ld, bool by_rows, int lane) {
  using share = share_of_lane<M, N>;
  const int first = share::first_row(lane);
  if (by_rows) {
    for (int r = 0; r < share::rows; ++r) store_raw<K>(to + r * K, load_raw<K>(from + (first + r) * ld));
  } else {
    for (int k = 0; k < K; ++k)
      for (int r = 0; r < share::rows; ++r) to[r * K + k] = from[k * ld + first + r];
  }
}
template <int M, int N, int K, class T>
[[gnu::always_inline]] SIMT_UNWATCHED inline void take_columns(T* to, const T* from, long ld, bool by_rows, int lane) {
  using share = share_of_lane<M, N>;
  constexpr int columns = share::columns;
  const int first = share::first_column(lane);
  if (by_rows) {
    for (int k = 0; k < K; ++k) store_raw<columns>(to + k * columns, load_raw<columns>(from + k * ld + first));
  } else {
    columns_to_rows<K, columns>(to, from + first * ld, ld);
  }
}
// The lane's share of what the warp reads: pieces of `Lines` rows or columns, `Length` elements each. A load of the
// lane's own would be of such a piece, where that suits the address.
template <int Lines, int Length, class T>
[[gnu::always_inline]] inline void announce([[maybe_unused]] const T* from, [[maybe_unused]] long ld) {
#if defined(SIMT_VARIANT_CHECK)
  constexpr int share = Lines * Length * static_cast<int>(sizeof(T)) / 32, piece = share < 16 ? share : 16,
                pieces = share / piece;
  static_assert((piece == 4 || piece == 8 || piece == 16) && pieces * piece * 32 == Lines * Length * sizeof(T) &&
                Length * sizeof(T) % piece == 0);
  const int lane = static_cast<int>(simt_cuda::self().lane());
  const long next = ld * static_cast<long>(sizeof(T));
  char* const first = reinterpret_cast<char*>(const_cast<T*>(from));
  const bool aligned = ((reinterpret_cast<unsigned long>(first) | static_cast<unsigned long>(next)) & (piece - 1)) == 0;
  for (int i = lane; i < 32 * pieces; i += 32) {
    char* const at = first + i % Lines * next + i / Lines * piece;
    if (!aligned)
      simt_cuda::__tsan_read_range(at, piece);
    else if constexpr (piece == 16)
      simt_cuda::__tsan_read16(at);
    else if constexpr (piece == 8)
      simt_cuda::__tsan_read8(at);
    else
      simt_cuda::__tsan_read4(at);
  }
#endif
}
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout>
[[gnu::always_inline]] inline void load_matrix_sync(
    fragment<Use, M, N, K, T, Layout>& f, const typename fragment<Use, M, N, K, T, Layout>::element_type* from,
    unsigned ld) {
  constexpr bool kByRows = std::is_same_v<Layout, row_major>, kLeft = std::is_same_v<Use, matrix_a>;
  constexpr int kRows = kLeft ? M : K, kColumns = kLeft ? K : N;
  const int lane = static_cast<int>(simt_cuda::self().lane());
  detail::announce<kByRows ? kRows : kColumns, kByRows ? kColumns : kRows>(from, static_cast<long>(ld));
  if constexpr (kLeft)
    detail::take_rows<M, N, K>(f.x, from, static_cast<long>(ld), kByRows, lane);
  else
    detail::take_columns<M, N, K>(f.x, from, static_cast<long>(ld), kByRows, lane);
}
template <int M, int N, int K, class T>
[[gnu::always_inline]] inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* from, unsigned ld,
                                                    layout_t layout) {
  using share = share_of_lane<M, N>;
  using piece = detail::loose_vector<detail::raw<T>, share::columns>;
  const int lane = static_cast<int>(simt_cuda::self().lane());
  const long first = share::first_row(lane), column = share::first_column(lane), next = static_cast<long>(ld);
  for (int r = 0; r < share::rows; ++r) {
    if (layout == mem_row_major) {
      const piece of_row = *reinterpret_cast<const piece*>(from + (first + r) * next + column);
      detail::store_raw<share::columns>(f.x + r * share::columns, of_row);
    } else {
      for (int c = 0; c < share::columns; ++c) f.x[r * share::columns + c] = from[(column + c) * next + first + r];
    }
  }
}
template <int M, int N, int K, class T>
[[gnu::always_inline]] inline void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& f, unsigned ld,
                                                     layout_t layout) {
  using share = share_of_lane<M, N>;
  using piece = detail::loose_vector<detail::raw<T>, share::columns>;
  const int lane = static_cast<int>(simt_cuda::self().lane());
  const long first = share::first_row(lane), column = share::first_column(lane), next = static_cast<long>(ld);
  for (int r = 0; r < share::rows; ++r) {
    if (layout == mem_row_major) {
      const piece of_row = detail::load_raw<share::columns>(f.x + r * share::columns);
      *reinterpret_cast<piece*>(to + (first + r) * next + column) = of_row;
    } else {
      for (int c = 0; c < share::columns; ++c) to[(column + c) * next + first + r] = f.x[r * share::columns + c];
    }
  }
}
template <class Use, int M, int N, int K, class T, class Layout, class V>
inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const V& v) {
  for (auto& e : f.x) e = static_cast<typename fragment<Use, M, N, K, T, Layout>::element_type>(v);
}
template <int M, int N, int K, class A, class LA, class B, class LB, class D, class C>
inline void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, A, LA>& a,
                     const fragment<matrix_b, M, N, K, B, LB>& b, const fragment<accumulator, M, N, K, C>& c,
                     [[maybe_unused]] bool saturate = false) {
  // Products are exact in float (int, double); the sum is rounded once to the type of the result.
  using work =
      std::conditional_t<std::is_integral_v<D>, int, std::conditional_t<std::is_same_v<D, double>, double, float>>;
  using share = share_of_lane<M, N>;
  constexpr int columns = share::columns;
#if defined(SIMT_VARIANT_CHECK)
  // Lanes that are not there are a finding. A vote, for the instruction waits for its lanes and orders no memory.
  __all_sync(0xffffffffu, 1);
#endif
  [&]() SIMT_UNWATCHED {
    detail::vector<work, columns> sums[share::rows];
    for (int r = 0; r < share::rows; ++r) sums[r] = detail::widen<work, columns>(c.x + r * columns);
    detail::add_products<work, K, columns>(sums, a.x, b.x);
    for (int r = 0; r < share::rows; ++r)
      for (int i = 0; i < columns; ++i) d.x[r * columns + i] = static_cast<D>(sums[r][i]);
  }();
}

}  // namespace wmma
}  // namespace nvcuda

#include "simt_cuda/narrow_fragments.hpp"

#include "simt_cuda/restore_names.hpp"
