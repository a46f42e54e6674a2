// SPDX-License-Identifier: Apache-2.0
// Loads and stores of the engine's own in code that is compiled for check: the compiler must not see them, for it would
// announce them as the kernel's. On x86-64 an instruction that it does not look into; elsewhere a call.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <sim/instrument/unwatched_x86_64.hpp>
#else
namespace simt::sim {

std::uint64_t load_unwatched(const void* at);
void store_unwatched(void* at, std::uint64_t value);
// Of what is constant while a thread runs.
[[gnu::const]] std::uint64_t constant_unwatched(const void* at);

template <std::size_t Offset>
[[gnu::always_inline]] inline std::int64_t unwatched_constant(const void* object) {
  return static_cast<std::int64_t>(constant_unwatched(static_cast<const char*>(object) + Offset));
}
template <std::size_t Offset>
[[gnu::always_inline]] inline std::uint64_t unwatched_load(const void* object) {
  return load_unwatched(static_cast<const char*>(object) + Offset);
}
template <std::size_t Offset>
[[gnu::always_inline]] inline void unwatched_store(void* object, std::uint64_t value) {
  store_unwatched(static_cast<char*>(object) + Offset, value);
}

}  // namespace simt::sim
#endif
