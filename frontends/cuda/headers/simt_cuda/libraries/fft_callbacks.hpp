// SPDX-License-Identifier: Apache-2.0
// Transforms whose elements the program's own device code loads or stores (cufftXtSetCallback). They run between arrays
// of the host that lie as the program's: the load callback is asked for each element before, the store callback given
// each one after.
#pragma once

#include "fft_plan.hpp"
#include "numbers.hpp"

namespace simt_cuda::libraries {

template <class T>
SIMT_UNWATCHED void put_element(void* room, size i, T value) {
  static_cast<T*>(room)[i] = value;
}
template <class T>
SIMT_UNWATCHED T element_of(const void* room, size i) {
  return static_cast<const T*>(room)[i];
}
// The elements between the first and the last that are used, as they are.
SIMT_UNWATCHED inline void copy_bytes(void* to, const void* from, size bytes) {
  for (size i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
}

template <class T>
void load_elements(const fft_side& side, void* in, void* room, const fft_callback& c) {
  const auto load = reinterpret_cast<T (*)(void*, std::size_t, void*, void*)>(c.function);
  side.for_elements([&](size i) { put_element(room, i, load(in, static_cast<std::size_t>(i), c.info, nullptr)); });
}
template <class T>
void store_elements(const fft_side& side, void* out, const void* room, const fft_callback& c) {
  const auto store = reinterpret_cast<void (*)(void*, std::size_t, T, void*, void*)>(c.function);
  side.for_elements([&](size i) { store(out, static_cast<std::size_t>(i), element_of<T>(room, i), c.info, nullptr); });
}
// f(T()) for the type of the elements of a side.
template <class F>
void with_element_of(const fft_side& side, bool is_double, F f) {
  const bool real = side.bytes == (is_double ? 8 : 4);
  if (is_double)
    real ? f(double()) : f(cuDoubleComplex());
  else
    real ? f(float()) : f(cuComplex());
}

// In the kernel of a call. `transform`: of the program's arrays, which become those of the host here.
inline void transform_with_callbacks(fft_transform transform, const fft_side& from, const fft_side& to,
                                     const fft_callback& load, const fft_callback& store) {
  const bool in_place = transform.in == transform.out;
  const size in_bytes = from.extent() * from.bytes, out_bytes = to.extent() * to.bytes;
  const scratch<char> first(in_place && out_bytes > in_bytes ? out_bytes : in_bytes), second(in_place ? 1 : out_bytes);
  void *const in = transform.in, *const out = transform.out;
  transform.in = first.get();
  transform.out = in_place ? first.get() : second.get();
  if (load.function != nullptr) {
    with_element_of(from, transform.is_double,
                    [&](auto zero) { load_elements<decltype(zero)>(from, in, transform.in, load); });
  } else {
    from.is_read(in);
    copy_bytes(transform.in, in, in_bytes);
  }
  outside(transform);
  if (store.function != nullptr) {
    with_element_of(to, transform.is_double,
                    [&](auto zero) { store_elements<decltype(zero)>(to, out, transform.out, store); });
  } else {
    to.is_written(out);
    to.copy_used(out, transform.out);
  }
}

}  // namespace simt_cuda::libraries
