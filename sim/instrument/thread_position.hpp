// SPDX-License-Identifier: Apache-2.0
// A thread's x, y and z in its block (at most 1024 each), in one word: the next thread of a row is this one plus 1.
#pragma once

#include <cstdint>

namespace simt::sim {

[[gnu::always_inline]] constexpr std::uint64_t position_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<std::uint64_t>(x) | static_cast<std::uint64_t>(y) << 32 | static_cast<std::uint64_t>(z) << 48;
}
[[gnu::always_inline]] constexpr std::int64_t x_of(std::uint64_t position) {
  return static_cast<std::uint32_t>(position);
}
[[gnu::always_inline]] constexpr std::int64_t y_of(std::uint64_t position) { return position >> 32 & 0xffff; }
[[gnu::always_inline]] constexpr std::int64_t z_of(std::uint64_t position) { return position >> 48; }

}  // namespace simt::sim
