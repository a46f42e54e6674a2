// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/async_copy.hpp>

#include <algorithm>
#include <cstring>

#include <sim/exec/executors/fiber_calls.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {

async_copies& copies_of(block_context& b, std::int32_t rank, std::int64_t block_index) {
  if (b.queue->current->as_loops) return b.queue->owner->loops.copies_of(rank);
  if (!b.queue->current->thread.has_stack) detach(b, rank, block_index);
  device_thread& t = b.queue->current->thread;
  if (t.async == nullptr) t.async = new async_copies;
  return *t.async;
}

void perform(async_copies& c, device_thread& t, std::size_t count, copy_end end) {
  std::vector<async_copy>& pending = c.pending;
  observer* const o = current_observer();
  for (std::size_t i = 0; i < count; ++i) {
    if (o != nullptr) o->async_performed(t, pending[i], end);
    std::memmove(pending[i].to, pending[i].from, pending[i].bytes);
  }
  const uninterrupted list;
  pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace

void async_issue(block_context& b, std::int32_t rank, std::int64_t block_index, void* to, const void* from,
                 std::size_t bytes, std::uintptr_t pc) {
  async_copies& c = copies_of(b, rank, block_index);
  {
    const uninterrupted list(b.queue->owner);
    c.pending.push_back({to, from, bytes, c.group, pc, {}});
  }
  if (observer* o = current_observer()) o->async_issued(b.queue->current->thread, c.pending.back());
}

void async_commit(block_context& b, std::int32_t rank, std::int64_t block_index) {
  ++copies_of(b, rank, block_index).group;
}

void async_wait(block_context& b, std::int32_t rank, std::int64_t block_index, std::uint32_t keep) {
  async_copies& c = copies_of(b, rank, block_index);
  const auto done =
      std::find_if(c.pending.begin(), c.pending.end(), [&](const async_copy& a) { return a.group + keep >= c.group; });
  perform(c, b.queue->current->thread, static_cast<std::size_t>(done - c.pending.begin()), copy_end::issuer);
}

void async_arrive(block_context& b, std::int32_t rank, std::int64_t block_index, const void* object) {
  async_copies& c = copies_of(b, rank, block_index);
  const bool own = static_cast<std::size_t>(static_cast<const std::byte*>(object) - b.shared) < kSharedSlotBytes;
  perform(c, b.queue->current->thread, c.pending.size(), own ? copy_end::object : copy_end::issuer);
}

void async_finish(async_copies& copies, device_thread& t) {
  perform(copies, t, copies.pending.size(), copy_end::nobody);
  copies.group = 0;
}

}  // namespace simt::sim
