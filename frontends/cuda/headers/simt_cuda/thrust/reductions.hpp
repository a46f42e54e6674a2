// SPDX-License-Identifier: Apache-2.0
// Reductions, scans and searches: one thread goes through the elements.
#pragma once

#include "algorithms.hpp"

namespace thrust {

namespace detail {
// load(i) of `n` elements, combined in pieces of 256: sums of many floats lose less than in one long chain.
template <class T, class F, class Load>
T combine(std::ptrdiff_t n, T init, F& f, Load load) {
  constexpr std::ptrdiff_t kPiece = 256;
  for (std::ptrdiff_t first = 0; first < n; first += kPiece) {
    T piece = static_cast<T>(load(first));
    const std::ptrdiff_t last = first + kPiece < n ? first + kPiece : n;
    for (std::ptrdiff_t i = first + 1; i < last; ++i) piece = static_cast<T>(f(piece, load(i)));
    init = static_cast<T>(f(init, piece));
  }
  return init;
}
}  // namespace detail

template <policy P, class I, class T, class F = plus<>>
T reduce(const P& p, I first, I last, T init, F f = {}) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::reduce()", [=]() mutable -> T {
    return detail::combine<T>(n, init, f, [&](std::ptrdiff_t i) -> decltype(auto) { return x[i]; });
  });
}
template <policy P, class I>
auto reduce(const P& p, I first, I last) {
  return thrust::reduce(p, first, last, detail::value_of<I>(0));
}
SIMT_THRUST_WITHOUT_POLICY(reduce)
template <policy P, class I, class G, class T, class F>
T transform_reduce(const P& p, I first, I last, G g, T init, F f) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::transform_reduce()", [=]() mutable -> T {
    return detail::combine<T>(n, init, f, [&](std::ptrdiff_t i) { return g(x[i]); });
  });
}
SIMT_THRUST_WITHOUT_POLICY(transform_reduce)
template <policy P, class I, class J, class T, class F = plus<>, class G = multiplies<>>
T inner_product(const P& p, I first, I last, J second, T init, F f = {}, G g = {}) {
  const auto x = detail::raw(first);
  const auto y = detail::raw(second);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::inner_product()", [=]() mutable -> T {
    return detail::combine<T>(n, init, f, [&](std::ptrdiff_t i) { return g(x[i], y[i]); });
  });
}
SIMT_THRUST_WITHOUT_POLICY(inner_product)
template <policy P, class I, class Q>
std::ptrdiff_t count_if(const P& p, I first, I last, Q wanted) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::count_if()", [=]() mutable {
    std::ptrdiff_t count = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) count += wanted(x[i]) ? 1 : 0;
    return count;
  });
}
SIMT_THRUST_WITHOUT_POLICY(count_if)
template <policy P, class I, class T>
std::ptrdiff_t count(const P& p, I first, I last, T v) {
  return thrust::count_if(p, first, last, [=](const auto& x) { return x == v; });
}
SIMT_THRUST_WITHOUT_POLICY(count)

template <policy P, class I, class Q>
I find_if(const P& p, I first, I last, Q wanted) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return first + detail::alone(p, "thrust::find_if()", [=]() mutable {
           std::ptrdiff_t i = 0;
           while (i < n && !wanted(x[i])) ++i;
           return i;
         });
}
SIMT_THRUST_WITHOUT_POLICY(find_if)
template <policy P, class I, class Q>
I find_if_not(const P& p, I first, I last, Q wanted) {
  return thrust::find_if(p, first, last, [=](const auto& x) mutable { return !wanted(x); });
}
SIMT_THRUST_WITHOUT_POLICY(find_if_not)
template <policy P, class I, class T>
I find(const P& p, I first, I last, T v) {
  return thrust::find_if(p, first, last, [=](const auto& x) { return x == v; });
}
SIMT_THRUST_WITHOUT_POLICY(find)
template <policy P, class I, class Q>
bool any_of(const P& p, I first, I last, Q wanted) {
  return thrust::find_if(p, first, last, wanted) != last;
}
SIMT_THRUST_WITHOUT_POLICY(any_of)
template <policy P, class I, class Q>
bool none_of(const P& p, I first, I last, Q wanted) {
  return !thrust::any_of(p, first, last, wanted);
}
SIMT_THRUST_WITHOUT_POLICY(none_of)
template <policy P, class I, class Q>
bool all_of(const P& p, I first, I last, Q wanted) {
  return thrust::find_if_not(p, first, last, wanted) == last;
}
SIMT_THRUST_WITHOUT_POLICY(all_of)
template <policy P, class I, class J, class F = equal_to<>>
pair<I, J> mismatch(const P& p, I first, I last, J second, F same = {}) {
  const auto x = detail::raw(first);
  const auto y = detail::raw(second);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  const std::ptrdiff_t at = detail::alone(p, "thrust::mismatch()", [=]() mutable {
    std::ptrdiff_t i = 0;
    while (i < n && same(x[i], y[i])) ++i;
    return i;
  });
  return {first + at, second + at};
}
SIMT_THRUST_WITHOUT_POLICY(mismatch)
template <policy P, class I, class J, class F = equal_to<>>
bool equal(const P& p, I first, I last, J second, F same = {}) {
  return thrust::mismatch(p, first, last, second, same).first == last;
}
SIMT_THRUST_WITHOUT_POLICY(equal)

