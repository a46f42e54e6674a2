// SPDX-License-Identifier: Apache-2.0
// Thrust's fancy iterators.
#pragma once

#include "pointers.hpp"

namespace thrust {

template <class Incrementable, class System = void, class Traversal = void, class Difference = void>
class counting_iterator : public detail::facade<counting_iterator<Incrementable, System, Traversal, Difference>,
                                                Incrementable, Incrementable> {
 public:
  counting_iterator() = default;
  explicit counting_iterator(Incrementable v) : value_(v) {}
  Incrementable dereference() const { return value_; }
  Incrementable base() const { return value_; }
  void advance(std::ptrdiff_t n) { value_ = static_cast<Incrementable>(value_ + static_cast<Incrementable>(n)); }
  std::ptrdiff_t distance_to(const counting_iterator& o) const {
    return static_cast<std::ptrdiff_t>(o.value_) - static_cast<std::ptrdiff_t>(value_);
  }

 private:
  Incrementable value_{};
};
template <class T>
counting_iterator<T> make_counting_iterator(T v) {
  return counting_iterator<T>(v);
}

template <class T, class Incrementable = void, class System = void>
class constant_iterator : public detail::facade<constant_iterator<T, Incrementable, System>, T, T> {
 public:
  constant_iterator() = default;
  explicit constant_iterator(const T& v, std::ptrdiff_t at = 0) : value_(v), at_(at) {}
  T dereference() const { return value_; }
  void advance(std::ptrdiff_t n) { at_ += n; }
  std::ptrdiff_t distance_to(const constant_iterator& o) const { return o.at_ - at_; }

 private:
  T value_{};
  std::ptrdiff_t at_ = 0;
};
template <class T>
constant_iterator<T> make_constant_iterator(T v, std::ptrdiff_t at = 0) {
  return constant_iterator<T>(v, at);
}

// Takes what is written and keeps nothing.
class discard_iterator_place {
 public:
  template <class T>
  const discard_iterator_place& operator=(const T&) const {
    return *this;
  }
};
template <class System = void>
class discard_iterator
    : public detail::facade<discard_iterator<System>, discard_iterator_place, discard_iterator_place> {
 public:
  explicit discard_iterator(std::ptrdiff_t at = 0) : at_(at) {}
  discard_iterator_place dereference() const { return {}; }
  void advance(std::ptrdiff_t n) { at_ += n; }
  std::ptrdiff_t distance_to(const discard_iterator& o) const { return o.at_ - at_; }

 private:
  std::ptrdiff_t at_ = 0;
};
inline discard_iterator<> make_discard_iterator(std::ptrdiff_t at = 0) { return discard_iterator<>(at); }

namespace detail {
template <class I>
using value_of = typename std::iterator_traits<I>::value_type;
template <class I>
using reference_of = decltype(*std::declval<const I&>());
}  // namespace detail

template <class Function, class Iterator, class Reference = void, class Value = void>
class transform_iterator
    : public detail::facade<
          transform_iterator<Function, Iterator, Reference, Value>,
          std::remove_cvref_t<decltype(std::declval<Function>()(*std::declval<detail::raw_type<Iterator>>()))>,
          std::decay_t<decltype(std::declval<Function>()(*std::declval<detail::raw_type<Iterator>>()))>> {
 public:
  transform_iterator() = default;
  transform_iterator(Iterator i, Function f) : i_(i), f_(f) {}
  explicit transform_iterator(Iterator i) : i_(i) {}
  auto dereference() const {
    Function f = f_;
    return std::decay_t<decltype(f(*detail::raw(i_)))>(f(*detail::raw(i_)));
  }
  void advance(std::ptrdiff_t n) { i_ += n; }
  std::ptrdiff_t distance_to(const transform_iterator& o) const { return o.i_ - i_; }
  const Iterator& base() const { return i_; }
  const Function& functor() const { return f_; }

 private:
  Iterator i_;
  Function f_;
};
template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator i, Function f) {
  return {i, f};
}

template <class Elements, class Indices>
class permutation_iterator : public detail::facade<permutation_iterator<Elements, Indices>, detail::value_of<Elements>,
                                                   detail::reference_of<Elements>> {
 public:
  permutation_iterator() = default;
  permutation_iterator(Elements e, Indices i) : e_(e), i_(i) {}
  detail::reference_of<Elements> dereference() const { return e_[static_cast<std::ptrdiff_t>(*i_)]; }
  void advance(std::ptrdiff_t n) { i_ += n; }
  std::ptrdiff_t distance_to(const permutation_iterator& o) const { return o.i_ - i_; }
  const Elements& elements() const { return e_; }
  const Indices& base() const { return i_; }

 private:
  Elements e_;
  Indices i_;
};
template <class Elements, class Indices>
permutation_iterator<Elements, Indices> make_permutation_iterator(Elements e, Indices i) {
  return {e, i};
}

template <class Iterator>
class reverse_iterator
    : public detail::facade<reverse_iterator<Iterator>, detail::value_of<Iterator>, detail::reference_of<Iterator>> {
 public:
  reverse_iterator() = default;
  explicit reverse_iterator(Iterator i) : i_(i) {}
  detail::reference_of<Iterator> dereference() const { return *(i_ - 1); }
  void advance(std::ptrdiff_t n) { i_ -= n; }
  std::ptrdiff_t distance_to(const reverse_iterator& o) const { return i_ - o.i_; }
  const Iterator& base() const { return i_; }

 private:
  Iterator i_;
};
template <class Iterator>
reverse_iterator<Iterator> make_reverse_iterator(Iterator i) {
  return reverse_iterator<Iterator>(i);
}

