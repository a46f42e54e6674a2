// SPDX-License-Identifier: Apache-2.0
// Algorithms that touch each element for itself: a thread for each.
#pragma once

#include "functional.hpp"

namespace thrust {

template <policy P, class I, class F>
I for_each(const P& p, I first, I last, F f) {
  const auto at = detail::raw(first);
  detail::per_element(p, "thrust::for_each()", detail::length(first, last),
                      [=](std::size_t i) mutable { f(at[static_cast<std::ptrdiff_t>(i)]); });
  return last;
}
SIMT_THRUST_WITHOUT_POLICY(for_each)
template <policy P, class I, class N, class F>
I for_each_n(const P& p, I first, N n, F f) {
  return thrust::for_each(p, first, first + static_cast<std::ptrdiff_t>(n), f);
}
SIMT_THRUST_WITHOUT_POLICY(for_each_n)

// to[i] = value(i), for all i below n.
namespace detail {
template <class P, class I, class F>
void make_each(const P& p, const char* name, I to, std::size_t n, F value_at) {
  const auto into = raw(to);
  per_element(p, name, n, [=](std::size_t i) mutable {
    into[static_cast<std::ptrdiff_t>(i)] = value_at(static_cast<std::ptrdiff_t>(i));
  });
}
}  // namespace detail

template <policy P, class I, class T>
void fill(const P& p, I first, I last, T v) {
  detail::make_each(p, "thrust::fill()", first, detail::length(first, last),
                    [=](std::ptrdiff_t) { return static_cast<detail::value_of<I>>(v); });
}
SIMT_THRUST_WITHOUT_POLICY(fill)
template <policy P, class I, class N, class T>
I fill_n(const P& p, I first, N n, T v) {
  thrust::fill(p, first, first + static_cast<std::ptrdiff_t>(n), v);
  return first + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(fill_n)
template <policy P, class I, class T>
void uninitialized_fill(const P& p, I first, I last, T v) {
  thrust::fill(p, first, last, v);
}
SIMT_THRUST_WITHOUT_POLICY(uninitialized_fill)
template <policy P, class I, class J>
J uninitialized_copy(const P& p, I first, I last, J to) {
  return thrust::copy(p, first, last, to);
}
SIMT_THRUST_WITHOUT_POLICY(uninitialized_copy)
template <policy P, class I, class N, class T>
I uninitialized_fill_n(const P& p, I first, N n, T v) {
  return thrust::fill_n(p, first, n, v);
}
SIMT_THRUST_WITHOUT_POLICY(uninitialized_fill_n)
template <policy P, class I, class N, class J>
J uninitialized_copy_n(const P& p, I first, N n, J to) {
  return thrust::copy_n(p, first, n, to);
}
SIMT_THRUST_WITHOUT_POLICY(uninitialized_copy_n)

template <policy P, class I, class F>
void generate(const P& p, I first, I last, F f) {
  if constexpr (!detail::is_device<P>) {
    for (; first != last; ++first) *first = f();  // a generator of the host may count
  } else {
    detail::make_each(p, "thrust::generate()", first, detail::length(first, last),
                      [=](std::ptrdiff_t) mutable { return f(); });
  }
}
SIMT_THRUST_WITHOUT_POLICY(generate)
template <policy P, class I, class N, class F>
I generate_n(const P& p, I first, N n, F f) {
  thrust::generate(p, first, first + static_cast<std::ptrdiff_t>(n), f);
  return first + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(generate_n)

template <policy P, class I, class T>
void sequence(const P& p, I first, I last, T init, T step) {
  using value = detail::value_of<I>;
  detail::make_each(p, "thrust::sequence()", first, detail::length(first, last), [=](std::ptrdiff_t i) {
    return static_cast<value>(static_cast<value>(init) + static_cast<value>(step) * static_cast<value>(i));
  });
}
template <policy P, class I, class T>
void sequence(const P& p, I first, I last, T init) {
  thrust::sequence(p, first, last, init, T(1));
}
template <policy P, class I>
void sequence(const P& p, I first, I last) {
  thrust::sequence(p, first, last, detail::value_of<I>(0), detail::value_of<I>(1));
}
SIMT_THRUST_WITHOUT_POLICY(sequence)
template <policy P, class I, class F>
void tabulate(const P& p, I first, I last, F f) {
  detail::make_each(p, "thrust::tabulate()", first, detail::length(first, last),
                    [=](std::ptrdiff_t i) mutable { return f(i); });
}
SIMT_THRUST_WITHOUT_POLICY(tabulate)

template <policy P, class I, class O, class F>
O transform(const P& p, I first, I last, O to, F f) {
  const std::size_t n = detail::length(first, last);
  const auto from = detail::raw(first);
  detail::make_each(p, "thrust::transform()", to, n, [=](std::ptrdiff_t i) mutable { return f(from[i]); });
  return to + static_cast<std::ptrdiff_t>(n);
}
template <policy P, class I, class J, class O, class F>
O transform(const P& p, I first, I last, J second, O to, F f) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  const auto y = detail::raw(second);
  detail::make_each(p, "thrust::transform()", to, n, [=](std::ptrdiff_t i) mutable { return f(x[i], y[i]); });
  return to + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(transform)
template <policy P, class I, class O, class F, class Q>
O transform_if(const P& p, I first, I last, O to, F f, Q wanted) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  const auto into = detail::raw(to);
  detail::per_element(p, "thrust::transform_if()", n, [=](std::size_t k) mutable {
    const auto i = static_cast<std::ptrdiff_t>(k);
    if (wanted(x[i])) into[i] = f(x[i]);
  });
  return to + static_cast<std::ptrdiff_t>(n);
}
template <policy P, class I, class S, class O, class F, class Q>
O transform_if(const P& p, I first, I last, S stencil, O to, F f, Q wanted) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  const auto s = detail::raw(stencil);
  const auto into = detail::raw(to);
  detail::per_element(p, "thrust::transform_if()", n, [=](std::size_t k) mutable {
    const auto i = static_cast<std::ptrdiff_t>(k);
    if (wanted(s[i])) into[i] = f(x[i]);
  });
  return to + static_cast<std::ptrdiff_t>(n);
}
template <policy P, class I, class J, class S, class O, class F, class Q>
O transform_if(const P& p, I first, I last, J second, S stencil, O to, F f, Q wanted) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  const auto y = detail::raw(second);
  const auto s = detail::raw(stencil);
  const auto into = detail::raw(to);
  detail::per_element(p, "thrust::transform_if()", n, [=](std::size_t k) mutable {
    const auto i = static_cast<std::ptrdiff_t>(k);
    if (wanted(s[i])) into[i] = f(x[i], y[i]);
  });
  return to + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(transform_if)

template <policy P, class M, class I, class O>
O gather(const P& p, M first, M last, I from, O to) {
  const std::size_t n = detail::length(first, last);
  const auto map = detail::raw(first);
  const auto x = detail::raw(from);
  detail::make_each(p, "thrust::gather()", to, n,
                    [=](std::ptrdiff_t i) { return x[static_cast<std::ptrdiff_t>(map[i])]; });
  return to + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(gather)
template <policy P, class I, class M, class O>
void scatter(const P& p, I first, I last, M map_first, O to) {
  const auto x = detail::raw(first);
  const auto map = detail::raw(map_first);
  const auto into = detail::raw(to);
  detail::per_element(p, "thrust::scatter()", detail::length(first, last), [=](std::size_t k) {
    const auto i = static_cast<std::ptrdiff_t>(k);
    into[static_cast<std::ptrdiff_t>(map[i])] = x[i];
  });
}
SIMT_THRUST_WITHOUT_POLICY(scatter)
namespace detail {
struct is_true {
  template <class T>
  bool operator()(const T& x) const {
    return static_cast<bool>(x);
  }
};
}  // namespace detail
template <policy P, class I, class M, class S, class O, class Q = detail::is_true>
void scatter_if(const P& p, I first, I last, M map_first, S stencil, O to, Q wanted = {}) {
  const auto x = detail::raw(first);
  const auto map = detail::raw(map_first);
  const auto s = detail::raw(stencil);
  const auto into = detail::raw(to);
  detail::per_element(p, "thrust::scatter_if()", detail::length(first, last), [=](std::size_t k) mutable {
    const auto i = static_cast<std::ptrdiff_t>(k);
    if (wanted(s[i])) into[static_cast<std::ptrdiff_t>(map[i])] = x[i];
  });
}
SIMT_THRUST_WITHOUT_POLICY(scatter_if)

template <policy P, class I, class Q, class T>
void replace_if(const P& p, I first, I last, Q wanted, T v) {
  const auto x = detail::raw(first);
  detail::per_element(p, "thrust::replace_if()", detail::length(first, last), [=](std::size_t k) mutable {
    const auto i = static_cast<std::ptrdiff_t>(k);
    if (wanted(x[i])) x[i] = v;
  });
}
template <policy P, class I, class S, class Q, class T>
void replace_if(const P& p, I first, I last, S stencil, Q wanted, T v) {
  const auto x = detail::raw(first);
  const auto s = detail::raw(stencil);
  detail::per_element(p, "thrust::replace_if()", detail::length(first, last), [=](std::size_t k) mutable {
    const auto i = static_cast<std::ptrdiff_t>(k);
    if (wanted(s[i])) x[i] = v;
  });
}
SIMT_THRUST_WITHOUT_POLICY(replace_if)
template <policy P, class I, class T>
void replace(const P& p, I first, I last, T old, T v) {
  thrust::replace_if(
      p, first, last, [=](const auto& x) { return x == old; }, v);
}
SIMT_THRUST_WITHOUT_POLICY(replace)
template <policy P, class I, class J>
J swap_ranges(const P& p, I first, I last, J second) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  const auto y = detail::raw(second);
  detail::per_element(p, "thrust::swap_ranges()", n, [=](std::size_t k) {
    const auto i = static_cast<std::ptrdiff_t>(k);
    const detail::value_of<I> mine = x[i];
    x[i] = y[i];
    y[i] = mine;
  });
  return second + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(swap_ranges)
template <policy P, class I>
void reverse(const P& p, I first, I last) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  detail::per_element(p, "thrust::reverse()", n / 2, [=](std::size_t k) {
    const auto i = static_cast<std::ptrdiff_t>(k), j = static_cast<std::ptrdiff_t>(n - 1 - k);
    const detail::value_of<I> mine = x[i];
    x[i] = x[j];
    x[j] = mine;
  });
}
SIMT_THRUST_WITHOUT_POLICY(reverse)
template <policy P, class I, class O>
O reverse_copy(const P& p, I first, I last, O to) {
  return thrust::copy(p, thrust::make_reverse_iterator(last), thrust::make_reverse_iterator(first), to);
}
SIMT_THRUST_WITHOUT_POLICY(reverse_copy)

template <policy P, class I, class O, class F = minus<>>
O adjacent_difference(const P& p, I first, I last, O to, F f = {}) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  const auto into = detail::raw(to);
  detail::alone(p, "thrust::adjacent_difference()", [=]() mutable {  // to may be first
    using value = detail::value_of<I>;
    if (n == 0) return;
    value before = x[0];
    into[0] = before;
    for (std::ptrdiff_t i = 1; i < static_cast<std::ptrdiff_t>(n); ++i) {
      const value here = x[i];
      into[i] = f(here, before);
      before = here;
    }
  });
  return to + static_cast<std::ptrdiff_t>(n);
}
SIMT_THRUST_WITHOUT_POLICY(adjacent_difference)