namespace detail {
// The first of the extreme elements.
template <class P, class I, class F>
std::ptrdiff_t best(const P& p, const char* name, I first, I last, F better) {
  const auto x = raw(first);
  const auto n = static_cast<std::ptrdiff_t>(length(first, last));
  return alone(p, name, [=]() mutable {
    std::ptrdiff_t found = 0;
    for (std::ptrdiff_t i = 1; i < n; ++i)
      if (better(x[i], x[found])) found = i;
    return found;
  });
}
}  // namespace detail
template <policy P, class I, class Less = less<>>
I min_element(const P& p, I first, I last, Less is_less = {}) {
  return first + detail::best(p, "thrust::min_element()", first, last, is_less);
}
SIMT_THRUST_WITHOUT_POLICY(min_element)
template <policy P, class I, class Less = less<>>
I max_element(const P& p, I first, I last, Less is_less = {}) {
  return first + detail::best(p, "thrust::max_element()", first, last,
                              [=](const auto& x, const auto& y) mutable { return is_less(y, x); });
}
SIMT_THRUST_WITHOUT_POLICY(max_element)
template <policy P, class I, class Less = less<>>
pair<I, I> minmax_element(const P& p, I first, I last, Less is_less = {}) {
  return {thrust::min_element(p, first, last, is_less), thrust::max_element(p, first, last, is_less)};
}
SIMT_THRUST_WITHOUT_POLICY(minmax_element)

namespace detail {
template <class P, class I, class O, class T, class F, class G>
O scan(const P& p, const char* name, I first, I last, O to, bool inclusive, bool has_init, T init, F f, G g) {
  const auto x = raw(first);
  const auto into = raw(to);
  const auto n = static_cast<std::ptrdiff_t>(length(first, last));
  alone(p, name, [=]() mutable {
    if (n == 0) return;
    T sum = init;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      T mine = static_cast<T>(g(x[i]));  // to may be first
      if (!inclusive) into[i] = sum;
      sum = i == 0 && !has_init ? mine : static_cast<T>(f(sum, mine));
      if (inclusive) into[i] = sum;
    }
  });
  return to + n;
}
}  // namespace detail
template <policy P, class I, class O, class F = plus<>>
O inclusive_scan(const P& p, I first, I last, O to, F f = {}) {
  return detail::scan(p, "thrust::inclusive_scan()", first, last, to, true, false, detail::value_of<I>(), f,
                      identity<>());
}
template <policy P, class I, class O, class T, class F>
O inclusive_scan(const P& p, I first, I last, O to, T init, F f) {
  return detail::scan(p, "thrust::inclusive_scan()", first, last, to, true, true, init, f, identity<>());
}
SIMT_THRUST_WITHOUT_POLICY(inclusive_scan)
template <policy P, class I, class O, class T, class F = plus<>>
O exclusive_scan(const P& p, I first, I last, O to, T init, F f = {}) {
  return detail::scan(p, "thrust::exclusive_scan()", first, last, to, false, true, init, f, identity<>());
}
template <policy P, class I, class O>
O exclusive_scan(const P& p, I first, I last, O to) {
  return thrust::exclusive_scan(p, first, last, to, detail::value_of<I>(0));
}
SIMT_THRUST_WITHOUT_POLICY(exclusive_scan)
template <policy P, class I, class O, class G, class F>
O transform_inclusive_scan(const P& p, I first, I last, O to, G g, F f) {
  using value = std::decay_t<decltype(g(*detail::raw(first)))>;
  return detail::scan(p, "thrust::transform_inclusive_scan()", first, last, to, true, false, value(), f, g);
}
template <policy P, class I, class O, class G, class T, class F>
O transform_inclusive_scan(const P& p, I first, I last, O to, G g, T init, F f) {
  return detail::scan(p, "thrust::transform_inclusive_scan()", first, last, to, true, true, init, f, g);
}
SIMT_THRUST_WITHOUT_POLICY(transform_inclusive_scan)
template <policy P, class I, class O, class G, class T, class F>
O transform_exclusive_scan(const P& p, I first, I last, O to, G g, T init, F f) {
  return detail::scan(p, "thrust::transform_exclusive_scan()", first, last, to, false, true, init, f, g);
}
SIMT_THRUST_WITHOUT_POLICY(transform_exclusive_scan)

