// SPDX-License-Identifier: Apache-2.0
// Barriers across blocks and asynchronous copies in the check variant: with call sites, outside the instrumented code.
#include <backends/sim/access_cursor.hpp>
#include <sim/exec/async_copy.hpp>
#include <sim/exec/gate.hpp>

namespace simt::sim {

[[gnu::noinline]] void checked_grid_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  settle_rows();
  if (cursor.every_access_switches) schedule_point();
  fiber& f = *b.queue->current;
  grid_barrier(b, f.rank, b.index, pc);
  restore_cursor(f);
}

[[gnu::noinline]] void checked_cluster_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  settle_rows();
  if (cursor.every_access_switches) schedule_point();
  fiber& f = *b.queue->current;
  cluster_barrier(b, f.rank, b.index, pc);
  restore_cursor(f);
}

[[gnu::noinline]] void checked_async_issue(block_context& b, void* to, const void* from, std::size_t bytes) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  settle_rows();
  if (cursor.every_access_switches) schedule_point();
  async_issue(b, b.queue->current->rank, b.index, to, from, bytes, pc);
}

[[gnu::noinline]] void checked_copy_promise(block_context& b, const void* to, const void* from, std::size_t bytes, std::size_t alignment,
                                            bool declared) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (cursor.state() == nullptr) return;
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
    check::report_broken_copy(*cursor.state(), {target, piece, bytes, true, (target & odd) != 0 ? 0 : luck}, pc);
  if ((source & odd) != 0) check::report_broken_copy(*cursor.state(), {source, piece, bytes, false, 0}, pc);
}

[[gnu::noinline]] void checked_async_wait(block_context& b, std::uint32_t keep) {
  settle_rows();
  if (cursor.every_access_switches) schedule_point();
  async_wait(b, b.queue->current->rank, b.index, keep);
}

}  // namespace simt::sim
