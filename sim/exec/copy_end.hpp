// SPDX-License-Identifier: Apache-2.0
// Who knows of an asynchronous copy that has been performed.
#pragma once

#include <cstdint>

namespace simt::sim {

enum class copy_end : std::uint8_t {
  nobody,  // its thread leaves
  issuer,  // which waited for it
  object,  // a barrier object of the block, which is told of it: those who wait for that
};

}  // namespace simt::sim
