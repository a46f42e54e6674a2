// SPDX-License-Identifier: Apache-2.0
// Barriers across blocks and asynchronous copies in the check variant: with call sites, outside the instrumented code.
#include <backends/sim/access_cursor.hpp>
#include <sim/exec/async_copy.hpp>
#include <sim/exec/gate.hpp>

namespace simt::sim {

[[gnu::noinline]] void checked_grid_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (cursor.every_access_switches) schedule_point();
  fiber& f = *b.queue->current;
  grid_barrier(b, f.rank, b.index, pc);
  restore_cursor(f);
}

[[gnu::noinline]] void checked_cluster_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (cursor.every_access_switches) schedule_point();
  fiber& f = *b.queue->current;
  cluster_barrier(b, f.rank, b.index, pc);
  restore_cursor(f);
}

[[gnu::noinline]] void checked_async_issue(block_context& b, void* to, const void* from, std::size_t bytes) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (cursor.every_access_switches) schedule_point();
  async_issue(b, b.queue->current->rank, b.index, to, from, bytes, pc);
}

[[gnu::noinline]] void checked_async_wait(block_context& b, std::uint32_t keep) {
  if (cursor.every_access_switches) schedule_point();
  async_wait(b, b.queue->current->rank, b.index, keep);
}

}  // namespace simt::sim
