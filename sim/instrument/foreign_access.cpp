// SPDX-License-Identifier: Apache-2.0
// Accesses and indices that lead outside what a kernel may touch: which of them are the user's, and where an index
// outside a view goes instead.
#include <cstring>

#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/outside_element.hpp>
#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {
// An index outside a view reads and writes here instead; what threads leave in it means nothing.
alignas(64) std::byte scratch[4096];
}  // namespace

void* outside_element(const void* data, std::size_t element_bytes, std::span<const std::int64_t> index,
                      std::span<const std::int64_t> extents, std::uintptr_t pc) {
  watched_thread* const t = cursor.thread;
  dispatcher* const d = dispatcher::current();
  const bool judged = d != nullptr && d->memory_rules();
  if (t != nullptr && judged) {
    d->used_index_outside({t, pc, reinterpret_cast<std::uintptr_t>(data), element_bytes, index, extents});
  }
  if ((!judged && t != nullptr) || element_bytes > sizeof scratch) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset = offset * extents[axis] + index[axis];
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) +
                                   static_cast<std::uintptr_t>(offset) * element_bytes);
  }
  std::memset(scratch, 0, element_bytes);
  return scratch;
}

void foreign_access(std::uintptr_t address, std::size_t bytes, watched_thread& t, bool write, std::uintptr_t pc) {
  dispatcher* const d = dispatcher::current();
  if (d == nullptr || !d->memory_rules()) return;
  if (address - reinterpret_cast<std::uintptr_t>(scratch) < sizeof scratch) return;
  const launch_state& l = *cursor.owner->launch;
  if (cursor.owner->loops.holds(address)) return;  // of the thread's own
  if (!write && address - reinterpret_cast<std::uintptr_t>(l.args) < l.args_bytes) return;
  // Inline functions of the API read the engine's records, which are not the kernel's memory.
  const auto within = [&](const auto& object) {
    return address - reinterpret_cast<std::uintptr_t>(&object) < sizeof object;
  };
  if (within(l) || within(*cursor.owner->queue.current->thread.block)) return;
  if (!write && is_constant_memory(address)) return;
  if (lent_to_device(address)) return;  // what kernels do to it is not judged
  d->accessed_foreign({&t, pc, address, bytes, write ? event::access_kind::write : event::access_kind::read});
}

}  // namespace simt::sim
