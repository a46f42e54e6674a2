// SPDX-License-Identifier: Apache-2.0
// Host code that is compiled for check: the same functions that device code calls; only memory of the device matters.
#include <sim/instrument/checked_loops.hpp>
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

std::uint8_t simt_host_is_far(const void* p) {
  constexpr std::uintptr_t kReach = std::uintptr_t{1} << 36;  // of an index of 32 bits into elements of 16 bytes
  const address_range& r = watched_of_host;
  if (cursor.thread != nullptr) return 0;
  return r.bytes == 0 || reinterpret_cast<std::uintptr_t>(p) - (r.base - kReach) >= r.bytes + 2 * kReach;
}

}  // namespace simt::sim
