// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions that keep or part elements.
#pragma once

#include "device.hpp"
#include "../hide_names.hpp"

namespace cub {

namespace detail {
// Whether element i is wanted, as functions of the elements and i.
template <class F>
auto flagged(F flags) {
  return [f = raw(flags)](const auto&, size i) { return static_cast<bool>(f[i]); };
}
template <class Q>
auto wanted_element(Q wanted) {
  return [=](const auto& x, size i) mutable { return static_cast<bool>(wanted(x[i])); };
}
template <class F, class Q>
auto wanted_flag(F flags, Q wanted) {
  return [f = raw(flags), wanted](const auto&, size i) mutable { return static_cast<bool>(wanted(f[i])); };
}
}  // namespace detail

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
  // Each of the next three also in place, without `out`.
  template <class I, class F, class O, class C, class N>
  requires(std::is_integral_v<N>) static cudaError_t Flagged(void* temp, std::size_t& bytes, I in, F flags, O out,
                                                             C count, N n, cudaStream_t s = nullptr, bool = false) {
    return select(temp, bytes, in, out, count, n, s, detail::flagged(flags));
  }
  template <class I, class F, class C, class N>
  requires(std::is_integral_v<N>) static cudaError_t
      Flagged(void* temp, std::size_t& bytes, I both, F flags, C count, N n, cudaStream_t s = nullptr, bool = false) {
    return select(temp, bytes, both, both, count, n, s, detail::flagged(flags));
  }
  template <class I, class O, class C, class N, class Q>
  requires(std::is_integral_v<N>) static cudaError_t
      If(void* temp, std::size_t& bytes, I in, O out, C count, N n, Q wanted, cudaStream_t s = nullptr, bool = false) {
    return select(temp, bytes, in, out, count, n, s, detail::wanted_element(wanted));
  }
  template <class I, class C, class N, class Q>
  requires(std::is_integral_v<N>) static cudaError_t
      If(void* temp, std::size_t& bytes, I both, C count, N n, Q wanted, cudaStream_t s = nullptr, bool = false) {
    return select(temp, bytes, both, both, count, n, s, detail::wanted_element(wanted));
  }
  template <class I, class F, class O, class C, class N, class Q>
  requires(std::is_integral_v<N>) static cudaError_t FlaggedIf(void* temp, std::size_t& bytes, I in, F flags, O out,
                                                               C count, N n, Q wanted, cudaStream_t s = nullptr) {
    return select(temp, bytes, in, out, count, n, s, detail::wanted_flag(flags, wanted));
  }
  template <class I, class F, class C, class N, class Q>
  requires(std::is_integral_v<N>) static cudaError_t
      FlaggedIf(void* temp, std::size_t& bytes, I both, F flags, C count, N n, Q wanted, cudaStream_t s = nullptr) {
    return select(temp, bytes, both, both, count, n, s, detail::wanted_flag(flags, wanted));
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
    return UniqueByKey(temp, bytes, keys, values, keys_out, values_out, count, n, cub::Equality(), s);
  }
  template <class K, class V, class KO, class VO, class C, class N, class Equal>
  requires(!std::is_convertible_v<Equal, cudaStream_t>) static cudaError_t
      UniqueByKey(void* temp, std::size_t& bytes, K keys, V values, KO keys_out, VO values_out, C count, N n,
                  Equal same, cudaStream_t s = nullptr) {
    return select(temp, bytes, thrust::make_zip_iterator(detail::raw(keys), detail::raw(values)),
                  thrust::make_zip_iterator(detail::raw(keys_out), detail::raw(values_out)), count, n, s,
                  [=](const auto& x, detail::size i) mutable {
                    return i == 0 || !same(std::get<0>(x[i - 1]), std::get<0>(x[i]));
                  });
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
    return partition(temp, bytes, in, out, count, n, s, detail::flagged(flags));
  }
  template <class I, class O, class C, class N, class Q>
  static cudaError_t If(void* temp, std::size_t& bytes, I in, O out, C count, N n, Q wanted, cudaStream_t s = nullptr) {
    return partition(temp, bytes, in, out, count, n, s, detail::wanted_element(wanted));
  }
  // Into three places; count gets how many went to the first and to the second.
  template <class I, class A, class B, class O, class C, class N, class Q, class R>
  static cudaError_t If(void* temp, std::size_t& bytes, I in, A first, B second, O others, C counts, N n, Q in_first,
                        R in_second, cudaStream_t s = nullptr) {
    return detail::run(temp, bytes, 1, "cub::DevicePartition()", s,
                       [=, x = detail::raw(in), a = detail::raw(first), b = detail::raw(second),
                        c = detail::raw(others), made = detail::raw(counts)]() mutable {
                         detail::size in_a = 0, in_b = 0, rest = 0;
                         for (detail::size i = 0; i < static_cast<detail::size>(n); ++i) {
                           const detail::value_of<I> here = x[i];
                           if (in_first(here))
                             a[in_a++] = here;
                           else if (in_second(here))
                             b[in_b++] = here;
                           else
                             c[rest++] = here;
                         }
                         using number = std::remove_reference_t<decltype(*made)>;
                         made[0] = static_cast<number>(in_a);
                         made[1] = static_cast<number>(in_b);
                       });
  }
};

}  // namespace cub

#include "../restore_names.hpp"
