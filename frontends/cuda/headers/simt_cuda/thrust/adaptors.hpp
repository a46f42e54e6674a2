// SPDX-License-Identifier: Apache-2.0
// What programs make iterators of their own with: iterator_facade and iterator_adaptor. A class derives from one of
// them and says in private members what differs; iterator_core_access, its friend, calls those.
#pragma once

#include "iterators.hpp"

namespace thrust {

struct use_default {};
struct any_system_tag {};
struct incrementable_traversal_tag {};
struct single_pass_traversal_tag {};
struct forward_traversal_tag {};
struct bidirectional_traversal_tag {};
struct random_access_traversal_tag {};

class iterator_core_access {
 public:
  template <class I>
  static decltype(auto) dereference(const I& i) {
    return i.dereference();
  }
  template <class I>
  static void increment(I& i) {
    i.increment();
  }
  template <class I>
  static void decrement(I& i) {
    i.decrement();
  }
  template <class I, class N>
  static void advance(I& i, N n) {
    i.advance(n);
  }
  template <class I, class J>
  static bool equal(const I& i, const J& j) {
    return i.equal(j);
  }
  template <class I, class J>
  static auto distance(const I& from, const J& to) {
    return from.distance_to(to);
  }
};

template <class Derived, class Value, class System, class Traversal, class Reference, class Difference = std::ptrdiff_t>
class iterator_facade {
  using access = iterator_core_access;

 public:
  using value_type = std::remove_cv_t<Value>;
  using reference = Reference;
  using pointer = void;
  using difference_type = Difference;
  using iterator_category = std::random_access_iterator_tag;
  reference operator*() const { return access::dereference(me()); }
  reference operator[](Difference n) const { return *(me() + n); }
  Derived& operator++() {
    access::increment(me());
    return me();
  }
  Derived& operator--() {
    access::decrement(me());
    return me();
  }
  Derived operator++(int) {
    Derived old = me();
    ++*this;
    return old;
  }
  Derived operator--(int) {
    Derived old = me();
    --*this;
    return old;
  }
  Derived& operator+=(Difference n) {
    access::advance(me(), n);
    return me();
  }
  Derived& operator-=(Difference n) { return *this += -n; }
  friend Derived operator+(Derived i, Difference n) { return i += n; }
  friend Derived operator+(Difference n, Derived i) { return i += n; }
  friend Derived operator-(Derived i, Difference n) { return i -= n; }
  friend Difference operator-(const Derived& i, const Derived& j) { return access::distance(j, i); }
  friend bool operator==(const Derived& i, const Derived& j) { return access::equal(i, j); }
  friend bool operator!=(const Derived& i, const Derived& j) { return !access::equal(i, j); }
  friend bool operator<(const Derived& i, const Derived& j) { return access::distance(i, j) > 0; }
  friend bool operator>(const Derived& i, const Derived& j) { return access::distance(i, j) < 0; }
  friend bool operator<=(const Derived& i, const Derived& j) { return access::distance(i, j) >= 0; }
  friend bool operator>=(const Derived& i, const Derived& j) { return access::distance(i, j) <= 0; }

 private:
  Derived& me() { return static_cast<Derived&>(*this); }
  const Derived& me() const { return static_cast<const Derived&>(*this); }
};

namespace detail {
template <class Wanted, class Otherwise>
using or_default = std::conditional_t<std::is_same_v<Wanted, use_default>, Otherwise, Wanted>;
}  // namespace detail

template <class Derived, class Base, class Value = use_default, class System = use_default,
          class Traversal = use_default, class Reference = use_default, class Difference = use_default>
class iterator_adaptor
    : public iterator_facade<Derived, detail::or_default<Value, detail::value_of<Base>>, System, Traversal,
                             detail::or_default<Reference, std::conditional_t<std::is_same_v<Value, use_default>,
                                                                              detail::reference_of<Base>, Value&>>,
                             detail::or_default<Difference, std::ptrdiff_t>> {
  friend class iterator_core_access;

 public:
  using base_type = Base;
  // What the adaptor's class calls its own base.
  using super_t = iterator_adaptor;
  iterator_adaptor() = default;
  explicit iterator_adaptor(const Base& i) : base_(i) {}
  const Base& base() const { return base_; }

 protected:
  const Base& base_reference() const { return base_; }
  Base& base_reference() { return base_; }

 private:
  using reached = detail::or_default<Difference, std::ptrdiff_t>;
  typename iterator_adaptor::reference dereference() const { return *base_; }
  template <class D, class B, class V, class S, class T, class R, class N>
  bool equal(const iterator_adaptor<D, B, V, S, T, R, N>& o) const {
    return base_ == o.base();
  }
  void advance(reached n) { base_ += n; }
  void increment() { ++base_; }
  void decrement() { --base_; }
  template <class D, class B, class V, class S, class T, class R, class N>
  reached distance_to(const iterator_adaptor<D, B, V, S, T, R, N>& o) const {
    return o.base() - base_;
  }
  Base base_;
};

namespace detail {
template <class I>
requires requires {
  typename I::base_type;
  typename I::super_t;
}
struct in_device_memory<I> : in_device_memory<typename I::base_type> {};
}  // namespace detail

// The elements from `offset` on, which may be a number or stand in memory.
template <class Iterator, class Offset = std::ptrdiff_t>
class offset_iterator : public detail::facade<offset_iterator<Iterator, Offset>, detail::value_of<Iterator>,
                                              detail::reference_of<Iterator>> {
 public:
  offset_iterator() = default;
  explicit offset_iterator(Iterator i, Offset offset = {}) : i_(i), offset_(offset) {}
  detail::reference_of<Iterator> dereference() const { return i_[shift()]; }
  void advance(std::ptrdiff_t n) { i_ += n; }
  std::ptrdiff_t distance_to(const offset_iterator& o) const { return (o.i_ - i_) + (o.shift() - shift()); }
  const Iterator& base() const { return i_; }
  const Offset& offset() const { return offset_; }

 private:
  std::ptrdiff_t shift() const {
    if constexpr (std::is_integral_v<Offset>)
      return static_cast<std::ptrdiff_t>(offset_);
    else
      return static_cast<std::ptrdiff_t>(*offset_);
  }
  Iterator i_;
  Offset offset_;
};
template <class Iterator, class Offset>
offset_iterator<Iterator, Offset> make_offset_iterator(Iterator i, Offset offset) {
  return offset_iterator<Iterator, Offset>(i, offset);
}
template <class I, class O>
auto unwrap_iterator(const offset_iterator<I, O>& i) {
  return offset_iterator<detail::raw_type<I>, detail::raw_type<O>>(detail::raw(i.base()), detail::raw(i.offset()));
}
namespace detail {
template <class I, class O>
struct in_device_memory<offset_iterator<I, O>> : in_device_memory<I> {};
}  // namespace detail

}  // namespace thrust
