// SPDX-License-Identifier: Apache-2.0
// Large arrays of zeros of which a short run touches little: memory that nobody has touched comes from the system as
// zeros, and costs nothing until then. Internal to sim/check.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace simt::check {

struct give_back_to_the_system {
  void operator()(void* p) const { std::free(p); }
};

// T: a type for which bytes of zeros are a value, such as a number, a pointer, or an atomic one of these.
template <class T>
using zeroed_array = std::unique_ptr<T[], give_back_to_the_system>;

template <class T>
zeroed_array<T> make_zeroed(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  void* const p = std::calloc(count, sizeof(T));
  if (p == nullptr) throw std::bad_alloc();
  return zeroed_array<T>(static_cast<T*>(p));
}

}  // namespace simt::check
