// SPDX-License-Identifier: Apache-2.0
// Pointers and references of device memory, and what Thrust's iterators share.
//
// raw() takes the wrapping off an iterator, at any depth: an algorithm works on plain pointers and references, as the
// program's function objects expect. Without it, device memory would be read through proxies that copy.
#pragma once

#include <iterator>
#include <ostream>
#include <tuple>

#include "policies.hpp"

namespace thrust {

using std::get;
using std::ignore;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::random_access_iterator_tag;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

template <class T>
class device_ptr;

// An element of device memory for the host: reads and writes are copies.
template <class T>
class device_reference {
 public:
  using value_type = std::remove_cv_t<T>;
  explicit device_reference(T* p) : p_(p) {}
  explicit device_reference(const device_ptr<T>& p) : p_(p.get()) {}
  device_reference(const device_reference&) = default;
  device_ptr<T> operator&() const { return device_ptr<T>(p_); }
  operator value_type() const { return load(); }
  const device_reference& operator=(const value_type& v) const {
    store(v);
    return *this;
  }
  const device_reference& operator=(const device_reference& r) const {
    store(r.load());
    return *this;
  }
  template <class U>
  const device_reference& operator=(const device_reference<U>& r) const {
    store(static_cast<value_type>(typename device_reference<U>::value_type(r)));
    return *this;
  }
#define SIMT_THRUST_UPDATE(op)                                     \
  const device_reference& operator op(const value_type& v) const { \
    value_type mine = load();                                      \
    mine op v;                                                     \
    store(mine);                                                   \
    return *this;                                                  \
  }
  SIMT_THRUST_UPDATE(+=)
  SIMT_THRUST_UPDATE(-=)
  SIMT_THRUST_UPDATE(*=)
  SIMT_THRUST_UPDATE(/=)
  SIMT_THRUST_UPDATE(%=)
  SIMT_THRUST_UPDATE(&=)
  SIMT_THRUST_UPDATE(|=)
  SIMT_THRUST_UPDATE(^=)
  SIMT_THRUST_UPDATE(<<=)
  SIMT_THRUST_UPDATE(>>=)
#undef SIMT_THRUST_UPDATE
  const device_reference& operator++() const { return *this += value_type(1); }
  const device_reference& operator--() const { return *this -= value_type(1); }
  value_type operator++(int) const {
    const value_type old = load();
    store(old + 1);
    return old;
  }
  void swap(const device_reference& o) const {
    const value_type mine = load();
    store(o.load());
    o.store(mine);
  }
  friend void swap(const device_reference& a, const device_reference& b) { a.swap(b); }
  friend std::ostream& operator<<(std::ostream& out, const device_reference& r) { return out << r.load(); }

 private:
  value_type load() const {
    if (simt_cuda::on_device()) return *p_;
    alignas(value_type) unsigned char bytes[sizeof(value_type)];
    detail::require(cudaMemcpy(bytes, p_, sizeof bytes, cudaMemcpyDeviceToHost), "a read of device memory");
    return *std::launder(reinterpret_cast<value_type*>(bytes));
  }
  void store(const value_type& v) const {
    if constexpr (!std::is_const_v<T>) {
      if (simt_cuda::on_device())
        *p_ = v;
      else
        detail::require(cudaMemcpy(p_, &v, sizeof v, cudaMemcpyHostToDevice), "a write of device memory");
    }
  }
  T* p_;
};

namespace detail {
// What random access iterators share: Derived has advance(n), distance_to(other), and dereference().
template <class Derived, class Value, class Reference>
class facade {
 public:
  using value_type = Value;
  using reference = Reference;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  reference operator*() const { return me().dereference(); }
  reference operator[](difference_type n) const { return *(me() + n); }
  Derived& operator++() { return *this += 1; }
  Derived& operator--() { return *this += -1; }
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
  Derived& operator+=(difference_type n) {
    me().advance(n);
    return me();
  }
  Derived& operator-=(difference_type n) { return *this += -n; }
  friend Derived operator+(Derived i, difference_type n) { return i += n; }
  friend Derived operator+(difference_type n, Derived i) { return i += n; }
  friend Derived operator-(Derived i, difference_type n) { return i += -n; }
  friend difference_type operator-(const Derived& x, const Derived& y) { return y.distance_to(x); }
  friend bool operator==(const Derived& x, const Derived& y) { return y.distance_to(x) == 0; }
  friend bool operator!=(const Derived& x, const Derived& y) { return y.distance_to(x) != 0; }
  friend bool operator<(const Derived& x, const Derived& y) { return y.distance_to(x) < 0; }
  friend bool operator>(const Derived& x, const Derived& y) { return y.distance_to(x) > 0; }
  friend bool operator<=(const Derived& x, const Derived& y) { return y.distance_to(x) <= 0; }
  friend bool operator>=(const Derived& x, const Derived& y) { return y.distance_to(x) >= 0; }

