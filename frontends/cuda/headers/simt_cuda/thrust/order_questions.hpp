// SPDX-License-Identifier: Apache-2.0
// Where order or a predicate ends in a range.
#pragma once

#include "sorting.hpp"

namespace thrust {

// The first element that is less than the one before it.
template <policy P, class I, class Less = less<>>
I is_sorted_until(const P& p, I first, I last, Less is_less = {}) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return first + detail::alone(p, "thrust::is_sorted_until()", [=]() mutable {
           std::ptrdiff_t i = n == 0 ? 0 : 1;
           while (i < n && !is_less(x[i], x[i - 1])) ++i;
           return i;
         });
}
SIMT_THRUST_WITHOUT_POLICY(is_sorted_until)
template <policy P, class I, class T, class Less = less<>>
pair<I, I> equal_range(const P& p, I first, I last, T v, Less is_less = {}) {
  return {thrust::lower_bound(p, first, last, v, is_less), thrust::upper_bound(p, first, last, v, is_less)};
}
SIMT_THRUST_WITHOUT_POLICY(equal_range)
// The first element of a partitioned range that the predicate does not hold for.
template <policy P, class I, class Q>
I partition_point(const P& p, I first, I last, Q wanted) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return first + detail::alone(p, "thrust::partition_point()", [=]() mutable {
           std::ptrdiff_t low = 0, high = n;
           while (low < high) {
             const std::ptrdiff_t i = low + (high - low) / 2;
             if (wanted(x[i]))
               low = i + 1;
             else
               high = i;
           }
           return low;
         });
}
SIMT_THRUST_WITHOUT_POLICY(partition_point)
template <policy P, class I, class Q>
bool is_partitioned(const P& p, I first, I last, Q wanted) {
  const auto x = detail::raw(first);
  const auto n = static_cast<std::ptrdiff_t>(detail::length(first, last));
  return detail::alone(p, "thrust::is_partitioned()", [=]() mutable {
    bool others = false;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const bool is_wanted = wanted(x[i]);
      if (is_wanted && others) return false;
      others = !is_wanted;
    }
    return true;
  });
}
SIMT_THRUST_WITHOUT_POLICY(is_partitioned)

}  // namespace thrust