// Where in a sorted range each of many values belongs.
#define SIMT_THRUST_SEARCHES(name, go_right, result)                                                \
  template <policy P, class I, class V, class O, class Less>                                        \
  requires requires(V v) { *v; }                                                                    \
  O name(const P& p, I first, I last, V values, V values_last, O to, Less less) {                   \
    const std::size_t n = detail::length(first, last), count = detail::length(values, values_last); \
    const auto x = detail::raw(first);                                                              \
    const auto all = detail::raw(values);                                                           \
    detail::make_each(p, "thrust::" #name "()", to, count, [=](std::ptrdiff_t k) mutable {          \
      const auto& v = all[k];                                                                       \
      std::ptrdiff_t low = 0, high = static_cast<std::ptrdiff_t>(n);                                \
      while (low < high) {                                                                          \
        const std::ptrdiff_t i = low + (high - low) / 2;                                            \
        if (go_right)                                                                               \
          low = i + 1;                                                                              \
        else                                                                                        \
          high = i;                                                                                 \
      }                                                                                             \
      return static_cast<detail::value_of<O>>(result);                                              \
    });                                                                                             \
    return to + static_cast<std::ptrdiff_t>(count);                                                 \
  }                                                                                                 \
  template <policy P, class I, class V, class O>                                                    \
  requires requires(V v) { *v; }                                                                    \
  O name(const P& p, I first, I last, V values, V values_last, O to) {                              \
    return thrust::name(p, first, last, values, values_last, to, thrust::less<>());                 \
  }
SIMT_THRUST_SEARCHES(lower_bound, less(x[i], v), low)
SIMT_THRUST_SEARCHES(upper_bound, !less(v, x[i]), low)
SIMT_THRUST_SEARCHES(binary_search, less(x[i], v), low < static_cast<std::ptrdiff_t>(n) && !less(v, x[low]))
#undef SIMT_THRUST_SEARCHES

}  // namespace thrust
