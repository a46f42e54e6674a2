// SPDX-License-Identifier: Apache-2.0
// Two sorted ranges merged, or taken as sets, plain and with values that go with the keys: one thread goes through
// both.
#pragma once

#include "sorting.hpp"

namespace thrust {

namespace detail {

// Which elements stay: those of the first range alone, those of both (the first's), those of the second alone.
struct set_choice {
  bool first, both, second;
};
inline constexpr set_choice kUnion{true, true, true}, kIntersection{false, true, false},
    kDifference{true, false, false}, kSymmetricDifference{true, false, true};

// take_first(o, i): element i of the first range becomes element o of the result; take_second alike. Gives the number
// of elements that stay.
template <class P, class I, class J, class Less, class First, class Second>
std::ptrdiff_t choose_from_sets(const P& p, const char* name, I first, I last, J second, J second_last,
                                set_choice wanted, Less is_less, First take_first, Second take_second) {
  const auto x = raw(first);
  const auto y = raw(second);
  const auto n = static_cast<std::ptrdiff_t>(length(first, last));
  const auto m = static_cast<std::ptrdiff_t>(length(second, second_last));
  return alone(p, name, [=]() mutable {
    std::ptrdiff_t i = 0, j = 0, kept = 0;
    while (i < n || j < m) {
      if (j == m || (i < n && is_less(x[i], y[j]))) {
        if (wanted.first) take_first(kept++, i);
        ++i;
      } else if (i == n || is_less(y[j], x[i])) {
        if (wanted.second) take_second(kept++, j);
        ++j;
      } else {
        if (wanted.both) take_first(kept++, i);
        ++i;
        ++j;
      }
    }
    return kept;
  });
}

// to[o] = from[i], as a function of o and i.
template <class From, class To>
auto copier(From from, To to) {
  return [from = raw(from), to = raw(to)](std::ptrdiff_t o, std::ptrdiff_t i) mutable { to[o] = from[i]; };
}
template <class From, class To, class Values, class ValuesTo>
auto copier(From from, To to, Values values, ValuesTo values_to) {
  return [keys = copier(from, to), rest = copier(values, values_to)](std::ptrdiff_t o, std::ptrdiff_t i) mutable {
    keys(o, i);
    rest(o, i);
  };
}
struct takes_nothing {
  void operator()(std::ptrdiff_t, std::ptrdiff_t) const {}
};

// All of both; of equal ones, those of the first range come first.
template <class X, class Y, class Less, class First, class Second>
void merge_in_order(X x, std::ptrdiff_t n, Y y, std::ptrdiff_t m, Less& is_less, First& take_first,
                    Second& take_second) {
  std::ptrdiff_t i = 0, j = 0;
  for (std::ptrdiff_t o = 0; o < n + m; ++o)
    if (i == n || (j < m && is_less(y[j], x[i])))
      take_second(o, j++);
    else
      take_first(o, i++);
}
template <class P, class I, class J, class Less, class First, class Second>
std::ptrdiff_t merge_ranges(const P& p, const char* name, I first, I last, J second, J second_last, Less is_less,
                            First take_first, Second take_second) {
  const auto x = raw(first);
  const auto y = raw(second);
  const auto n = static_cast<std::ptrdiff_t>(length(first, last));
  const auto m = static_cast<std::ptrdiff_t>(length(second, second_last));
  alone(p, name, [=]() mutable { merge_in_order(x, n, y, m, is_less, take_first, take_second); });
  return n + m;
}
}  // namespace detail

template <policy P, class I, class J, class O, class Less = less<>>
O merge(const P& p, I first, I last, J second, J second_last, O to, Less is_less = {}) {
  return to + detail::merge_ranges(p, "thrust::merge()", first, last, second, second_last, is_less,
                                   detail::copier(first, to), detail::copier(second, to));
}
SIMT_THRUST_WITHOUT_POLICY(merge)
template <policy P, class K, class L, class V, class W, class OK, class OV, class Less = less<>>
pair<OK, OV> merge_by_key(const P& p, K first, K last, L second, L second_last, V values, W second_values, OK keys_to,
                          OV values_to, Less is_less = {}) {
  const std::ptrdiff_t made = detail::merge_ranges(p, "thrust::merge_by_key()", first, last, second, second_last,
                                                   is_less, detail::copier(first, keys_to, values, values_to),
                                                   detail::copier(second, keys_to, second_values, values_to));
  return {keys_to + made, values_to + made};
}
SIMT_THRUST_WITHOUT_POLICY(merge_by_key)

#define SIMT_THRUST_SET(name, choice)                                                                                 \
  template <policy P, class I, class J, class O, class Less = less<>>                                                 \
  O name(const P& p, I first, I last, J second, J second_last, O to, Less is_less = {}) {                             \
    return to + detail::choose_from_sets(p, "thrust::" #name "()", first, last, second, second_last, choice, is_less, \
                                         detail::copier(first, to), detail::copier(second, to));                      \
  }                                                                                                                   \
  SIMT_THRUST_WITHOUT_POLICY(name)
SIMT_THRUST_SET(set_union, detail::kUnion)
SIMT_THRUST_SET(set_intersection, detail::kIntersection)
SIMT_THRUST_SET(set_difference, detail::kDifference)
SIMT_THRUST_SET(set_symmetric_difference, detail::kSymmetricDifference)
#undef SIMT_THRUST_SET

#define SIMT_THRUST_SET_BY_KEY(name, choice)                                                                           \
  template <policy P, class K, class L, class V, class W, class OK, class OV, class Less = less<>>                     \
  pair<OK, OV> name(const P& p, K first, K last, L second, L second_last, V values, W second_values, OK keys_to,       \
                    OV values_to, Less is_less = {}) {                                                                 \
    const std::ptrdiff_t kept = detail::choose_from_sets(                                                              \
        p, "thrust::" #name "()", first, last, second, second_last, choice, is_less,                                   \
        detail::copier(first, keys_to, values, values_to), detail::copier(second, keys_to, second_values, values_to)); \
    return {keys_to + kept, values_to + kept};                                                                         \
  }                                                                                                                    \
  SIMT_THRUST_WITHOUT_POLICY(name)
SIMT_THRUST_SET_BY_KEY(set_union_by_key, detail::kUnion)
SIMT_THRUST_SET_BY_KEY(set_difference_by_key, detail::kDifference)
SIMT_THRUST_SET_BY_KEY(set_symmetric_difference_by_key, detail::kSymmetricDifference)
#undef SIMT_THRUST_SET_BY_KEY
// Its values are those of the first range.
template <policy P, class K, class L, class V, class OK, class OV, class Less = less<>>
pair<OK, OV> set_intersection_by_key(const P& p, K first, K last, L second, L second_last, V values, OK keys_to,
                                     OV values_to, Less is_less = {}) {
  const std::ptrdiff_t kept = detail::choose_from_sets(
      p, "thrust::set_intersection_by_key()", first, last, second, second_last, detail::kIntersection, is_less,
      detail::copier(first, keys_to, values, values_to), detail::takes_nothing());
  return {keys_to + kept, values_to + kept};
}
SIMT_THRUST_WITHOUT_POLICY(set_intersection_by_key)

}  // namespace thrust
