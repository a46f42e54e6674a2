// SPDX-License-Identifier: Apache-2.0
// Shared memory and asynchronous copies in the check variant.
#include <mutex>

#include <sim/exec/async_copy.hpp>
#include <sim/instrument/checked_calls.hpp>
#include <sim/instrument/checked_loops.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/row_copies.hpp>

namespace simt::sim {

std::byte* checked_shared(block_context& b, const shared_key& key) {
  std::byte* const at = shared_address(b, key);
  if (observer* o = current_observer()) o->shared_array_used(b, key, at);
  return at;
}

// Out of line: in the kernel, the load of the engine's own field would be watched as an access of the kernel.
std::byte* checked_dynamic_shared(block_context& b, const shared_key& key) {
  if (observer* o = current_observer()) o->dynamic_shared_used(b, key);
  return b.shared;
}
std::int64_t checked_dynamic_shared_bytes(block_context& b) { return b.launch->dynamic_shared; }

namespace {
// Threads go on with copies one by one.
void leave_rows(block_context& b) {
  dispatcher::pause();
  if (b.queue->current->as_loops) row_copies::of_this_thread().hand_over(b);
}
}  // namespace

[[gnu::noinline]] void checked_async_issue(block_context& b, void* to, const void* from, std::size_t bytes) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  leave_rows(b);
  async_issue(b, b.queue->current->thread.rank, b.index, to, from, bytes, pc);
}

[[gnu::noinline]] void checked_copy_promise(block_context& b, const void* to, const void* from, std::size_t bytes,
                                            std::size_t alignment, bool declared) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  dispatcher* const d = dispatcher::current();
  if (cursor.thread == nullptr || d == nullptr) return;
  const auto target = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
  const auto piece = static_cast<std::uint32_t>(alignment);
  const std::uintptr_t odd = alignment - 1;
  std::uint32_t luck = 0;
  if (declared) {
    launch_state& l = *b.launch;
    const auto base = reinterpret_cast<std::uintptr_t>(b.shared);
    std::lock_guard lock(l.shared_mutex);
    for (std::int32_t i = 0; i < l.shared_count; ++i) {
      const shared_array& a = l.shared_arrays[i];
      if (target - base - a.offset < a.bytes && a.declared_align < alignment) luck = a.declared_align;
    }
  }
  if (((target | bytes) & odd) != 0 || luck != 0)
    d->issued_misplaced_copy(
        {cursor.thread, pc, target, piece, bytes, event::access_kind::write, (target & odd) != 0 ? 0 : luck});
  if ((source & odd) != 0)
    d->issued_misplaced_copy({cursor.thread, pc, source, piece, bytes, event::access_kind::read, 0});
}

extern "C" [[gnu::noinline]] void simt_loop_issue(block_context& b, void* to, const void* from, std::size_t bytes,
                                                  std::uintptr_t* site) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  __atomic_store_n(site, pc, __ATOMIC_RELAXED);
  leave_rows(b);
  async_issue(b, b.queue->current->thread.rank, b.index, to, from, bytes, pc);
}

void checked_async_commit(block_context& b) {
  leave_rows(b);
  async_commit(b, b.queue->current->thread.rank, b.index);
}

[[gnu::noinline]] void checked_async_wait(block_context& b, std::uint32_t keep) {
  leave_rows(b);
  async_wait(b, b.queue->current->thread.rank, b.index, keep);
}

[[gnu::noinline]] void checked_async_arrive(block_context& b, const void* object) {
  dispatcher::pause();
  async_arrive(b, b.queue->current->thread.rank, b.index, object);
}

[[gnu::noinline]] void checked_async_object_waited(block_context& b) {
  dispatcher::pause();
  if (observer* o = current_observer()) o->async_object_waited(b.queue->current->thread);
}

}  // namespace simt::sim
