// SPDX-License-Identifier: Apache-2.0
// What a thread of instrumented code is about to do where a scheduler is asked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

struct pending_access {
  // none: no access of memory, but a barrier, an operation of the warp, an asynchronous copy; update: an atomic
  // operation that may read and write. A fence is announced only where a memory model is followed (weak_memory.hpp).
  enum class kind : std::uint8_t { none, read, write, update, fence };
  // As in PTX; weak: a plain access.
  enum class order : std::uint8_t { weak, relaxed, acquire, release, acq_rel, seq_cst };
  enum class scope : std::uint8_t { thread, block, cluster, device, system };
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  kind what = kind::none;
  order ordered = order::weak;
  scope reach = scope::system;
};

constexpr bool acquires(pending_access::order o) {
  using order = pending_access::order;
  return o == order::acquire || o == order::acq_rel || o == order::seq_cst;
}
constexpr bool releases(pending_access::order o) {
  using order = pending_access::order;
  return o == order::release || o == order::acq_rel || o == order::seq_cst;
}

}  // namespace simt::sim
