// SPDX-License-Identifier: Apache-2.0
// What a thread of instrumented code is about to do where a scheduler is asked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

struct pending_access {
  // none: no access of memory, but a barrier, an operation of the warp, an asynchronous copy; update: an atomic
  // operation that may read and write.
  enum class kind : std::uint8_t { none, read, write, update };
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  kind what = kind::none;
};

}  // namespace simt::sim
