// SPDX-License-Identifier: Apache-2.0
// <thrust/random.h>: the standard's engines, which Thrust has under its own names, and its distributions.
#pragma once

#include <cmath>
#include <iostream>
#include <random>

#include "sorting.hpp"

namespace thrust {
namespace random {
using std::discard_block_engine;
using std::linear_congruential_engine;
using std::minstd_rand;
using std::minstd_rand0;
using std::ranlux24;
using std::ranlux24_base;
using std::ranlux48;
using std::ranlux48_base;
using std::subtract_with_carry_engine;
using taus88 = std::minstd_rand;
using default_random_engine = std::minstd_rand;

namespace detail {
// In [0, 1), of the numbers that an engine can give.
template <class Real, class Engine>
Real unit(Engine& e) {
  const auto low = Engine::min(), high = Engine::max();
  return static_cast<Real>(e() - low) / (static_cast<Real>(high - low) + Real(1));
}
}  // namespace detail
template <class Real = double>
class uniform_real_distribution {
 public:
  using result_type = Real;
  explicit uniform_real_distribution(Real low = 0, Real high = 1) : low_(low), high_(high) {}
  template <class Engine>
  Real operator()(Engine& e) {
    return low_ + (high_ - low_) * detail::unit<Real>(e);
  }

 private:
  Real low_, high_;
};
template <class Integer = int>
class uniform_int_distribution {
 public:
  using result_type = Integer;
  explicit uniform_int_distribution(Integer low = 0, Integer high = 2147483647) : low_(low), high_(high) {}
  template <class Engine>
  Integer operator()(Engine& e) {
    const double span = static_cast<double>(high_) - static_cast<double>(low_) + 1;
    return static_cast<Integer>(static_cast<double>(low_) + std::floor(span * detail::unit<double>(e)));
  }

 private:
  Integer low_, high_;
};
template <class Real = double>
class normal_distribution {
 public:
  using result_type = Real;
  explicit normal_distribution(Real mean = 0, Real deviation = 1) : mean_(mean), deviation_(deviation) {}
  template <class Engine>
  Real operator()(Engine& e) {  // Box and Muller
    const Real u = Real(1) - detail::unit<Real>(e), v = detail::unit<Real>(e);
    return mean_ + deviation_ * std::sqrt(Real(-2) * std::log(u)) * std::cos(Real(6.283185307179586) * v);
  }

 private:
  Real mean_, deviation_;
};
}  // namespace random
using random::default_random_engine;
using random::discard_block_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::ranlux24;
using random::ranlux48;
using random::subtract_with_carry_engine;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
template <class T>
constexpr T(min)(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr T(max)(const T& a, const T& b) {
  return a < b ? b : a;
}
// In an order of its own, not in Thrust's.
template <policy P, class I, class Engine>
void shuffle(const P& p, I first, I last, Engine&& engine) {
  const std::size_t n = detail::length(first, last);
  const auto x = detail::raw(first);
  detail::alone(p, "thrust::shuffle()", [=, draw = std::remove_reference_t<Engine>(engine)]() mutable {
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(n) - 1; i > 0; --i) {
      const auto j = static_cast<std::ptrdiff_t>(random::detail::unit<double>(draw) * static_cast<double>(i + 1));
      const detail::value_of<I> mine = x[i];
      x[i] = x[j];
      x[j] = mine;
    }
  });
  engine.discard(n);
}
template <class I, class Engine>
requires(!policy<I>) void shuffle(I first, I last, Engine&& engine) {
  thrust::shuffle(detail::default_policy<I>(), first, last, engine);
}
template <policy P, class I, class O, class Engine>
void shuffle_copy(const P& p, I first, I last, O to, Engine&& engine) {
  const O end = thrust::copy(p, first, last, to);
  thrust::shuffle(p, to, end, engine);
}
template <class I, class O, class Engine>
requires(!policy<I>) void shuffle_copy(I first, I last, O to, Engine&& engine) {
  const O end = thrust::copy(first, last, to);
  thrust::shuffle(to, end, engine);
}
}  // namespace thrust
