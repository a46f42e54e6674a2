// SPDX-License-Identifier: Apache-2.0
// Large arrays of zeros of which a short run touches little: memory that nobody has touched comes from the system as
// zeros, and costs nothing until then. calloc() would use again what was freed, and clear it: a search that makes a
// detector for each of its runs would do so each time. Internal to sim/check.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace simt::check {

struct give_back_to_the_system {
  std::size_t bytes = 0;
  void operator()(void* p) const {
    if (p != nullptr) munmap(p, bytes);
  }
};

// Of whole pages, so aligned as any type may ask.
inline void* zeros_of_system(std::size_t bytes) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

// T: a type for which bytes of zeros are a value, such as a number, a pointer, or an atomic one of these.
template <class T>
using zeroed_array = std::unique_ptr<T[], give_back_to_the_system>;

template <class T>
zeroed_array<T> make_zeroed(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  const std::size_t bytes = count * sizeof(T);
  return zeroed_array<T>(static_cast<T*>(zeros_of_system(bytes)), {bytes});
}

}  // namespace simt::check
