// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions: each is a kernel of one thread on the given stream (see thrust/policies.hpp). Here:
// those that make one result of many elements.
#pragma once

#include <vector>

#include "tools.hpp"
#include "../hide_names.hpp"

namespace cub {

namespace detail {
// The first call asks how much memory is wanted; the second does the work. It needs none of it, but writes there, so
// that two calls that use one storage at a time are found.
template <class Work>
cudaError_t run(void* temp, std::size_t& bytes, std::size_t wanted, const char* name, cudaStream_t s, Work work) {
  if (temp == nullptr) {
    bytes = wanted > 0 ? wanted : 1;
    return cudaSuccess;
  }
  if (bytes < wanted) return cudaErrorInvalidValue;
  thrust::detail::start(name, s, 1, 1, [=, storage = static_cast<unsigned char*>(temp)](std::size_t) mutable {
    *storage = 1;
    work();
  });
  return cudaPeekAtLastError();
}
template <class I>
using value_of = typename std::iterator_traits<I>::value_type;
using thrust::detail::raw;
using size = std::ptrdiff_t;
template <class I, class O>
using result_of = std::conditional_t<std::is_pointer_v<thrust::detail::raw_type<O>>,
                                     std::remove_pointer_t<thrust::detail::raw_type<O>>, value_of<I>>;
}  // namespace detail

struct DeviceReduce {
  template <class I, class O, class N, class Op, class T>
  static cudaError_t Reduce(void* temp, std::size_t& bytes, I in, O out, N n, Op op, T init, cudaStream_t s = nullptr,
                            bool = false) {
    return detail::run(temp, bytes, 1, "cub::DeviceReduce()", s,
                       [=, x = detail::raw(in), to = detail::raw(out)]() mutable {
                         *to = thrust::detail::combine<T>(static_cast<detail::size>(n), init, op,
                                                          [&](detail::size i) -> decltype(auto) { return x[i]; });
                       });
  }
  template <class I, class O, class N>
  static cudaError_t Sum(void* temp, std::size_t& bytes, I in, O out, N n, cudaStream_t s = nullptr, bool = false) {
    return Reduce(temp, bytes, in, out, n, cub::Sum(), detail::result_of<I, O>(0), s);
  }
  template <class I, class O, class N>
  static cudaError_t Min(void* temp, std::size_t& bytes, I in, O out, N n, cudaStream_t s = nullptr, bool = false) {
    using T = detail::value_of<I>;
    return Reduce(temp, bytes, in, out, n, cub::Min(), std::numeric_limits<T>::max(), s);
  }
  template <class I, class O, class N>
  static cudaError_t Max(void* temp, std::size_t& bytes, I in, O out, N n, cudaStream_t s = nullptr, bool = false) {
    using T = detail::value_of<I>;
    return Reduce(temp, bytes, in, out, n, cub::Max(), std::numeric_limits<T>::lowest(), s);
  }
  template <class I, class O, class N, class Op, class G, class T>
  static cudaError_t TransformReduce(void* temp, std::size_t& bytes, I in, O out, N n, Op op, G g, T init,
                                     cudaStream_t s = nullptr) {
    return detail::run(temp, bytes, 1, "cub::DeviceReduce()", s,
                       [=, x = detail::raw(in), to = detail::raw(out)]() mutable {
                         *to = thrust::detail::combine<T>(static_cast<detail::size>(n), init, op,
                                                          [&](detail::size i) { return g(x[i]); });
                       });
  }
#define SIMT_CUB_ARG(name, better)                                                                                    \
  template <class I, class O, class N>                                                                                \
  requires requires(O o) { o[0].key; }                                                                                \
  static cudaError_t name(void* temp, std::size_t& bytes, I in, O out, N n, cudaStream_t s = nullptr, bool = false) { \
    return detail::run(temp, bytes, 1, "cub::DeviceReduce()", s, [=, x = detail::raw(in), to = detail::raw(out)]() {  \
      detail::size best = 0;                                                                                          \
      for (detail::size i = 1; i < static_cast<detail::size>(n); ++i)                                                 \
        if (x[i] better x[best]) best = i;                                                                            \
      to->key = static_cast<decltype(to->key)>(best);                                                                 \
      to->value = x[best];                                                                                            \
    });                                                                                                               \
  }                                                                                                                   \
  template <class I, class O, class K, class N>                                                                       \
  requires std::is_integral_v<N>                                                                                      \
  static cudaError_t name(void* temp, std::size_t& bytes, I in, O out, K at, N n, cudaStream_t s = nullptr) {         \
    return detail::run(temp, bytes, 1, "cub::DeviceReduce()", s,                                                      \
                       [=, x = detail::raw(in), to = detail::raw(out), where = detail::raw(at)]() {                   \
                         detail::size best = 0;                                                                       \
                         for (detail::size i = 1; i < static_cast<detail::size>(n); ++i)                              \
                           if (x[i] better x[best]) best = i;                                                         \
                         *where = best;                                                                               \
                         *to = x[best];                                                                               \
                       });                                                                                            \
  }
  SIMT_CUB_ARG(ArgMin, <)
  SIMT_CUB_ARG(ArgMax, >)
#undef SIMT_CUB_ARG
  template <class K, class U, class I, class O, class C, class Op, class N>
  static cudaError_t ReduceByKey(void* temp, std::size_t& bytes, K keys, U unique, I in, O out, C runs, Op op, N n,
                                 cudaStream_t s = nullptr, bool = false) {
    return detail::run(temp, bytes, 1, "cub::DeviceReduce::ReduceByKey()", s,
                       [=, k = detail::raw(keys), u = detail::raw(unique), x = detail::raw(in), to = detail::raw(out),
                        count = detail::raw(runs)]() mutable {
                         detail::size made = 0;
                         for (detail::size i = 0; i < static_cast<detail::size>(n);) {
                           detail::value_of<I> sum = x[i];
                           detail::size next = i + 1;
                           for (; next < static_cast<detail::size>(n) && k[next] == k[next - 1]; ++next)
                             sum = static_cast<detail::value_of<I>>(op(sum, x[next]));
                           u[made] = k[i];
                           to[made++] = sum;
                           i = next;
                         }
                         *count = static_cast<std::remove_reference_t<decltype(*count)>>(made);
                       });
  }
};

struct DeviceRunLengthEncode {
  template <class I, class U, class L, class C, class N>
  static cudaError_t Encode(void* temp, std::size_t& bytes, I in, U unique, L lengths, C count, N n,
                            cudaStream_t s = nullptr, bool = false) {
    return DeviceReduce::ReduceByKey(
        temp, bytes, in, unique, thrust::constant_iterator<std::remove_reference_t<decltype(*detail::raw(lengths))>>(1),
        lengths, count, cub::Sum(), n, s);
  }
  template <class I, class O, class L, class C, class N>
  static cudaError_t NonTrivialRuns(void* temp, std::size_t& bytes, I in, O offsets, L lengths, C count, N n,
                                    cudaStream_t s = nullptr, bool = false) {
    return detail::run(
        temp, bytes, 1, "cub::DeviceRunLengthEncode()", s,
        [=, x = detail::raw(in), at = detail::raw(offsets), l = detail::raw(lengths), made = detail::raw(count)]() {
          detail::size kept = 0;
          for (detail::size i = 0; i < static_cast<detail::size>(n);) {
            detail::size next = i + 1;
            while (next < static_cast<detail::size>(n) && x[next] == x[i]) ++next;
            if (next - i > 1) {
              at[kept] = static_cast<std::remove_reference_t<decltype(*at)>>(i);
              l[kept++] = static_cast<std::remove_reference_t<decltype(*l)>>(next - i);
            }
            i = next;
          }
          *made = static_cast<std::remove_reference_t<decltype(*made)>>(kept);
        });
  }
};

struct DeviceSegmentedReduce {
  template <class I, class O, class B, class E, class Op, class T>
  static cudaError_t Reduce(void* temp, std::size_t& bytes, I in, O out, std::int64_t segments, B first, E last, Op op,
                            T init, cudaStream_t s = nullptr, bool = false) {
    return detail::run(
        temp, bytes, 1, "cub::DeviceSegmentedReduce()", s,
        [=, x = detail::raw(in), to = detail::raw(out), b = detail::raw(first), e = detail::raw(last)]() mutable {
          for (detail::size k = 0; k < segments; ++k) {
            const auto begin = static_cast<detail::size>(b[k]), end = static_cast<detail::size>(e[k]);
            to[k] = thrust::detail::combine<T>(end - begin, init, op,
                                               [&](detail::size i) -> decltype(auto) { return x[begin + i]; });
          }
        });
  }
#define SIMT_CUB_SEGMENTED(name, op, init)                                                                     \
  template <class I, class O, class B, class E>                                                                \
  static cudaError_t name(void* temp, std::size_t& bytes, I in, O out, std::int64_t segments, B first, E last, \
                          cudaStream_t s = nullptr, bool = false) {                                            \
    using T = detail::value_of<I>;                                                                             \
    return Reduce(temp, bytes, in, out, segments, first, last, op, init, s);                                   \
  }
  SIMT_CUB_SEGMENTED(Sum, cub::Sum(), T(0))
  SIMT_CUB_SEGMENTED(Min, cub::Min(), std::numeric_limits<T>::max())
  SIMT_CUB_SEGMENTED(Max, cub::Max(), std::numeric_limits<T>::lowest())
#undef SIMT_CUB_SEGMENTED
// The key is the place in the segment; an empty one gives 1 and the least or greatest number, as CUB does.
#define SIMT_CUB_SEGMENTED_ARG(name, better, of_empty)                                                             \
  template <class I, class O, class B, class E>                                                                    \
  static cudaError_t name(void* temp, std::size_t& bytes, I in, O out, std::int64_t segments, B first, E last,     \
                          cudaStream_t s = nullptr, bool = false) {                                                \
    return detail::run(                                                                                            \
        temp, bytes, 1, "cub::DeviceSegmentedReduce()", s,                                                         \
        [=, x = detail::raw(in), to = detail::raw(out), b = detail::raw(first), e = detail::raw(last)]() {         \
          for (detail::size k = 0; k < segments; ++k) {                                                            \
            const auto begin = static_cast<detail::size>(b[k]), end = static_cast<detail::size>(e[k]);             \
            detail::size best = begin;                                                                             \
            for (detail::size i = begin + 1; i < end; ++i)                                                         \
              if (x[i] better x[best]) best = i;                                                                   \
            to[k].key = static_cast<decltype(to[k].key)>(begin < end ? best - begin : 1);                          \
            to[k].value =                                                                                          \
                begin < end ? detail::value_of<I>(x[best]) : std::numeric_limits<detail::value_of<I>>::of_empty(); \
          }                                                                                                        \
        });                                                                                                        \
  }
  SIMT_CUB_SEGMENTED_ARG(ArgMin, <, max)
  SIMT_CUB_SEGMENTED_ARG(ArgMax, >, lowest)
#undef SIMT_CUB_SEGMENTED_ARG
};

}  // namespace cub

#include "../restore_names.hpp"
