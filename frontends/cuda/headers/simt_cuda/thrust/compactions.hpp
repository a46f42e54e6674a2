// SPDX-License-Identifier: Apache-2.0
// What keeps some of the elements, and positions in sorted ranges: one thread goes through them.
#pragma once

#include "reductions.hpp"

namespace thrust {

namespace detail {
// Elements whose place is wanted, in their order. `to` may be `first`.
template <class P, class I, class O, class Q>
O keep(const P& p, const char* name, I first, I last, O to, Q wanted_at) {
  const auto x = raw(first);
  const auto into = raw(to);
  const auto n = static_cast<std::ptrdiff_t>(length(first, last));
  return to + alone(p, name, [=]() mutable {
           std::ptrdiff_t kept = 0;
           for (std::ptrdiff_t i = 0; i < n; ++i)
             if (wanted_at(x, i)) into[kept++] = static_cast<value_of<I>>(x[i]);
           return kept;
         });
}
}  // namespace detail
template <policy P, class I, class O, class Q>
O copy_if(const P& p, I first, I last, O to, Q wanted) {
  return detail::keep(p, "thrust::copy_if()", first, last, to,
                      [=](const auto& x, std::ptrdiff_t i) mutable { return wanted(x[i]); });
}
template <policy P, class I, class S, class O, class Q>
O copy_if(const P& p, I first, I last, S stencil, O to, Q wanted) {
  return detail::keep(p, "thrust::copy_if()", first, last, to,
                      [=, s = detail::raw(stencil)](const auto&, std::ptrdiff_t i) mutable { return wanted(s[i]); });
}
SIMT_THRUST_WITHOUT_POLICY(copy_if)
template <policy P, class I, class O, class Q>
O remove_copy_if(const P& p, I first, I last, O to, Q unwanted) {
  return thrust::copy_if(p, first, last, to, [=](const auto& x) mutable { return !unwanted(x); });
}
template <policy P, class I, class S, class O, class Q>
O remove_copy_if(const P& p, I first, I last, S stencil, O to, Q unwanted) {
  return thrust::copy_if(p, first, last, stencil, to, [=](const auto& x) mutable { return !unwanted(x); });
}
SIMT_THRUST_WITHOUT_POLICY(remove_copy_if)
template <policy P, class I, class Q>
I remove_if(const P& p, I first, I last, Q unwanted) {
  return detail::keep(p, "thrust::remove_if()", first, last, first,
                      [=](const auto& x, std::ptrdiff_t i) mutable { return !unwanted(x[i]); });
}
template <policy P, class I, class S, class Q>
I remove_if(const P& p, I first, I last, S stencil, Q unwanted) {
  return detail::keep(p, "thrust::remove_if()", first, last, first,
                      [=, s = detail::raw(stencil)](const auto&, std::ptrdiff_t i) mutable { return !unwanted(s[i]); });
}
SIMT_THRUST_WITHOUT_POLICY(remove_if)
template <policy P, class I, class T>
I remove(const P& p, I first, I last, T v) {
  return thrust::remove_if(p, first, last, [=](const auto& x) { return x == v; });
}
SIMT_THRUST_WITHOUT_POLICY(remove)
template <policy P, class I, class O, class F = equal_to<>>
O unique_copy(const P& p, I first, I last, O to, F same = {}) {
  return detail::keep(p, "thrust::unique_copy()", first, last, to,
                      [=](const auto& x, std::ptrdiff_t i) mutable { return i == 0 || !same(x[i - 1], x[i]); });
}
SIMT_THRUST_WITHOUT_POLICY(unique_copy)
// In place: x[i - 1] may have been written over, so the last one that was read is kept.
template <policy P, class I, class F = equal_to<>>
I unique(const P& p, I first, I last, F same = {}) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return first + detail::alone(p, "thrust::unique()", [=]() mutable {
           std::ptrdiff_t kept = 0;
           for (std::ptrdiff_t i = 0; i < n; ++i) {
             const detail::value_of<I> here = x[i];
             if (kept == 0 || !same(static_cast<detail::value_of<I>>(x[kept - 1]), here)) x[kept++] = here;
           }
           return kept;
         });
}
SIMT_THRUST_WITHOUT_POLICY(unique)
template <policy P, class I, class F = equal_to<>>
std::ptrdiff_t unique_count(const P& p, I first, I last, F same = {}) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::unique_count()", [=]() mutable {
    std::ptrdiff_t runs = n == 0 ? 0 : 1;
    for (std::ptrdiff_t i = 1; i < n; ++i) runs += same(x[i - 1], x[i]) ? 0 : 1;
    return runs;
  });
}
SIMT_THRUST_WITHOUT_POLICY(unique_count)
template <policy P, class K, class V, class F = equal_to<>>
pair<K, V> unique_by_key(const P& p, K keys, K keys_last, V values, F same = {}) {
  const auto k = detail::raw(keys);
  const auto v = detail::raw(values);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(keys, keys_last));
  const std::ptrdiff_t count = detail::alone(p, "thrust::unique_by_key()", [=]() mutable {
    std::ptrdiff_t kept = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const detail::value_of<K> here = k[i];
      if (kept != 0 && same(static_cast<detail::value_of<K>>(k[kept - 1]), here)) continue;
      k[kept] = here;
      v[kept++] = static_cast<detail::value_of<V>>(v[i]);
    }
    return kept;
  });
  return {keys + count, values + count};
}
SIMT_THRUST_WITHOUT_POLICY(unique_by_key)

// A position in a sorted range, and questions about order.
template <policy P, class I, class T, class Less = less<>>
requires(!requires(Less l) { *l; }) I lower_bound(const P& p, I first, I last, T v, Less is_less = {}) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return first + detail::alone(p, "thrust::lower_bound()", [=]() mutable {
           std::ptrdiff_t low = 0, high = n;
           while (low < high) {
             const std::ptrdiff_t i = low + (high - low) / 2;
             if (is_less(x[i], v))
               low = i + 1;
             else
               high = i;
           }
           return low;
         });
}
SIMT_THRUST_WITHOUT_POLICY(lower_bound)
template <policy P, class I, class T, class Less = less<>>
requires(!requires(Less l) { *l; }) I upper_bound(const P& p, I first, I last, T v, Less is_less = {}) {
  return thrust::lower_bound(p, first, last, v, [=](const auto& x, const auto& y) mutable { return !is_less(y, x); });
}
SIMT_THRUST_WITHOUT_POLICY(upper_bound)
template <policy P, class I, class T, class Less = less<>>
requires(!requires(Less l) { *l; }) bool binary_search(const P& p, I first, I last, T v, Less is_less = {}) {
  return thrust::lower_bound(p, first, last, v, is_less) != thrust::upper_bound(p, first, last, v, is_less);
}
SIMT_THRUST_WITHOUT_POLICY(binary_search)
template <policy P, class I, class Less = less<>>
bool is_sorted(const P& p, I first, I last, Less is_less = {}) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::is_sorted()", [=]() mutable {
    for (std::ptrdiff_t i = 1; i < n; ++i)
      if (is_less(x[i], x[i - 1])) return false;
    return true;
  });
}
SIMT_THRUST_WITHOUT_POLICY(is_sorted)

}  // namespace thrust
