// SPDX-License-Identifier: Apache-2.0
// Copies that choose: by a stencil, by runs of keys, into two places.
#pragma once

#include "sorting.hpp"

namespace thrust {

// to[i] = from[map[i]], where wanted(stencil[i]).
template <policy P, class M, class S, class I, class O, class Q = identity<>>
O gather_if(const P& p, M first, M last, S stencil, I from, O to, Q wanted = {}) {
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
SIMT_THRUST_WITHOUT_POLICY(gather_if)
template <policy P, class I, class O, class Q, class T>
O replace_copy_if(const P& p, I first, I last, O to, Q unwanted, T v) {
  using value = detail::value_of<I>;
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  detail::make_each(p, "thrust::replace_copy_if()", to, n, [=](std::ptrdiff_t i) mutable {
    const value here = x[i];
    return unwanted(here) ? static_cast<value>(v) : here;
  });
  return to + static_cast<std::ptrdiff_t>(n);
}
template <policy P, class I, class S, class O, class Q, class T>
O replace_copy_if(const P& p, I first, I last, S stencil, O to, Q unwanted, T v) {
  using value = detail::value_of<I>;
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  const auto s = detail::raw(stencil);
  detail::make_each(p, "thrust::replace_copy_if()", to, n,
                    [=](std::ptrdiff_t i) mutable { return unwanted(s[i]) ? static_cast<value>(v) : value(x[i]); });
  return to + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(replace_copy_if)
template <policy P, class I, class O, class T>
O replace_copy(const P& p, I first, I last, O to, T old, T v) {
  return thrust::replace_copy_if(
      p, first, last, to, [=](const auto& x) { return x == old; }, v);
}
SIMT_THRUST_WITHOUT_POLICY(replace_copy)
template <policy P, class K, class V, class OK, class OV, class F = equal_to<>>
pair<OK, OV> unique_by_key_copy(const P& p, K keys, K keys_last, V values, OK keys_to, OV values_to, F same = {}) {
  const auto k = detail::raw(keys);
  const auto v = detail::raw(values);
  const auto into = detail::raw(keys_to);
  const auto values_into = detail::raw(values_to);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(keys, keys_last));
  const std::ptrdiff_t count = detail::alone(p, "thrust::unique_by_key_copy()", [=]() mutable {
    std::ptrdiff_t kept = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      if (i != 0 && same(k[i - 1], k[i])) continue;
      into[kept] = k[i];
      values_into[kept++] = v[i];
    }
    return kept;
  });
  return {keys_to + count, values_to + count};
}
SIMT_THRUST_WITHOUT_POLICY(unique_by_key_copy)
template <policy P, class I, class... Rest>
auto stable_partition_copy(const P& p, I first, I last, Rest... rest) {
  return thrust::partition_copy(p, first, last, rest...);
}
SIMT_THRUST_WITHOUT_POLICY(stable_partition_copy)
template <policy P, class I, class O, class T>
O remove_copy(const P& p, I first, I last, O to, T v) {
  return thrust::copy_if(p, first, last, to, [=](const auto& x) { return !(x == v); });
}
SIMT_THRUST_WITHOUT_POLICY(remove_copy)

}  // namespace thrust
