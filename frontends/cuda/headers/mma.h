// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma: products of small matrices by a warp.
//
// Which lane holds which element of a fragment is nobody's business (Programming Guide, "Warp Matrix Functions"). Here
// every lane has all of the factors and its own part of the sum, so that nothing has to be moved between lanes. A lane
// announces the part of a factor that it would load on its own; the rest is copied unwatched.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace simt_cuda {
#if defined(SIMT_VARIANT_CHECK)
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

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
 public:
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M, columns = std::is_same_v<Use, matrix_a> ? K : N;
  static constexpr bool is_sum = std::is_same_v<Use, accumulator>;
  enum { num_elements = is_sum ? M * N / 32 : rows * columns, num_storage_elements = num_elements };
  using element_type = typename storage_of<T>::type;
  element_type x[num_elements];
};

namespace detail {
template <class T>
SIMT_UNWATCHED inline void gather(T* to, const T* from, int rows, int columns, long ld, bool by_rows) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) to[r * columns + c] = by_rows ? from[r * ld + c] : from[c * ld + r];
}
// The lane's share of what the warp reads: pieces of rows, or of columns.
template <class T>
inline void announce([[maybe_unused]] const T* from, [[maybe_unused]] int lines, [[maybe_unused]] int length,
                     [[maybe_unused]] long ld) {
#if defined(SIMT_VARIANT_CHECK)
  const int share = lines * length / 32 > 0 ? lines * length / 32 : 1,
            lane = static_cast<int>(simt_cuda::self().lane());
  for (int i = lane * share; i < (lane + 1) * share && i < lines * length;) {
    const int line = i / length, at = i % length;
    int count = share - (i - lane * share);
    if (count > length - at) count = length - at;
    simt_cuda::__tsan_read_range(const_cast<T*>(from + line * ld + at), static_cast<unsigned long>(count) * sizeof(T));
    i += count;
  }
#endif
}
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout>
inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f,
                             const typename fragment<Use, M, N, K, T, Layout>::element_type* from, unsigned ld) {
  using F = fragment<Use, M, N, K, T, Layout>;
  constexpr bool kByRows = std::is_same_v<Layout, row_major>;
  detail::announce(from, kByRows ? F::rows : F::columns, kByRows ? F::columns : F::rows, static_cast<long>(ld));
  detail::gather(f.x, from, F::rows, F::columns, static_cast<long>(ld), kByRows);
}
template <int M, int N, int K, class T>
inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* from, unsigned ld, layout_t layout) {
  const int lane = static_cast<int>(simt_cuda::self().lane());
  for (int i = 0; i < f.num_elements; ++i) {
    const int e = lane * f.num_elements + i, r = e / N, c = e % N;
    f.x[i] = layout == mem_row_major ? from[r * static_cast<long>(ld) + c] : from[c * static_cast<long>(ld) + r];
  }
}
template <int M, int N, int K, class T>
inline void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& f, unsigned ld, layout_t layout) {
  const int lane = static_cast<int>(simt_cuda::self().lane());
  for (int i = 0; i < f.num_elements; ++i) {
    const int e = lane * f.num_elements + i, r = e / N, c = e % N;
    (layout == mem_row_major ? to[r * static_cast<long>(ld) + c] : to[c * static_cast<long>(ld) + r]) = f.x[i];
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
  __syncwarp();
  const int lane = static_cast<int>(simt_cuda::self().lane());
  for (int i = 0; i < d.num_elements; ++i) {
    const int e = lane * d.num_elements + i, r = e / N, col = e % N;
    work sum = static_cast<work>(c.x[i]);
    for (int k = 0; k < K; ++k)
      sum += static_cast<work>(static_cast<work>(a.x[r * K + k]) * static_cast<work>(b.x[k * N + col]));
    d.x[i] = static_cast<D>(sum);
  }
}

}  // namespace wmma
}  // namespace nvcuda

#include "simt_cuda/restore_names.hpp"
