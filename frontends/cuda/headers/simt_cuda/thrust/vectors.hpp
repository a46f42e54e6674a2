// SPDX-License-Identifier: Apache-2.0
// host_vector and device_vector.
#pragma once

#include <initializer_list>

#include "copies.hpp"

namespace thrust {

template <class T>
class device_allocator {
 public:
  using value_type = T;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  template <class U>
  struct rebind {
    using other = device_allocator<U>;
  };
  device_allocator() = default;
  template <class U>
  device_allocator(const device_allocator<U>&) {}
  pointer allocate(std::size_t n) { return thrust::device_malloc<T>(n); }
  void deallocate(pointer p, std::size_t) { (void)cudaFree(p.get()); }
  friend bool operator==(const device_allocator&, const device_allocator&) { return true; }
};
template <class T>
using device_malloc_allocator = device_allocator<T>;

template <class T>
class managed_allocator;

template <class T, class Allocator = device_allocator<T>>
class device_vector;

template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
  using base = std::vector<T, Allocator>;

 public:
  using base::base;
  host_vector() = default;
  host_vector(const base& v) : base(v) {}
  template <class A>
  host_vector(const device_vector<T, A>& v) {
    *this = v;
  }
  template <class U, class A>
  requires(!std::is_same_v<U, T>) host_vector(const device_vector<U, A>& v) { *this = v; }
  template <class U, class A>
  host_vector& operator=(const device_vector<U, A>& v) {
    this->resize(v.size());
    thrust::copy(v.begin(), v.end(), this->begin());
    return *this;
  }
  host_vector& operator=(std::initializer_list<T> all) {
    base::operator=(all);
    return *this;
  }
};

template <class T, class Allocator>
class device_vector {
 public:
  using value_type = T;
  using allocator_type = Allocator;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;
  using reverse_iterator = thrust::reverse_iterator<iterator>;
  using const_reverse_iterator = thrust::reverse_iterator<const_iterator>;

  device_vector() = default;
  explicit device_vector(const Allocator& a) : allocator_(a) {}
  explicit device_vector(size_type n) : device_vector(n, T()) {}
  device_vector(size_type n, const Allocator& a) : device_vector(n, T(), a) {}
  explicit device_vector(size_type n, const T& v, const Allocator& a = Allocator()) : allocator_(a) {
    make(n);
    fill(0, n, v);
  }
  device_vector(const device_vector& o) : allocator_(o.allocator_) { take(o.begin(), o.end()); }
  device_vector(device_vector&& o) noexcept { swap(o); }
  template <class U, class A>
  device_vector(const std::vector<U, A>& v) {
    take(v.begin(), v.end());
  }
  template <class U, class A>
  requires(!std::is_same_v<U, T>) device_vector(const device_vector<U, A>& v) { take(v.begin(), v.end()); }
  device_vector(std::initializer_list<T> all) { take(all.begin(), all.end()); }
  template <class I>
  requires requires(I i) {
    *i;
    ++i;
  }
  device_vector(I first, I last, const Allocator& a = Allocator()) : allocator_(a) { take(first, last); }
  ~device_vector() { drop(); }
  device_vector& operator=(const device_vector& o) {
    if (this != &o) assign(o.begin(), o.end());
    return *this;
  }
  device_vector& operator=(device_vector&& o) noexcept {
    swap(o);
    return *this;
  }
  template <class U, class A>
  device_vector& operator=(const std::vector<U, A>& v) {
    assign(v.begin(), v.end());
    return *this;
  }
  template <class U, class A>
  requires(!std::is_same_v<U, T>) device_vector& operator=(const device_vector<U, A>& v) {
    assign(v.begin(), v.end());
    return *this;
  }
  device_vector& operator=(std::initializer_list<T> all) {
    assign(all.begin(), all.end());
    return *this;
  }

