// SPDX-License-Identifier: Apache-2.0
// An element function as a type and as a loop: for <simt/launch_each.hpp> and for the backends' side of such a launch.
#pragma once

#include <cstdint>

#include <simt/launch_config.hpp>

namespace simt::detail {

template <class T>
struct element_traits {
  static_assert(!sizeof(T*),
                "an element function is void f(std::int64_t i, ...) or void f(simt::thread t, std::int64_t i, ...)");
};
template <class... P>
struct element_traits<void (*)(std::int64_t, P...)> : kernel_traits<void (*)(thread, P...)> {
  static constexpr bool takes_thread = false;
};
template <class... P>
struct element_traits<void (*)(thread, std::int64_t, P...)> : kernel_traits<void (*)(thread, P...)> {
  static constexpr bool takes_thread = true;
};

// A thread's elements: first, first + stride, ...
template <auto Element, class... P>
SIMT_INLINE SIMT_DEVICE void elements_of(thread t, std::int64_t first, std::int64_t stride, std::int64_t n, P... p) {
  for (std::int64_t i = first; i < n; i += stride) {
    if constexpr (element_traits<decltype(+Element)>::takes_thread)
      Element(t, i, p...);
    else
      Element(i, p...);
  }
}
// The kernel, where its threads take turns.
template <auto Element, class... P>
SIMT_DEVICE void each_element(thread t, std::int64_t n, P... p) {
  elements_of<Element, P...>(t, t.grid<1>(), t.grid_size<1>(), n, p...);
}

}  // namespace simt::detail
