// SPDX-License-Identifier: Apache-2.0
// What the compiler is given before a source in C that includes CUDA's headers (frontends/cuda/translate/c_source.cpp).
#pragma once

#include <cstddef>

#include "host_source.hpp"

namespace simt_cuda {

// A pointer to void as C has it: it becomes a pointer to anything.
struct pointer_in_c {
  void* at;
  template <class T>
  operator T*() const {
    return static_cast<T*>(at);
  }
  explicit operator bool() const { return at != nullptr; }
  bool operator!() const { return at == nullptr; }
  bool operator==(const void* other) const { return at == other; }
};

template <class T>
T value_in_c(T value) {
  return value;
}
inline pointer_in_c value_in_c(void* at) { return {at}; }
inline pointer_in_c value_in_c(const void* at) { return {const_cast<void*>(at)}; }

}  // namespace simt_cuda
