// SPDX-License-Identifier: Apache-2.0
// <thrust/random.h>: the standard's engines, which Thrust has under its own names, and its distributions.
#pragma once

#include <cmath>
#include <iostream>
#include <limits>
#include <random>

#include "../inverse_error.hpp"
#include "sorting.hpp"

namespace thrust {
namespace random {
using std::discard_block_engine;
using std::ranlux24;
using std::ranlux24_base;
using std::ranlux48;
using std::ranlux48_base;
using std::subtract_with_carry_engine;

// The least and the greatest number of an engine: constants in Thrust, functions in the standard, so both.
template <class Integer>
struct bound {
  Integer value;
  constexpr operator Integer() const { return value; }
  constexpr Integer operator()() const { return value; }
};

// The standard's, but it jumps: programs give each thread its own part of one sequence.
template <class Integer, Integer a, Integer c, Integer m>
class linear_congruential_engine : public std::linear_congruential_engine<Integer, a, c, m> {
  using standard = std::linear_congruential_engine<Integer, a, c, m>;

 public:
  using standard::standard;
  static constexpr bound<Integer> min{(standard::min)()}, max{(standard::max)()};
  void discard(unsigned long long n) {
    if (n == 0) return;
    unsigned __int128 x = (*this)(), factor = a, added = c;  // of 1, 2, 4 ... steps
    for (--n; n != 0; n >>= 1) {
      if (n & 1) x = reduced(x * factor + added);
      added = reduced(factor * added + added);
      factor = reduced(factor * factor);
    }
    this->seed(static_cast<Integer>(x));
  }

 private:
  static constexpr unsigned __int128 reduced(unsigned __int128 x) { return m == 0 ? static_cast<Integer>(x) : x % m; }
};
using minstd_rand0 = linear_congruential_engine<std::uint_fast32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<std::uint_fast32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;

// Tausworthe's generator: w bits of which k count, with the trinomial's q, s steps at once.
template <class Integer, std::size_t w, std::size_t k, std::size_t q, std::size_t s>
class linear_feedback_shift_engine {
 public:
  using result_type = Integer;
  static constexpr Integer word_mask = static_cast<Integer>(~Integer(0)) >> (sizeof(Integer) * 8 - w);
  static constexpr result_type default_seed = 341;
  explicit linear_feedback_shift_engine(Integer v = default_seed) : value_(v) {}
  static constexpr bound<Integer> min{0}, max{word_mask};
  void seed(Integer v = default_seed) { value_ = v; }
  Integer operator()() {
    const Integer fed_back = (((value_ << q) ^ value_) & word_mask) >> (k - s);
    const Integer kept = value_ & static_cast<Integer>(word_mask << (w - k));
    value_ = ((kept << s) ^ fed_back) & word_mask;
    return value_;
  }
  void discard(unsigned long long n) {
    while (n-- > 0) (*this)();
  }
  friend bool operator==(const linear_feedback_shift_engine&, const linear_feedback_shift_engine&) = default;

 private:
  Integer value_;
};
// Two engines' numbers, shifted, and every bit that one of them alone has.
template <class First, std::size_t first_shift, class Second, std::size_t second_shift = 0>
class xor_combine_engine {
 public:
  using base1_type = First;
  using base2_type = Second;
  using result_type = std::common_type_t<typename First::result_type, typename Second::result_type>;
  xor_combine_engine() = default;
  explicit xor_combine_engine(result_type v)
      : first_(static_cast<typename First::result_type>(v)), second_(static_cast<typename Second::result_type>(v)) {}
  xor_combine_engine(const First& first, const Second& second) : first_(first), second_(second) {}
  static constexpr bound<result_type> min{0},
      max{static_cast<result_type>(static_cast<result_type>((First::max)() << first_shift) |
                                   static_cast<result_type>((Second::max)() << second_shift))};
  void seed() { *this = xor_combine_engine(); }
  void seed(result_type v) { *this = xor_combine_engine(v); }
  result_type operator()() {
    const auto first = static_cast<result_type>(first_()) << first_shift;
    return static_cast<result_type>(first ^ (static_cast<result_type>(second_()) << second_shift));
  }
  void discard(unsigned long long n) {
    while (n-- > 0) (*this)();
  }
  const First& base1() const { return first_; }
  const Second& base2() const { return second_; }
  friend bool operator==(const xor_combine_engine&, const xor_combine_engine&) = default;

 private:
  First first_;
  Second second_;
};
// L'Ecuyer, "Maximally equidistributed combined Tausworthe generators".
using taus88 = xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>, 0,
                                  xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>, 0,
                                                     linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>, 0>,
                                  0>;

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
  Real a() const { return low_; }
  Real b() const { return high_; }
  Real(min)() const { return low_; }
  Real(max)() const { return high_; }
  void reset() {}
  friend bool operator==(const uniform_real_distribution&, const uniform_real_distribution&) = default;

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
  Integer a() const { return low_; }
  Integer b() const { return high_; }
  Integer(min)() const { return low_; }
  Integer(max)() const { return high_; }
  void reset() {}
  friend bool operator==(const uniform_int_distribution&, const uniform_int_distribution&) = default;

 private:
  Integer low_, high_;
};
template <class Real = double>
class normal_distribution {
 public:
  using result_type = Real;
  explicit normal_distribution(Real mean = 0, Real deviation = 1) : mean_(mean), deviation_(deviation) {}
  template <class Engine>
  Real operator()(Engine& e) {  // one number of the engine each, by the inverse of the distribution
    const auto range = Engine::max() - Engine::min();
    auto u = e() - Engine::min();
    const bool above = u > range / 2;
    if (above) u = range - u;  // so that the probability below is exact near 0
    const Real step = static_cast<Real>(1.0 / static_cast<double>(range));
    const Real below = static_cast<Real>(u) * step + step / 2;
    const Real distance =
        static_cast<Real>(1.4142135623730951 * simt_cuda::inverse_erfc(2.0 * static_cast<double>(below)));
    return mean_ + deviation_ * (above ? distance : -distance);
  }
  Real mean() const { return mean_; }
  Real stddev() const { return deviation_; }
  Real(min)() const { return std::numeric_limits<Real>::lowest(); }
  Real(max)() const { return (std::numeric_limits<Real>::max)(); }
  void reset() {}
  friend bool operator==(const normal_distribution&, const normal_distribution&) = default;

 private:
  Real mean_, deviation_;
};
}  // namespace random
using random::default_random_engine;
using random::discard_block_engine;
using random::linear_congruential_engine;
using random::linear_feedback_shift_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::ranlux24;
using random::ranlux24_base;
using random::ranlux48;
using random::ranlux48_base;
using random::subtract_with_carry_engine;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
using random::xor_combine_engine;
template <class T>
constexpr T(min)(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr T(max)(const T& a, const T& b) {
  return a < b ? b : a;
}
// In an order of its own, not in Thrust's.
template <any_policy P, class I, class Engine>
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
requires(!any_policy<I>) void shuffle(I first, I last, Engine&& engine) {
  thrust::shuffle(detail::default_policy<I>(), first, last, engine);
}
template <any_policy P, class I, class O, class Engine>
void shuffle_copy(const P& p, I first, I last, O to, Engine&& engine) {
  const O end = thrust::copy(p, first, last, to);
  thrust::shuffle(p, to, end, engine);
}
template <class I, class O, class Engine>
requires(!any_policy<I>) void shuffle_copy(I first, I last, O to, Engine&& engine) {
  const O end = thrust::copy(first, last, to);
  thrust::shuffle(to, end, engine);
}
}  // namespace thrust
