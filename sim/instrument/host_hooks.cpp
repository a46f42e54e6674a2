// SPDX-License-Identifier: Apache-2.0
// Host code that is compiled for check: the same functions that device code calls; only memory of the device matters.
#include <sim/instrument/dispatcher.hpp>

namespace simt::sim {

constinit address_range watched_of_host = {};

void host_access(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc) {
  dispatcher::current()->host_touched(address, bytes, write, pc);
}
void host_atomic(std::uintptr_t address, std::uint32_t bytes, event::atomic_op op, bool swaps, event::order o,
                 std::uintptr_t pc) {
  if (watched_of_host.contains(address))
    dispatcher::current()->host_atomic(address, bytes, op, swaps, o, pc);
  else
    host_unwatched(op, o);
}
void host_unwatched(event::atomic_op op, event::order o) {
  if (dispatcher* const d = dispatcher::current()) d->host_unwatched(op, o);
}
void host_unlocked() {
  if (dispatcher* const d = dispatcher::current()) d->host_unlocked();
}
void host_fence(event::order o) {
  if (dispatcher* const d = dispatcher::current()) d->host_fence(o);
}

}  // namespace simt::sim
