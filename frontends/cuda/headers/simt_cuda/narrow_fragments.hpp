// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma::experimental: products of 8 by 8 numbers of 4 bits and of single bits. Part of mma.h.
//
// Invariants
// - A row of A and a column of B are four words each. A lane has what its share of the sum needs, as of wider numbers.
#pragma once

namespace nvcuda {
namespace wmma {
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace detail {
constexpr int kWordsOfLine = 4;  // 32 numbers of 4 bits, 128 of one

template <class T>
concept narrow = std::is_same_v<T, experimental::precision::u4> || std::is_same_v<T, experimental::precision::s4> ||
    std::is_same_v<T, experimental::precision::b1>;

inline int narrow_at(unsigned word, int i, experimental::precision::u4) { return static_cast<int>(word >> 4 * i & 15); }
inline int narrow_at(unsigned word, int i, experimental::precision::s4) {
  return static_cast<int>(word << (28 - 4 * i)) >> 28;
}
}  // namespace detail

template <class Use, int M, int N, int K, detail::narrow T, class Layout>
class fragment<Use, M, N, K, T, Layout> {
 public:
  static_assert(M == 8 && N == 8 && K == (std::is_same_v<T, experimental::precision::b1> ? 128 : 32));
  using share = share_of_lane<M, N>;
  static constexpr bool is_left = std::is_same_v<Use, matrix_a>;
  enum {
    num_storage_elements = detail::kWordsOfLine * (is_left ? share::rows : share::columns),
    num_elements = num_storage_elements * K / detail::kWordsOfLine
  };
  using element_type = T;
  using storage_element_type = std::conditional_t<std::is_same_v<T, experimental::precision::s4>, int, unsigned>;
  storage_element_type x[num_storage_elements];
};

template <class Use, int M, int N, int K, detail::narrow T, class Layout>
[[gnu::always_inline]] inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const void* from,
                                                    unsigned ld) {
  using share = share_of_lane<M, N>;
  constexpr bool kLeft = std::is_same_v<Use, matrix_a>;
  static_assert(std::is_same_v<Layout, std::conditional_t<kLeft, row_major, col_major>>);
  constexpr int kLines = kLeft ? share::rows : share::columns;
  const long next = static_cast<long>(ld) * detail::kWordsOfLine / K;
  const auto* const words = static_cast<const unsigned*>(from);
  const int lane = static_cast<int>(simt_cuda::self().lane());
  detail::announce<8, detail::kWordsOfLine>(words, next);
  [&]() SIMT_UNWATCHED {
    const int first = kLeft ? share::first_row(lane) : share::first_column(lane);
    for (int line = 0; line < kLines; ++line)
      for (int w = 0; w < detail::kWordsOfLine; ++w)
        f.x[line * detail::kWordsOfLine + w] =
            static_cast<typename fragment<Use, M, N, K, T, Layout>::storage_element_type>(
                words[(first + line) * next + w]);
  }();
}
template <class Use, int M, int N, int K, detail::narrow T, class Layout, class V>
inline void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const V& v) {
  const unsigned bits = static_cast<unsigned>(v) & (K == 128 ? 1u : 15u);
  const unsigned all = bits * (K == 128 ? 0xffffffffu : 0x11111111u);
  for (auto& word : f.x) word = static_cast<typename fragment<Use, M, N, K, T, Layout>::storage_element_type>(all);
}

namespace detail {
// Sums over words of rows and columns; of_words: the sum of the products in two words.
template <int M, int N, int K, class T, class F>
[[gnu::always_inline]] inline void add_words(fragment<accumulator, M, N, K, int>& d,
                                             const fragment<matrix_a, M, N, K, T, row_major>& a,
                                             const fragment<matrix_b, M, N, K, T, col_major>& b,
                                             const fragment<accumulator, M, N, K, int>& c, F of_words) {
  using share = share_of_lane<M, N>;
#if defined(SIMT_VARIANT_CHECK)
  __all_sync(0xffffffffu, 1);  // as mma_sync
#endif
  [&]() SIMT_UNWATCHED {
    for (int r = 0; r < share::rows; ++r)
      for (int i = 0; i < share::columns; ++i) {
        int sum = c.x[r * share::columns + i];
        for (int w = 0; w < kWordsOfLine; ++w)
          sum += of_words(static_cast<unsigned>(a.x[r * kWordsOfLine + w]),
                          static_cast<unsigned>(b.x[i * kWordsOfLine + w]));
        d.x[r * share::columns + i] = sum;
      }
  }();
}
}  // namespace detail

template <int M, int N, int K, detail::narrow T>
inline void mma_sync(fragment<accumulator, M, N, K, int>& d, const fragment<matrix_a, M, N, K, T, row_major>& a,
                     const fragment<matrix_b, M, N, K, T, col_major>& b, const fragment<accumulator, M, N, K, int>& c,
                     [[maybe_unused]] bool saturate = false) {
  detail::add_words(d, a, b, c, [](unsigned left, unsigned right) {
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += detail::narrow_at(left, i, T{}) * detail::narrow_at(right, i, T{});
    return sum;
  });
}
template <int M, int N, int K>
inline void bmma_sync(fragment<accumulator, M, N, K, int>& d,
                      const fragment<matrix_a, M, N, K, experimental::precision::b1, row_major>& a,
                      const fragment<matrix_b, M, N, K, experimental::precision::b1, col_major>& b,
                      const fragment<accumulator, M, N, K, int>& c,
                      experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                      experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  detail::add_words(d, a, b, c, [op](unsigned left, unsigned right) {
    return __builtin_popcount(op == experimental::bmmaBitOpXOR ? left ^ right : left & right);
  });
}

}  // namespace wmma
}  // namespace nvcuda
