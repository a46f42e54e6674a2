// SPDX-License-Identifier: Apache-2.0
// Stands for an API header between a kernel and the instrumented access.
#pragma once

namespace engine_like {

template <class F>
inline __attribute__((always_inline)) auto call(F f) {
  const auto result = f();
  asm volatile("");
  return result;
}

}  // namespace engine_like
