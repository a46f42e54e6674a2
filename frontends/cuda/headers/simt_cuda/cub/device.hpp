// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions: each is a kernel of one thread on the given stream (see thrust/policies.hpp).
#pragma once

#include <vector>

#include "tools.hpp"
#include "../hide_names.hpp"

namespace cub {

namespace detail {
// The first call asks how much memory is wanted; the second does the work.
template <class Work>
cudaError_t run(void* temp, std::size_t& bytes, std::size_t wanted, const char* name, cudaStream_t s, Work work) {
  if (temp == nullptr) {
    bytes = wanted > 0 ? wanted : 1;
    return cudaSuccess;
  }
  if (bytes < wanted) return cudaErrorInvalidValue;
  thrust::detail::start(name, s, 1, 1, [=](std::size_t) mutable { work(); });
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

struct DeviceSelect {
  template <class I, class O, class C, class N, class Q>
  static cudaError_t select(void* temp, std::size_t& bytes, I in, O out, C count, N n, cudaStream_t s, Q wanted) {
    return detail::run(temp, bytes, 1, "cub::DeviceSelect()", s,
                       [=, x = detail::raw(in), to = detail::raw(out), made = detail::raw(count)]() mutable {
                         detail::size kept = 0;
                         for (detail::size i = 0; i < static_cast<detail::size>(n); ++i)
                           if (wanted(x, i)) to[kept++] = static_cast<detail::value_of<I>>(x[i]);
                         *made = static_cast<std::remove_reference_t<decltype(*made)>>(kept);
                       });
  }
  template <class I, class F, class O, class C, class N>
  requires(std::is_integral_v<N>) static cudaError_t Flagged(void* temp, std::size_t& bytes, I in, F flags, O out,
                                                             C count, N n, cudaStream_t s = nullptr, bool = false) {
    return select(temp, bytes, in, out, count, n, s,
                  [f = detail::raw(flags)](const auto&, detail::size i) { return static_cast<bool>(f[i]); });
  }
  template <class I, class O, class C, class N, class Q>
  requires(std::is_integral_v<N>) static cudaError_t
      If(void* temp, std::size_t& bytes, I in, O out, C count, N n, Q wanted, cudaStream_t s = nullptr, bool = false) {
    return select(temp, bytes, in, out, count, n, s,
                  [=](const auto& x, detail::size i) mutable { return static_cast<bool>(wanted(x[i])); });
  }
  template <class I, class O, class C, class N>
  static cudaError_t Unique(void* temp, std::size_t& bytes, I in, O out, C count, N n, cudaStream_t s = nullptr,
                            bool = false) {
    return select(temp, bytes, in, out, count, n, s,
                  [](const auto& x, detail::size i) { return i == 0 || !(x[i] == x[i - 1]); });
  }
  template <class K, class V, class KO, class VO, class C, class N>
  static cudaError_t UniqueByKey(void* temp, std::size_t& bytes, K keys, V values, KO keys_out, VO values_out, C count,
                                 N n, cudaStream_t s = nullptr) {
    return select(
        temp, bytes, thrust::make_zip_iterator(detail::raw(keys), detail::raw(values)),
        thrust::make_zip_iterator(detail::raw(keys_out), detail::raw(values_out)), count, n, s,
        [](const auto& x, detail::size i) { return i == 0 || !(std::get<0>(x[i]) == std::get<0>(x[i - 1])); });
  }
};

// Those that are wanted in their order, the others behind them, from the end.
struct DevicePartition {
  template <class I, class O, class C, class N, class Q>
  static cudaError_t partition(void* temp, std::size_t& bytes, I in, O out, C count, N n, cudaStream_t s, Q wanted) {
    return detail::run(temp, bytes, 1, "cub::DevicePartition()", s,
                       [=, x = detail::raw(in), to = detail::raw(out), made = detail::raw(count)]() mutable {
                         detail::size kept = 0, rest = static_cast<detail::size>(n);
                         for (detail::size i = 0; i < static_cast<detail::size>(n); ++i)
                           to[wanted(x, i) ? kept++ : --rest] = x[i];
                         *made = static_cast<std::remove_reference_t<decltype(*made)>>(kept);
                       });
  }
  template <class I, class F, class O, class C, class N>
  static cudaError_t Flagged(void* temp, std::size_t& bytes, I in, F flags, O out, C count, N n,
                             cudaStream_t s = nullptr) {
    return partition(temp, bytes, in, out, count, n, s,
                     [f = detail::raw(flags)](const auto&, detail::size i) { return static_cast<bool>(f[i]); });
  }
  template <class I, class O, class C, class N, class Q>
  static cudaError_t If(void* temp, std::size_t& bytes, I in, O out, C count, N n, Q wanted, cudaStream_t s = nullptr) {
    return partition(temp, bytes, in, out, count, n, s,
                     [=](const auto& x, detail::size i) mutable { return static_cast<bool>(wanted(x[i])); });
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

struct DeviceHistogram {
  template <class I, class H, class L, class N>
  static cudaError_t HistogramEven(void* temp, std::size_t& bytes, I in, H* histogram, int levels, L lower, L upper,
                                   N n, cudaStream_t s = nullptr, bool = false) {
    return detail::run(temp, bytes, 1, "cub::DeviceHistogram()", s, [=, x = detail::raw(in)]() {
      const int bins = levels - 1;
      for (int b = 0; b < bins; ++b) histogram[b] = 0;
      for (detail::size i = 0; i < static_cast<detail::size>(n); ++i) {
        const auto v = static_cast<L>(x[i]);
        if (v < lower || !(v < upper)) continue;
        int b = 0;
        if constexpr (std::is_integral_v<L>)
          b = static_cast<int>((static_cast<std::uint64_t>(v - lower) * static_cast<std::uint64_t>(bins)) /
                               static_cast<std::uint64_t>(upper - lower));
        else
          b = static_cast<int>((v - lower) * (static_cast<L>(bins) / (upper - lower)));
        ++histogram[b < bins ? b : bins - 1];
      }
    });
  }
  template <class I, class H, class L, class N>
  static cudaError_t HistogramRange(void* temp, std::size_t& bytes, I in, H* histogram, int levels, const L* edges, N n,
                                    cudaStream_t s = nullptr, bool = false) {
    return detail::run(temp, bytes, 1, "cub::DeviceHistogram()", s, [=, x = detail::raw(in)]() {
      for (int b = 0; b + 1 < levels; ++b) histogram[b] = 0;
      for (detail::size i = 0; i < static_cast<detail::size>(n); ++i)
        for (int b = 0; b + 1 < levels; ++b)
          if (!(x[i] < edges[b]) && x[i] < edges[b + 1]) ++histogram[b];
    });
  }
};

struct DeviceSegmentedReduce {
  template <class I, class O, class B, class E, class Op, class T>
  static cudaError_t Reduce(void* temp, std::size_t& bytes, I in, O out, int segments, B first, E last, Op op, T init,
                            cudaStream_t s = nullptr, bool = false) {
    return detail::run(
        temp, bytes, 1, "cub::DeviceSegmentedReduce()", s,
        [=, x = detail::raw(in), to = detail::raw(out), b = detail::raw(first), e = detail::raw(last)]() mutable {
          for (int k = 0; k < segments; ++k) {
            const auto begin = static_cast<detail::size>(b[k]), end = static_cast<detail::size>(e[k]);
            to[k] = thrust::detail::combine<T>(end - begin, init, op,
                                               [&](detail::size i) -> decltype(auto) { return x[begin + i]; });
          }
        });
  }
#define SIMT_CUB_SEGMENTED(name, op, init)                                                            \
  template <class I, class O, class B, class E>                                                       \
  static cudaError_t name(void* temp, std::size_t& bytes, I in, O out, int segments, B first, E last, \
                          cudaStream_t s = nullptr, bool = false) {                                   \
    using T = detail::value_of<I>;                                                                    \
    return Reduce(temp, bytes, in, out, segments, first, last, op, init, s);                          \
  }
  SIMT_CUB_SEGMENTED(Sum, cub::Sum(), T(0))
  SIMT_CUB_SEGMENTED(Min, cub::Min(), std::numeric_limits<T>::max())
  SIMT_CUB_SEGMENTED(Max, cub::Max(), std::numeric_limits<T>::lowest())
#undef SIMT_CUB_SEGMENTED
};

struct DeviceFor {
  template <class N, class F>
  static cudaError_t Bulk(N n, F f, cudaStream_t s = nullptr) {
    if (n == 0) return cudaSuccess;
    thrust::detail::start("cub::DeviceFor()", s, static_cast<unsigned>((n + 255) / 256), 256,
                          [=](std::size_t i) mutable {
                            if (i < static_cast<std::size_t>(n)) f(static_cast<N>(i));
                          });
    return cudaPeekAtLastError();
  }
  template <class I, class F>
  static cudaError_t ForEach(I first, I last, F f, cudaStream_t s = nullptr) {
    return Bulk(
        static_cast<detail::size>(last - first), [=, x = detail::raw(first)](detail::size i) mutable { f(x[i]); }, s);
  }
  template <class I, class N, class F>
  static cudaError_t ForEachN(I first, N n, F f, cudaStream_t s = nullptr) {
    return ForEach(first, first + n, f, s);
  }
};

struct DeviceTransform {
  template <class I, class O, class N, class F>
  static cudaError_t Transform(I in, O out, N n, F f, cudaStream_t s = nullptr) {
    return DeviceFor::Bulk(
        static_cast<detail::size>(n),
        [=, x = detail::raw(in), to = detail::raw(out)](detail::size i) mutable { to[i] = f(x[i]); }, s);
  }
};

namespace detail {
// Many copies at once; copy(to[i], from[i], k) does a step of the i-th.
template <class From, class To, class Sizes, class Copy>
cudaError_t copy_many(void* temp, std::size_t& bytes, From from, To to, Sizes sizes, unsigned int n, cudaStream_t s,
                      Copy copy) {
  if (temp == nullptr) {
    bytes = 1;
    return cudaSuccess;
  }
  return DeviceFor::Bulk(
      static_cast<size>(n),
      [=, a = raw(from), b = raw(to), l = raw(sizes)](size i) mutable {
        for (size k = 0; k < static_cast<size>(l[i]); ++k) copy(b[i], a[i], k);
      },
      s);
}
}  // namespace detail

// Of bytes.
struct DeviceMemcpy {
  template <class From, class To, class Sizes>
  static cudaError_t Batched(void* temp, std::size_t& bytes, From from, To to, Sizes sizes, unsigned int n,
                             cudaStream_t s = nullptr) {
    return detail::copy_many(temp, bytes, from, to, sizes, n, s, [](auto b, auto a, detail::size k) {
      static_cast<char*>(b)[k] = static_cast<const char*>(a)[k];
    });
  }
};
// Of elements.
struct DeviceCopy {
  template <class From, class To, class Sizes>
  static cudaError_t Batched(void* temp, std::size_t& bytes, From from, To to, Sizes sizes, unsigned int n,
                             cudaStream_t s = nullptr) {
    return detail::copy_many(temp, bytes, from, to, sizes, n, s, [](auto b, auto a, detail::size k) { b[k] = a[k]; });
  }
};

}  // namespace cub

#include "../restore_names.hpp"