namespace detail {
// What a tuple of iterators refers to: a tuple of references (of values, where an iterator makes them).
template <class Tuple>
struct zip_types;
template <class... I>
struct zip_types<std::tuple<I...>> {
  using value = std::tuple<value_of<I>...>;
  using reference = std::tuple<reference_of<I>...>;
};
}  // namespace detail

template <class Tuple>
class zip_iterator : public detail::facade<zip_iterator<Tuple>, typename detail::zip_types<Tuple>::value,
                                           typename detail::zip_types<Tuple>::reference> {
 public:
  using iterators = Tuple;
  zip_iterator() = default;
  zip_iterator(const Tuple& t) : all_(t) {}
  template <class Other>
  zip_iterator(const zip_iterator<Other>& o) : all_(o.get_iterator_tuple()) {}
  const Tuple& get_iterator_tuple() const { return all_; }
  typename detail::zip_types<Tuple>::reference dereference() const {
    return std::apply([](const auto&... i) { return typename detail::zip_types<Tuple>::reference(*i...); }, all_);
  }
  void advance(std::ptrdiff_t n) {
    std::apply([n](auto&... i) { ((i += n), ...); }, all_);
  }
  std::ptrdiff_t distance_to(const zip_iterator& o) const { return std::get<0>(o.all_) - std::get<0>(all_); }

 private:
  Tuple all_;
};
template <class... I>
zip_iterator<std::tuple<I...>> make_zip_iterator(const std::tuple<I...>& t) {
  return zip_iterator<std::tuple<I...>>(t);
}
template <class First, class... I>
requires(!requires {
  std::tuple_size<First>::value;
}) zip_iterator<std::tuple<First, I...>> make_zip_iterator(First first, I... rest) {
  return zip_iterator<std::tuple<First, I...>>(std::tuple<First, I...>(first, rest...));
}
// Calls a function of several arguments with the elements of a tuple.
template <class Function>
class zip_function {
 public:
  explicit zip_function(Function f) : f_(f) {}
  template <class Tuple>
  decltype(auto) operator()(Tuple&& t) const {
    return std::apply(f_, std::forward<Tuple>(t));
  }

 private:
  mutable Function f_;  // its operator need not be const
};
template <class Function>
zip_function<Function> make_zip_function(Function f) {
  return zip_function<Function>(f);
}

template <class F, class I, class R, class V>
auto unwrap_iterator(const transform_iterator<F, I, R, V>& i) {
  return transform_iterator<F, detail::raw_type<I>>(detail::raw(i.base()), i.functor());
}
template <class E, class I>
auto unwrap_iterator(const permutation_iterator<E, I>& i) {
  return permutation_iterator<detail::raw_type<E>, detail::raw_type<I>>(detail::raw(i.elements()),
                                                                        detail::raw(i.base()));
}
template <class I>
auto unwrap_iterator(const reverse_iterator<I>& i) {
  return reverse_iterator<detail::raw_type<I>>(detail::raw(i.base()));
}
template <class... I>
auto unwrap_iterator(const zip_iterator<std::tuple<I...>>& z) {
  using bare = std::tuple<detail::raw_type<I>...>;
  return std::apply([](const auto&... i) { return zip_iterator<bare>(bare(detail::raw(i)...)); },
                    z.get_iterator_tuple());
}

namespace detail {
// These say themselves which system they are of, or none.
template <class T, class System, class Traversal, class Difference>
struct in_device_memory<counting_iterator<T, System, Traversal, Difference>> : std::is_same<System, device_system_tag> {
};
template <class T, class Incrementable, class System>
struct in_device_memory<constant_iterator<T, Incrementable, System>> : std::is_same<System, device_system_tag> {};
template <class System>
struct in_device_memory<discard_iterator<System>> : std::is_same<System, device_system_tag> {};
template <class F, class I, class R, class V>
struct in_device_memory<transform_iterator<F, I, R, V>> : in_device_memory<I> {};
template <class E, class I>
struct in_device_memory<permutation_iterator<E, I>>
    : std::bool_constant<in_device_memory<E>::value || in_device_memory<I>::value> {};
template <class I>
struct in_device_memory<reverse_iterator<I>> : in_device_memory<I> {};
template <class... I>
struct in_device_memory<zip_iterator<std::tuple<I...>>> : std::bool_constant<(in_device_memory<I>::value || ...)> {};

// The policy of an algorithm that is given none: that of the memory.
template <class... Arguments>
using default_policy =
    std::conditional_t<(in_device_memory<std::remove_cvref_t<Arguments>>::value || ...), device_policy, host_policy>;
}  // namespace detail

template <class I>
std::ptrdiff_t distance(I a_, I b_) {
  return b_ - a_;
}
template <class I, class N>
void advance(I& i, N n) {
  i += n;
}
template <class I>
I next(I i, std::ptrdiff_t n = 1) {
  return i + n;
}
template <class I>
I prev(I i, std::ptrdiff_t n = 1) {
  return i - n;
}
template <class I>
struct iterator_traits : std::iterator_traits<I> {};
template <class I>
using iterator_value_t = detail::value_of<I>;
template <class I>
struct iterator_value {
  using type = detail::value_of<I>;
};
template <class I>
struct iterator_difference {
  using type = std::ptrdiff_t;
};
template <class I>
struct iterator_system {
  using type = std::conditional_t<detail::in_device_memory<I>::value, device_system_tag, host_system_tag>;
};

}  // namespace thrust
