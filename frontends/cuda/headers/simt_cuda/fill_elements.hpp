// SPDX-License-Identifier: Apache-2.0
// What the translator makes of the initial values of an array whose length is a variable
// (frontends/cuda/translate/variable_arrays.cpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace simt_cuda {

// Elements without a value are zeros.
template <class T>
void fill_elements(T* to, std::size_t length, std::initializer_list<std::type_identity_t<T> > values) {
  std::fill(std::copy(values.begin(), values.end(), to), to + length, T{});
}

}  // namespace simt_cuda
