// SPDX-License-Identifier: Apache-2.0
// Rarer forms of algorithms: those that copy what they keep, change or merge, and positions in ordered ranges.
#pragma once

#include "sorting.hpp"

namespace thrust {

template <policy P, class K, class V, class L, class W, class F = equal_to<>>
pair<L, W> unique_by_key_copy(const P& p, K keys, K keys_last, V values, L keys_to, W values_to, F same = {}) {
  const auto k = detail::raw(keys);
  const auto v = detail::raw(values);
  const auto k_into = detail::raw(keys_to);
  const auto v_into = detail::raw(values_to);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(keys, keys_last));
  const std::ptrdiff_t count = detail::alone(p, "thrust::unique_by_key_copy()", [=]() mutable {
    std::ptrdiff_t kept = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      if (i != 0 && same(k[i - 1], k[i])) continue;
      k_into[kept] = static_cast<detail::value_of<K>>(k[i]);
      v_into[kept++] = static_cast<detail::value_of<V>>(v[i]);
    }
    return kept;
  });
  return {keys_to + count, values_to + count};
}
SIMT_THRUST_WITHOUT_POLICY(unique_by_key_copy)
template <policy P, class I, class O, class T>
O remove_copy(const P& p, I first, I last, O to, T v) {
  return thrust::copy_if(p, first, last, to, [=](const auto& x) { return !(x == v); });
}
SIMT_THRUST_WITHOUT_POLICY(remove_copy)
template <policy P, class I, class O, class U, class Q>
pair<O, U> stable_partition_copy(const P& p, I first, I last, O to, U others, Q wanted) {
  return thrust::partition_copy(p, first, last, to, others, wanted);
}
SIMT_THRUST_WITHOUT_POLICY(stable_partition_copy)
template <policy P, class I, class O, class Q, class T>
O replace_copy_if(const P& p, I first, I last, O to, Q wanted, T v) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  detail::make_each(p, "thrust::replace_copy_if()", to, n, [=](std::ptrdiff_t i) mutable {
    const detail::value_of<I> here = x[i];
    return wanted(here) ? static_cast<detail::value_of<I>>(v) : here;
  });
  return to + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(replace_copy_if)
template <policy P, class I, class O, class T>
O replace_copy(const P& p, I first, I last, O to, T old, T v) {
  return thrust::replace_copy_if(
      p, first, last, to, [=](const auto& x) { return x == old; }, v);
}
SIMT_THRUST_WITHOUT_POLICY(replace_copy)

// Elements of which the stencil says nothing keep what they were.
template <policy P, class M, class S, class I, class O, class Q>
O gather_if(const P& p, M first, M last, S stencil, I from, O to, Q wanted) {
  const std::size_t n = detail::length(first, last);
  const auto map = detail::raw(first);
  const auto s = detail::raw(stencil);
  const auto x = detail::raw(from);
  const auto into = detail::raw(to);
  detail::per_element(p, "thrust::gather_if()", n, [=](std::size_t k) mutable {
    const auto i = static_cast<std::ptrdiff_t>(k);
    if (wanted(s[i])) into[i] = x[static_cast<std::ptrdiff_t>(map[i])];
  });
  return to + static_cast<std::ptrdiff_t>(n);
}
template <policy P, class M, class S, class I, class O>
O gather_if(const P& p, M first, M last, S stencil, I from, O to) {
  return thrust::gather_if(p, first, last, stencil, from, to, [](const auto& x) { return static_cast<bool>(x); });
}
SIMT_THRUST_WITHOUT_POLICY(gather_if)

template <policy P, class K, class L, class V, class W, class M, class O, class Less = less<>>
pair<M, O> merge_by_key(const P& p, K keys, K keys_last, L others, L others_last, V values, W other_values, M keys_to,
                        O values_to, Less is_less = {}) {
  const auto k = detail::raw(keys);
  const auto l = detail::raw(others);
  const auto v = detail::raw(values);
  const auto w = detail::raw(other_values);
  const auto k_into = detail::raw(keys_to);
  const auto v_into = detail::raw(values_to);
  const std::ptrdiff_t n = keys_last - keys, m = others_last - others;
  detail::alone(p, "thrust::merge_by_key()", [=]() mutable {
    std::ptrdiff_t i = 0, j = 0;
    for (std::ptrdiff_t o = 0; o < n + m; ++o)
      if (i == n || (j < m && is_less(l[j], k[i]))) {
        k_into[o] = l[j];
        v_into[o] = w[j++];
      } else {
        k_into[o] = k[i];
        v_into[o] = v[i++];
      }
  });
  return {keys_to + (n + m), values_to + (n + m)};
}
SIMT_THRUST_WITHOUT_POLICY(merge_by_key)

template <policy P, class I, class Less = less<>>
I is_sorted_until(const P& p, I first, I last, Less is_less = {}) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return first + detail::alone(p, "thrust::is_sorted_until()", [=]() mutable {
           for (std::ptrdiff_t i = 1; i < n; ++i)
             if (is_less(x[i], x[i - 1])) return i;
           return n;
         });
}
SIMT_THRUST_WITHOUT_POLICY(is_sorted_until)
template <policy P, class I, class Q>
I partition_point(const P& p, I first, I last, Q wanted) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return first + detail::alone(p, "thrust::partition_point()", [=]() mutable {
           std::ptrdiff_t i = 0;
           while (i < n && wanted(x[i])) ++i;
           return i;
         });
}
SIMT_THRUST_WITHOUT_POLICY(partition_point)
template <policy P, class I, class Q>
bool is_partitioned(const P& p, I first, I last, Q wanted) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::is_partitioned()", [=]() mutable {
    std::ptrdiff_t i = 0;
    while (i < n && wanted(x[i])) ++i;
    for (; i < n; ++i)
      if (wanted(x[i])) return false;
    return true;
  });
}
SIMT_THRUST_WITHOUT_POLICY(is_partitioned)
template <policy P, class I, class T>
pair<I, I> equal_range(const P& p, I first, I last, T v) {
  return {thrust::lower_bound(p, first, last, v), thrust::upper_bound(p, first, last, v)};
}
SIMT_THRUST_WITHOUT_POLICY(equal_range)

}  // namespace thrust
