// SPDX-License-Identifier: Apache-2.0
// Objects and room in device memory without a vector: device_new, unique pointers, temporary buffers.
#pragma once

#include "vectors.hpp"

namespace thrust {

// n objects, made by their default constructor or copied from one, in new memory or in memory that is there.
template <class T>
device_ptr<T> device_new(device_ptr<void> where, const T& from, std::size_t n = 1) {
  T* const at = static_cast<T*>(where.get());
  detail::per_element(detail::device_policy(), "thrust::device_new()", n,
                      [=](std::size_t i) { ::new (static_cast<void*>(at + i)) T(from); });
  return device_ptr<T>(at);
}
template <class T>
device_ptr<T> device_new(device_ptr<void> where, std::size_t n = 1) {
  return thrust::device_new<T>(where, T(), n);
}
template <class T>
device_ptr<T> device_new(std::size_t n = 1) {
  return thrust::device_new<T>(device_ptr<void>(thrust::device_malloc<T>(n)), n);
}
template <class T>
void device_delete(device_ptr<T> p, std::size_t n = 1) {
  if constexpr (!std::is_trivially_destructible_v<T>) {
    T* const at = p.get();
    detail::per_element(detail::device_policy(), "thrust::device_delete()", n, [=](std::size_t i) { at[i].~T(); });
  }
  thrust::device_free(p);
}
template <class T>
using device_new_allocator = device_allocator<T>;

// Gives the memory of unique_ptr back to its allocator.
template <class T, class Allocator>
struct allocator_delete {
  using pointer = typename Allocator::pointer;
  Allocator allocator;
  void operator()(pointer p) {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      T* const at = raw_pointer_cast(p);
      detail::per_element(detail::device_policy(), "thrust::unique_ptr()", 1, [=](std::size_t) { at->~T(); });
    }
    allocator.deallocate(p, 1);
  }
};
template <class T, class Allocator, class... A>
std::unique_ptr<T, allocator_delete<T, Allocator>> allocate_unique(Allocator allocator, A&&... arguments) {
  const auto p = allocator.allocate(1);
  (void)thrust::device_new<T>(device_ptr<void>(static_cast<void*>(raw_pointer_cast(p))),
                              T(std::forward<A>(arguments)...));
  return {p, allocator_delete<T, Allocator>{allocator}};
}
template <class T, class... A>
auto device_make_unique(A&&... arguments) {
  return thrust::allocate_unique<T>(device_allocator<T>(), std::forward<A>(arguments)...);
}

// A pointer to memory of a system; the host's are plain.
template <class T, any_policy System>
using pointer = std::conditional_t<detail::is_device<System>, device_ptr<T>, T*>;
template <class T, any_policy P>
pointer<T, P> malloc(const P&, std::size_t n) {
  if constexpr (detail::is_device<P>)
    return thrust::device_malloc<T>(n);
  else
    return static_cast<T*>(::operator new(n * sizeof(T)));
}
template <any_policy P>
pointer<void, P> malloc(const P&, std::size_t bytes) {
  if constexpr (detail::is_device<P>)
    return thrust::device_malloc(bytes);
  else
    return ::operator new(bytes);
}
template <any_policy P, class Pointer>
void free(const P&, Pointer p) {
  if constexpr (detail::is_device<P>)
    thrust::device_free(p);
  else
    ::operator delete(p);
}
// Room for the time of an algorithm that a program writes itself.
template <class T, any_policy P>
pair<pointer<T, P>, std::ptrdiff_t> get_temporary_buffer(const P& system, std::ptrdiff_t n) {
  return {thrust::malloc<T>(system, static_cast<std::size_t>(n)), n};
}
template <any_policy P, class Pointer, class... Count>
void return_temporary_buffer(const P& system, Pointer p, Count...) {
  thrust::free(system, p);
}

// The names of CUDA's system.
namespace cuda {
using tag = device_system_tag;
template <class T>
using pointer = device_ptr<T>;
template <class T>
using reference = device_reference<T>;
template <class T>
using allocator = device_allocator<T>;
template <class T>
using vector = device_vector<T>;
inline pointer<void> malloc(std::size_t bytes) { return thrust::device_malloc(bytes); }
template <class T>
pointer<T> malloc(std::size_t n) {
  return thrust::device_malloc<T>(n);
}
template <class T>
void free(pointer<T> p) {
  thrust::device_free(p);
}
}  // namespace cuda
namespace system::cuda {
using thrust::cuda::allocator;
using thrust::cuda::free;
using thrust::cuda::malloc;
using thrust::cuda::pointer;
using thrust::cuda::reference;
using thrust::cuda::tag;
using thrust::cuda::vector;
}  // namespace system::cuda

}  // namespace thrust