 private:
  Derived& me() { return static_cast<Derived&>(*this); }
  const Derived& me() const { return static_cast<const Derived&>(*this); }
};
}  // namespace detail

// A pointer into device memory, and the iterator of device_vector.
template <class T>
class device_ptr : public detail::facade<device_ptr<T>, std::remove_cv_t<T>, device_reference<T>> {
 public:
  using pointer = device_ptr;
  using element_type = T;
  template <class U>
  using rebind = device_ptr<U>;
  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(T* p) : p_(p) {}
  template <class U>
  requires(std::is_convertible_v<U*, T*> && !std::is_same_v<U, T>) device_ptr(const device_ptr<U>& o) : p_(o.get()) {}
  T* get() const { return p_; }
  device_ptr base() const { return *this; }
  device_reference<T> dereference() const { return device_reference<T>(p_); }
  void advance(std::ptrdiff_t n) { p_ += n; }
  std::ptrdiff_t distance_to(const device_ptr& o) const { return o.p_ - p_; }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  T* p_ = nullptr;
};
template <>
class device_ptr<void> {
 public:
  device_ptr() = default;
  explicit device_ptr(void* p) : p_(p) {}
  template <class U>
  device_ptr(const device_ptr<U>& o) : p_(o.get()) {}
  void* get() const { return p_; }

 private:
  void* p_ = nullptr;
};
template <class T>
device_ptr<T> device_pointer_cast(T* p) {
  return device_ptr<T>(p);
}
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& p) {
  return p;
}
template <class T>
T* raw_pointer_cast(T* p) {
  return p;
}
template <class T>
T* raw_pointer_cast(const device_ptr<T>& p) {
  return p.get();
}
template <class I>
requires requires(const I& i) { i.base(); }
auto raw_pointer_cast(const I& i) { return std::to_address(i); }
template <class T>
T& raw_reference_cast(const device_reference<T>& r) {
  return *(&r).get();
}
template <class T>
T& raw_reference_cast(T& r) {
  return r;
}
template <class To, class T>
device_ptr<To> reinterpret_pointer_cast(const device_ptr<T>& p) {
  return device_ptr<To>(reinterpret_cast<To*>(p.get()));
}
template <class T = unsigned char>
device_ptr<T> device_malloc(std::size_t n) {
  T* p = nullptr;
  if (const cudaError_t e = cudaMalloc(&p, n * sizeof(T)); e != cudaSuccess) throw system::detail::bad_alloc(e);
  return device_ptr<T>(p);
}
template <class T>
void device_free(const device_ptr<T>& p) {
  detail::require(cudaFree(const_cast<std::remove_cv_t<T>*>(p.get())), "device_free");
}

namespace detail {
// Whether an argument of an algorithm lies in device memory.
template <class I>
struct in_device_memory : std::false_type {};
template <class T>
struct in_device_memory<device_ptr<T>> : std::true_type {};

}  // namespace detail

// Found by the arguments' namespace, so that iterators which are declared later are unwrapped too.
template <class I>
I unwrap_iterator(const I& i) {
  return i;
}
template <class T>
T* unwrap_iterator(const device_ptr<T>& p) {
  return p.get();
}
namespace detail {
template <class I>
auto raw(const I& i) {
  return unwrap_iterator(i);
}
template <class I>
using raw_type = decltype(unwrap_iterator(std::declval<const I&>()));
}  // namespace detail

}  // namespace thrust
