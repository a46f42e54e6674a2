// SPDX-License-Identifier: Apache-2.0
// wide_swap(p, seen, desired): stores `desired` at p, a multiple of 16, where `seen` stands, in one step; `seen`
// becomes what was found. True: it is stored. The compilers' own builtins call a library for that, which kernels are
// not linked with.
#pragma once

#if defined(__x86_64__)
#include <sim/exec/wide_swap_x86_64.hpp>
#elif defined(__aarch64__)
#include <sim/exec/wide_swap_aarch64.hpp>
#endif

namespace simt::sim {

// The same; `any`: whatever stands there.
[[gnu::always_inline]] inline bool wide_swap_or_any(void* p, bool any, wide_bits& seen, wide_bits desired) {
  bool done = wide_swap(p, seen, desired);
  while (any && !done) done = wide_swap(p, seen, desired);
  return done;
}

}  // namespace simt::sim