namespace detail {
template <class P, class K, class I, class O, class T, class Same, class F>
O scan_by_key(const P& p, const char* name, K keys, K keys_last, I values, O to, bool inclusive, T init, Same same,
              F f) {
  const auto k = raw(keys);
  const auto x = raw(values);
  const auto into = raw(to);
  const auto n = static_cast<std::ptrdiff_t>(length(keys, keys_last));
  alone(p, name, [=]() mutable {
    T sum = init;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const bool begins = i == 0 || !same(k[i - 1], k[i]);
      T mine = static_cast<T>(x[i]);
      if (!inclusive) {
        if (begins) sum = init;
        into[i] = sum;
        sum = static_cast<T>(f(sum, mine));
      } else {
        sum = begins ? mine : static_cast<T>(f(sum, mine));
        into[i] = sum;
      }
    }
  });
  return to + n;
}
}  // namespace detail
template <policy P, class K, class I, class O, class Same = equal_to<>, class F = plus<>>
O inclusive_scan_by_key(const P& p, K keys, K keys_last, I values, O to, Same same = {}, F f = {}) {
  return detail::scan_by_key(p, "thrust::inclusive_scan_by_key()", keys, keys_last, values, to, true,
                             detail::value_of<I>(), same, f);
}
SIMT_THRUST_WITHOUT_POLICY(inclusive_scan_by_key)
template <policy P, class K, class I, class O, class T, class Same = equal_to<>, class F = plus<>>
O exclusive_scan_by_key(const P& p, K keys, K keys_last, I values, O to, T init, Same same = {}, F f = {}) {
  return detail::scan_by_key(p, "thrust::exclusive_scan_by_key()", keys, keys_last, values, to, false, init, same, f);
}
template <policy P, class K, class I, class O>
O exclusive_scan_by_key(const P& p, K keys, K keys_last, I values, O to) {
  return thrust::exclusive_scan_by_key(p, keys, keys_last, values, to, detail::value_of<I>(0));
}
SIMT_THRUST_WITHOUT_POLICY(exclusive_scan_by_key)

template <policy P, class K, class I, class KO, class O, class Same = equal_to<>, class F = plus<>>
pair<KO, O> reduce_by_key(const P& p, K keys, K keys_last, I values, KO keys_to, O to, Same same = {}, F f = {}) {
  const auto k = detail::raw(keys);
  const auto x = detail::raw(values);
  const auto k_into = detail::raw(keys_to);
  const auto into = detail::raw(to);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(keys, keys_last));
  const std::ptrdiff_t count = detail::alone(p, "thrust::reduce_by_key()", [=]() mutable {
    using value = detail::value_of<I>;
    std::ptrdiff_t runs = 0;
    for (std::ptrdiff_t i = 0; i < n;) {
      value sum = x[i];
      std::ptrdiff_t next = i + 1;
      for (; next < n && same(k[next - 1], k[next]); ++next) sum = static_cast<value>(f(sum, x[next]));
      k_into[runs] = k[i];
      into[runs++] = sum;
      i = next;
    }
    return runs;
  });
  return {keys_to + count, to + count};
}
SIMT_THRUST_WITHOUT_POLICY(reduce_by_key)

}  // namespace thrust
