// SPDX-License-Identifier: Apache-2.0
// Device variables and constants at namespace scope on the simulator. Included by <simt/kernel.hpp>.
//
// A variable is a reference into the simulated device's memory, bound before main; its first value lies in the host's
// image of it, as a GPU's lies in the module's. The reference itself is the host's, so all of them stand in one section
// that the check variant knows (sim/instrument/constant_memory.cpp).
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include <simt/type_name.hpp>

namespace simt::sim {

// What reports call a variable. Extents: slowest first; none for a scalar.
struct variable_label {
  const char* name;
  const char* type;  // of an element
  std::size_t element_bytes;
  const std::size_t* extents;
  int rank;
};
// Device memory that holds a copy of the image, for as long as the process lives. Throws simt::error when it does not
// fit.
void* place_variable(const void* image, std::size_t bytes, const variable_label& label);
// All of them hold their first values again. No launch runs.
void reset_variables();

// Binds: gives place(address of the image, bytes, label) as a T&.
template <class T, class Place>
T& placed_variable(T& image, const char* name, Place place) {
  using element = std::remove_all_extents_t<T>;
  std::size_t extents[std::rank_v<T> + 1] = {};
  [&]<std::size_t... I>(std::index_sequence<I...>) { ((extents[I] = std::extent_v<T, I>), ...); }
  (std::make_index_sequence<std::rank_v<T>>());
  const std::string type(type_name<std::remove_cv_t<element>>());
  const auto* bytes = const_cast<const void*>(reinterpret_cast<const volatile void*>(&image));
  return *static_cast<T*>(
      place(bytes, sizeof(T), variable_label{name, type.c_str(), sizeof(element), extents, std::rank_v<T>}));
}

template <class T>
T& device_variable(T& image, const char* name) {
  static_assert(std::is_trivially_copyable_v<std::remove_all_extents_t<T>>,
                "device memory holds trivially copyable types");
  return placed_variable(image, name, &place_variable);
}

}  // namespace simt::sim

// What follows the macro initialises the image. A class of its own for each variable lets the image be declared before
// and defined, with its initialiser, after the reference.
#define SIMT_PLACED_VARIABLE(qualifier, name, ...)                                                           \
  namespace {                                                                                                \
  struct simt_variable_##name {                                                                              \
    using type = ::std::type_identity_t<__VA_ARGS__>;                                                        \
    static type image;                                                                                       \
  };                                                                                                         \
  }                                                                                                          \
  [[maybe_unused]] static qualifier simt_variable_##name::type& name __attribute__((section("simt_refs"))) = \
      ::simt::sim::device_variable(simt_variable_##name::image, #name);                                      \
  constinit simt_variable_##name::type simt_variable_##name::image

#define SIMT_DEVICE_VARIABLE(name, ...) SIMT_PLACED_VARIABLE(, name, __VA_ARGS__)
#define SIMT_CONSTANT(name, ...)                                                                               \
  static_assert(sizeof(__VA_ARGS__) <= 65536, #name ": constant memory has 64 KiB; use SIMT_DEVICE_VARIABLE"); \
  SIMT_PLACED_VARIABLE(const, name, __VA_ARGS__)
