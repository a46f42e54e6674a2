// SPDX-License-Identifier: Apache-2.0
// Thrust's function objects.
#pragma once

#include <functional>

#include <cuda/std/functional>  // as Thrust's own: cuda::std::identity took the place of thrust::identity

#include "vectors.hpp"

namespace thrust {

#define SIMT_THRUST_BINARY(name, expression)                                       \
  template <class T = void>                                                        \
  struct name {                                                                    \
    using first_argument_type = T;                                                 \
    using second_argument_type = T;                                                \
    using result_type = T;                                                         \
    constexpr auto operator()(const T& x, const T& y) const { return expression; } \
  };                                                                               \
  template <>                                                                      \
  struct name<void> {                                                              \
    template <class X, class Y>                                                    \
    constexpr auto operator()(const X& x, const Y& y) const {                      \
      return expression;                                                           \
    }                                                                              \
  };
SIMT_THRUST_BINARY(plus, x + y)
SIMT_THRUST_BINARY(minus, x - y)
SIMT_THRUST_BINARY(multiplies, x* y)
SIMT_THRUST_BINARY(divides, x / y)
SIMT_THRUST_BINARY(modulus, x % y)
SIMT_THRUST_BINARY(bit_and, x& y)
SIMT_THRUST_BINARY(bit_or, x | y)
SIMT_THRUST_BINARY(bit_xor, x ^ y)
SIMT_THRUST_BINARY(logical_and, x&& y)
SIMT_THRUST_BINARY(logical_or, x || y)
SIMT_THRUST_BINARY(equal_to, x == y)
SIMT_THRUST_BINARY(not_equal_to, x != y)
SIMT_THRUST_BINARY(less, x < y)
SIMT_THRUST_BINARY(greater, x > y)
SIMT_THRUST_BINARY(less_equal, x <= y)
SIMT_THRUST_BINARY(greater_equal, x >= y)
SIMT_THRUST_BINARY(maximum, x < y ? y : x)
SIMT_THRUST_BINARY(minimum, y < x ? y : x)
#undef SIMT_THRUST_BINARY
#define SIMT_THRUST_UNARY(name, expression)                            \
  template <class T = void>                                            \
  struct name {                                                        \
    using argument_type = T;                                           \
    using result_type = T;                                             \
    constexpr auto operator()(const T& x) const { return expression; } \
  };                                                                   \
  template <>                                                          \
  struct name<void> {                                                  \
    template <class X>                                                 \
    constexpr auto operator()(const X& x) const {                      \
      return expression;                                               \
    }                                                                  \
  };
SIMT_THRUST_UNARY(negate, -x)
SIMT_THRUST_UNARY(logical_not, !x)
SIMT_THRUST_UNARY(identity, x)
SIMT_THRUST_UNARY(square, x* x)
#undef SIMT_THRUST_UNARY
template <class T = void>
struct project1st {
  template <class X, class Y>
  constexpr X operator()(const X& x, const Y&) const {
    return x;
  }
};
template <class T = void>
struct project2nd {
  template <class X, class Y>
  constexpr Y operator()(const X&, const Y& y) const {
    return y;
  }
};
// As std's of old: programs derive from them for their typedefs.
template <class X, class R>
struct unary_function {
  using argument_type = X;
  using result_type = R;
};
template <class X, class Y, class R>
struct binary_function {
  using first_argument_type = X;
  using second_argument_type = Y;
  using result_type = R;
};
template <class F>
struct unary_negate {
  F f;
  template <class X>
  bool operator()(const X& x) const {
    return !f(x);
  }
};
template <class F>
unary_negate<F> not1(const F& f) {
  return {f};
}
template <class F>
struct binary_negate {
  F f;
  template <class X, class Y>
  bool operator()(const X& x, const Y& y) const {
    return !f(x, y);
  }
};
template <class F>
binary_negate<F> not2(const F& f) {
  return {f};
}
template <class F>
unary_negate<F> not_fn(const F& f) {
  return {f};
}

// The placeholders of <thrust/functional.h>: _1 + 2 * _2 is a function object.
namespace placeholders_detail {
struct expression_base {};
template <class E>
concept is_expression = std::is_base_of_v<expression_base, E>;
template <std::size_t I>
struct argument : expression_base {
  template <class... A>
  constexpr decltype(auto) operator()(A&&... all) const {
    return std::get<I>(std::forward_as_tuple(all...));
  }
};
template <class T>
struct value : expression_base {
  T v;
  constexpr explicit value(T x) : v(x) {}
  template <class... A>
  constexpr T operator()(A&&...) const {
    return v;
  }
};
template <class T>
constexpr auto wrap(const T& x) {
  if constexpr (is_expression<T>)
    return x;
  else
    return value<T>(x);
}
template <class F, class L, class R>
struct binary : expression_base {
  L l;
  R r;
  constexpr binary(L x, R y) : l(x), r(y) {}
  template <class... A>
  constexpr decltype(auto) operator()(A&&... all) const {
    return F()(l(all...), r(all...));
  }
};
#define SIMT_THRUST_PLACEHOLDER(name, op)                                                             \
  struct name {                                                                                       \
    template <class X, class Y>                                                                       \
    constexpr decltype(auto) operator()(X&& x, Y&& y) const {                                         \
      return x op y;                                                                                  \
    }                                                                                                 \
  };                                                                                                  \
  template <class L, class R>                                                                         \
  requires(is_expression<L> || is_expression<R>) constexpr auto operator op(const L& x, const R& y) { \
    return binary<name, decltype(wrap(x)), decltype(wrap(y))>(wrap(x), wrap(y));                      \
  }
SIMT_THRUST_PLACEHOLDER(add_of, +)
SIMT_THRUST_PLACEHOLDER(subtract_of, -)
SIMT_THRUST_PLACEHOLDER(multiply_of, *)
SIMT_THRUST_PLACEHOLDER(divide_of, /)
SIMT_THRUST_PLACEHOLDER(modulo_of, %)
SIMT_THRUST_PLACEHOLDER(less_of, <)
SIMT_THRUST_PLACEHOLDER(greater_of, >)
SIMT_THRUST_PLACEHOLDER(less_equal_of, <=)
SIMT_THRUST_PLACEHOLDER(greater_equal_of, >=)
SIMT_THRUST_PLACEHOLDER(equal_of, ==)
SIMT_THRUST_PLACEHOLDER(unequal_of, !=)
SIMT_THRUST_PLACEHOLDER(and_of, &&)
SIMT_THRUST_PLACEHOLDER(or_of, ||)
SIMT_THRUST_PLACEHOLDER(bit_and_of, &)
SIMT_THRUST_PLACEHOLDER(bit_or_of, |)
SIMT_THRUST_PLACEHOLDER(bit_xor_of, ^)
#undef SIMT_THRUST_PLACEHOLDER
struct opposite_of {
  template <class X, class Y>
  constexpr auto operator()(X&& x, Y&&) const {
    return -x;
  }
};
struct not_of {
  template <class X, class Y>
  constexpr auto operator()(X&& x, Y&&) const {
    return !x;
  }
};
template <is_expression E>
constexpr auto operator-(const E& x) {
  return binary<opposite_of, E, value<int>>(x, value<int>(0));
}
template <is_expression E>
constexpr auto operator!(const E& x) {
  return binary<not_of, E, value<int>>(x, value<int>(0));
}
}  // namespace placeholders_detail
namespace placeholders {
inline constexpr placeholders_detail::argument<0> _1;
inline constexpr placeholders_detail::argument<1> _2;
inline constexpr placeholders_detail::argument<2> _3;
inline constexpr placeholders_detail::argument<3> _4;
}  // namespace placeholders

}  // namespace thrust
