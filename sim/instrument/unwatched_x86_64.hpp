// SPDX-License-Identifier: Apache-2.0
// See unwatched.hpp, which includes this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

// Of what is constant while a thread runs.
template <std::size_t Offset>
[[gnu::always_inline]] inline std::int64_t unwatched_constant(const void* object) {
  std::int64_t value;
  asm("movq %c2(%1), %0" : "=r"(value) : "r"(object), "i"(Offset));
  return value;
}
template <std::size_t Offset>
[[gnu::always_inline]] inline std::uint64_t unwatched_load(const void* object) {
  std::uint64_t value;
  asm volatile("movq %c2(%1), %0" : "=r"(value) : "r"(object), "i"(Offset) : "memory");
  return value;
}
template <std::size_t Offset>
[[gnu::always_inline]] inline void unwatched_store(void* object, std::uint64_t value) {
  asm volatile("movq %1, %c2(%0)" ::"r"(object), "r"(value), "i"(Offset) : "memory");
}

}  // namespace simt::sim
