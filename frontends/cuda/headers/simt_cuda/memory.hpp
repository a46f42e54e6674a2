// SPDX-License-Identifier: Apache-2.0
// Variables in the memories of the simulated device, as the translator declares them.
#pragma once

#include <new>

#include "thread.hpp"

namespace simt_cuda {

// One __shared__ variable: Name is a type of its own for each declaration (and instantiation of a template around it).
template <class Name, class T>
struct shared_slot {
  using element = std::remove_all_extents_t<T>;
  // Without a size: that of dynamic shared memory is the launch's.
  static simt::sim::shared_key described() {
    simt::sim::shared_key key{};
    key.name = Name::name();
    key.type = simt::zero_ended_type_name<element>();
    key.element_bytes = sizeof(element);
    key.rank = static_cast<std::int32_t>(std::rank_v<T>);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((key.extents[I] = static_cast<std::uint32_t>(std::extent_v<T, I>)), ...);
    }
    (std::make_index_sequence<(std::rank_v<T> < 4 ? std::rank_v<T> : 4)>());
    return key;
  }
  static simt::sim::shared_key make() {
    simt::sim::shared_key key = described();
    key.bytes = sizeof(T);
    key.align = Name::align() > 16 ? Name::align() : 16;  // T as a template argument has lost its attributes
    key.declared_align = Name::align();
    key.id = simt::sim::register_shared_key();
    return key;
  }
  static inline const simt::sim::shared_key key = make();
};

// The same for `extern __shared__`: what reports call it.
template <class Name, class T>
struct dynamic_slot {
  static inline const simt::sim::shared_key key = shared_slot<Name, T>::described();
};

#if defined(SIMT_VARIANT_CHECK)
std::byte* shared_address(const simt::sim::shared_key& key);
std::byte* dynamic_shared_address(const simt::sim::shared_key& key);
#else
[[gnu::always_inline]] inline std::byte* shared_address(const simt::sim::shared_key& key) {
  return simt::sim::shared_address(*running->current->thread.block, key);
}
[[gnu::always_inline]] inline std::byte* dynamic_shared_address() { return running->current->thread.block->shared; }
#endif

#if defined(SIMT_LOOPS)
namespace loops {  // see thread.hpp
#if defined(SIMT_VARIANT_CHECK)
[[gnu::used]] SIMT_UNWATCHED inline std::byte* shared_address(const simt::sim::shared_key& key, SIMT_LOOP_PARAMETERS) {
  SIMT_LOOP_UNUSED;
  return simt::sim::checked_shared(b, key);
}
[[gnu::used]] SIMT_UNWATCHED inline std::byte* dynamic_shared_address(const simt::sim::shared_key& key,
                                                                      SIMT_LOOP_PARAMETERS) {
  SIMT_LOOP_UNUSED;
  return simt::sim::checked_dynamic_shared(b, key);
}
#else
[[gnu::used]] inline std::byte* shared_address(const simt::sim::shared_key& key, SIMT_LOOP_PARAMETERS) {
  SIMT_LOOP_UNUSED;
  return simt::sim::shared_address(b, key);
}
[[gnu::used]] inline std::byte* dynamic_shared_address(SIMT_LOOP_PARAMETERS) {
  SIMT_LOOP_UNUSED;
  return b.shared;
}
#endif
}  // namespace loops
#endif

template <class Name, class T>
[[gnu::always_inline]] inline T& shared_variable() {
  static_assert(sizeof(T) <= 48 * 1024,
                "static shared memory is limited to 48 KiB a block; use extern __shared__ for more");
  return *reinterpret_cast<T*>(shared_address(shared_slot<Name, T>::key));
}
template <class Name, class T>
[[gnu::always_inline]] inline T& dynamic_shared() {
#if defined(SIMT_VARIANT_CHECK)
  return *reinterpret_cast<T*>(dynamic_shared_address(dynamic_slot<Name, T>::key));
#else
  return *reinterpret_cast<T*>(dynamic_shared_address());
#endif
}

// pointer_of_host: a __device__ pointer whose shadow on the host is used there as a variable, too.
enum class variable_kind { device, constant, managed, pointer_of_host };
// Memory of the device for a variable at namespace scope, filled with its host image; the same for each call.
void* place_variable(const void* image, std::size_t bytes, const simt::sim::variable_label& label, variable_kind kind);
// The type of a pointer without `__restrict__`, for which no type trait knows a pointer.
template <class Element>
Element* plain_pointer(Element*);
template <class T>
T& device_variable(T& image, const char* name, variable_kind kind) {
  const auto place = [kind](const void* from, std::size_t bytes, const simt::sim::variable_label& label) {
    return place_variable(from, bytes, label, kind);
  };
  if constexpr (!std::is_array_v<T> && requires { plain_pointer(image); }) {
    using plain = decltype(plain_pointer(image));
    return (T&)simt::sim::placed_variable((plain&)image, name, place);
  } else {
    return simt::sim::placed_variable(image, name, place);
  }
}

// A static variable within a function of the device; Name is a type of its own for each declaration (and instantiation
// of a template around it) that gives the first value. Memory is given to it before main, as to all variables.
template <class Name, class T, variable_kind Kind>
struct static_slot {
#if defined(__clang__)  // g++ leaves the attribute out of templates: there the read is not watched
  __attribute__((section("simt_refs")))
#endif
  static inline T& place = device_variable(Name::image(), Name::name(), Kind);
};
#if defined(__clang__)
#define SIMT_READS_PLACE [[gnu::always_inline]]
#else
#define SIMT_READS_PLACE SIMT_UNWATCHED
#endif
template <class Name, class T, variable_kind Kind>
SIMT_READS_PLACE inline T& static_variable() {
  return static_slot<Name, T, Kind>::place;
}
#undef SIMT_READS_PLACE

// malloc, free, new and delete of device code; on the host they are the ordinary ones.
void device_free(void* p);
bool device_code_allocates();
struct device_heap {
  const bool& noted;
  void* allocate(std::size_t bytes) const;
};
// The template's variable exists in programs whose device code uses the heap, which thus say so before main.
template <class = void>
inline const bool heap_is_used = device_code_allocates();
template <class T = void>
device_heap heap() {
  return {heap_is_used<T>};
}
// `::operator new(n)` and `::operator delete(p)`.
template <class... Ignored>
void* heap_new(std::size_t bytes, const Ignored&...) {
  return heap<>().allocate(bytes);
}
template <class T>
void* heap_new(std::size_t, T* place) {
  return place;
}
template <class... Ignored>
void heap_delete(void* p, const Ignored&...) {
  if (p != nullptr) device_free(p);
}
template <class T>
void device_delete(T* p) {
  if (p != nullptr) {
    if constexpr (!std::is_void_v<T> && !std::is_trivially_destructible_v<T>) p->~T();
    simt_cuda::device_free(
        const_cast<std::remove_cv_t<T>*>(p));  // qualified: T may bring a function of this name along
  }
}

}  // namespace simt_cuda

inline void* operator new(std::size_t bytes, simt_cuda::device_heap h) { return h.allocate(bytes); }
inline void* operator new[](std::size_t bytes, simt_cuda::device_heap h) { return h.allocate(bytes); }
inline void operator delete(void* p, simt_cuda::device_heap) { simt_cuda::device_free(p); }
inline void operator delete[](void* p, simt_cuda::device_heap) { simt_cuda::device_free(p); }
