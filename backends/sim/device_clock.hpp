// SPDX-License-Identifier: Apache-2.0
// How fast the simulated device's clock runs: an H200's at its boost frequency.
#pragma once

#include <cstdint>

namespace simt::sim {

inline constexpr std::uint64_t kClockKhz = 1'980'000;

}  // namespace simt::sim