  iterator begin() { return iterator(at_); }
  iterator end() { return begin() + static_cast<std::ptrdiff_t>(size_); }
  const_iterator begin() const { return const_iterator(at_); }
  const_iterator end() const { return begin() + static_cast<std::ptrdiff_t>(size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const { return rbegin(); }
  const_reverse_iterator crend() const { return rend(); }
  pointer data() { return begin(); }
  const_pointer data() const { return begin(); }
  reference operator[](size_type i) { return reference(at_ + i); }
  const_reference operator[](size_type i) const { return const_reference(at_ + i); }
  reference front() { return (*this)[0]; }
  const_reference front() const { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference back() const { return (*this)[size_ - 1]; }
  size_type size() const { return size_; }
  size_type capacity() const { return room_; }
  bool empty() const { return size_ == 0; }
  size_type max_size() const { return ~size_type{0} / sizeof(T); }
  allocator_type get_allocator() const { return allocator_; }

  void reserve(size_type n) {
    if (n <= room_) return;
    device_vector larger(allocator_);
    larger.make(n);
    larger.size_ = size_;
    thrust::copy(begin(), end(), larger.begin());
    swap(larger);
  }
  void resize(size_type n) { resize(n, T()); }
  void resize(size_type n, const T& v) {
    if (n > room_) reserve(n > 2 * room_ ? n : 2 * room_);
    const size_type before = size_;
    size_ = n;
    if (n > before) fill(before, n, v);
  }
  void shrink_to_fit() {
    if (room_ == size_) return;
    device_vector exact(begin(), end());
    swap(exact);
  }
  void clear() { size_ = 0; }
  void push_back(const T& v) { resize(size_ + 1, v); }
  template <class... A>
  void emplace_back(A&&... arguments) {
    push_back(T(std::forward<A>(arguments)...));
  }
  void pop_back() { --size_; }
  void swap(device_vector& o) noexcept {
    std::swap(at_, o.at_);
    std::swap(size_, o.size_);
    std::swap(room_, o.room_);
    std::swap(allocator_, o.allocator_);
  }
  template <class I>
  requires requires(I i) {
    *i;
    ++i;
  }
  void assign(I first, I last) {
    const size_type n = detail::length(first, last);
    if (n > room_) {
      drop();
      make(n);
    }
    size_ = n;
    thrust::copy(first, last, begin());
  }
  void assign(size_type n, const T& v) {
    size_ = 0;
    resize(n, v);
  }
  iterator erase(iterator i) { return erase(i, i + 1); }
  iterator erase(iterator first, iterator last) {
    host_vector<T> rest;
    rest.resize(static_cast<size_type>(end() - last));
    thrust::copy(last, end(), rest.begin());
    thrust::copy(rest.begin(), rest.end(), first);
    size_ -= static_cast<size_type>(last - first);
    return first;
  }
  iterator insert(iterator where, const T& v) {
    const std::ptrdiff_t place = where - begin();
    host_vector<T> all(*this);
    all.insert(all.begin() + place, v);
    *this = all;
    return begin() + place;
  }
  template <class I>
  requires requires(I i) {
    *i;
    ++i;
  }
  void insert(iterator where, I first, I last) {
    const std::ptrdiff_t place = where - begin();
    host_vector<T> all(*this), more(detail::length(first, last));
    thrust::copy(first, last, more.begin());
    all.insert(all.begin() + place, more.begin(), more.end());
    *this = all;
  }

 private:
  void make(size_type n) {
    room_ = size_ = n;
    if (n == 0) return;
    simt_cuda::name_next("a device_vector");
    room_ = size_ = 0;
    at_ = raw_pointer_cast(allocator_.allocate(n));
    room_ = size_ = n;
  }
  template <class I>
  void take(I first, I last) {
    make(detail::length(first, last));
    thrust::copy(first, last, begin());
  }
  void fill(size_type first, size_type last, const T& v) {
    T* const p = at_ + first;
    detail::per_element(detail::device_policy(), "thrust::device_vector()", last - first,
                        [=](size_type i) { ::new (static_cast<void*>(p + i)) T(v); });
  }
  void drop() {
    if (at_ != nullptr) allocator_.deallocate(pointer_of(at_), room_);
    at_ = nullptr;
    room_ = size_ = 0;
  }

  // As the allocator calls it.
  static auto pointer_of(T* p) {
    using its_own = std::remove_cvref_t<decltype(std::declval<Allocator&>().allocate(1))>;
    return its_own(p);
  }

  [[no_unique_address]] Allocator allocator_;
  T* at_ = nullptr;
  size_type size_ = 0, room_ = 0;
};

namespace detail {
template <class V>
inline constexpr bool is_device_vector = false;
template <class T, class A>
inline constexpr bool is_device_vector<device_vector<T, A>> = true;
template <class V>
inline constexpr bool is_some_vector = is_device_vector<V>;
template <class T, class A>
inline constexpr bool is_some_vector<host_vector<T, A>> = true;
template <class V>
auto on_host(const V& v) {
  if constexpr (is_device_vector<V>)
    return host_vector<typename V::value_type>(v);
  else
    return std::vector<typename V::value_type>(v.begin(), v.end());
}
}  // namespace detail
template <class V, class W>
requires((detail::is_device_vector<V> && (detail::is_device_vector<W> || detail::is_some_vector<W>)) ||
         (detail::is_some_vector<V> && detail::is_device_vector<W>)) bool
operator==(const V& a_, const W& b_) {
  if (a_.size() != b_.size()) return false;
  const auto mine = detail::on_host(a_);
  const auto other = detail::on_host(b_);
  return std::equal(mine.begin(), mine.end(), other.begin());
}
template <class T, class A>
void swap(device_vector<T, A>& a_, device_vector<T, A>& b_) {
  a_.swap(b_);
}
template <class T>
using universal_ptr = T*;

// Memory of both sides: managed memory, which plain pointers name.
template <class T>
class managed_allocator {
 public:
  using value_type = T;
  managed_allocator() = default;
  template <class U>
  managed_allocator(const managed_allocator<U>&) {}
  T* allocate(std::size_t n) {
    T* p = nullptr;
    if (const cudaError_t e = cudaMallocManaged(&p, n * sizeof(T)); e != cudaSuccess)
      throw system::detail::bad_alloc(e);
    return p;
  }
  void deallocate(T* p, std::size_t) { (void)cudaFree(p); }
  friend bool operator==(const managed_allocator&, const managed_allocator&) { return true; }
};
template <class T>
using universal_allocator = managed_allocator<T>;
// Algorithms work on it as on device memory: in the order of the stream, behind kernels that were launched before.
template <class T, class Allocator = universal_allocator<T>>
using universal_vector = device_vector<T, Allocator>;

// Host memory that copies of streams may use (thrust/system/cuda/experimental/pinned_allocator.h).
template <class T>
class pinned_allocator {
 public:
  using value_type = T;
  pinned_allocator() = default;
  template <class U>
  pinned_allocator(const pinned_allocator<U>&) {}
  T* allocate(std::size_t n) {
    T* p = nullptr;
    if (const cudaError_t e = cudaMallocHost(&p, n * sizeof(T)); e != cudaSuccess) throw system::detail::bad_alloc(e);
    return p;
  }
  void deallocate(T* p, std::size_t) { (void)cudaFreeHost(p); }
  friend bool operator==(const pinned_allocator&, const pinned_allocator&) { return true; }
};
template <class T>
using universal_host_pinned_vector = device_vector<T, pinned_allocator<T>>;
namespace cuda::experimental {
using thrust::pinned_allocator;
}
namespace system::cuda::experimental {
using thrust::pinned_allocator;
}

}  // namespace thrust
