// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>

#include <sim/exec/grid_barrier.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {

void open(block_context& b, outer_barrier& barrier) {
  barrier.complete = false;
  barrier.threads.open(*b.queue);
}

// All live threads of b wait at its grid barrier. True if that opened the barrier.
bool arrive_at_grid(block_context& b) {
  launch_state& l = *b.launch;
  worker& w = *b.queue->owner;
  if (observer* o = current_observer()) o->block_at_grid(b);
  {
    std::lock_guard lock(l.grid_sync.mutex);
    b.grid_barrier.complete = true;
    b.grid_barrier.threads.phase = l.grid_sync.phase.load(std::memory_order_relaxed);
    w.grid_waiting.push_back(&b);
    l.grid_sync.here.push_back(b.index);
    if (static_cast<std::int64_t>(l.grid_sync.here.size()) < l.blocks) return false;
    if (observer* o = current_observer()) o->grid_synced(l);
    l.grid_sync.here.clear();
    l.grid_sync.idle = 0;
    l.grid_sync.phase.fetch_add(1, std::memory_order_release);
  }
  w.hangs.made_progress();
  open_grid_blocks(w);
  return true;
}

bool open_cluster_if_complete(cluster_state& c) {
  if (c.arrived == 0 || c.arrived + c.ended < c.count) return false;
  block_context* waiting[kMaxClusterBlocks];
  std::size_t n = 0;
  for (block_context* b : std::span(c.members, static_cast<std::size_t>(c.count)))
    if (b->cluster_barrier.complete) waiting[n++] = b;
  if (observer* o = current_observer()) o->blocks_synced(std::span<block_context* const>(waiting, n));
  c.arrived = 0;
  for (block_context* b : std::span(waiting, n)) open(*b, b->cluster_barrier);
  waiting[0]->queue->owner->hangs.made_progress();
  return true;
}

bool arrive_at_cluster(block_context& b) {
  b.cluster_barrier.complete = true;
  ++b.cluster->arrived;
  return open_cluster_if_complete(*b.cluster);
}

template <bool (*Arrive)(block_context&)>
void wait_at(block_context& b, outer_barrier& barrier, std::int32_t rank, std::int64_t block_index, std::uintptr_t pc,
             wait_kind what) {
  run_queue& q = *b.queue;
  if (!q.current->thread.has_stack) detach(b, rank, block_index);
  fiber& self = *q.current;
  begin_step(q);
  self.thread.waits = what;
  self.thread.wait_pc = pc;
  if (barrier.threads.arrive(b.live) && Arrive(b)) {
    self.thread.waits = wait_kind::none;
    end_step(q);
    return;
  }
  barrier.threads.wait(q);
  self.thread.waits = wait_kind::none;
  if (!b.launch->traits.instrumented) self.thread.wait_pc = 0;
}

}  // namespace

void grid_barrier(block_context& b, std::int32_t rank, std::int64_t block_index, std::uintptr_t pc) {
  if (pc == 0) pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (!b.launch->traits.co_resident)
    raise_fault(b, {.kind = fault_kind::not_cooperative, .pc = pc, .block = block_index, .thread = rank});
  wait_at<arrive_at_grid>(b, b.grid_barrier, rank, block_index, pc, wait_kind::grid_barrier);
}

void simt_grid_barrier(block_context& b) {
  block_waits_at_grid(b, -1, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void block_waits_at_grid(block_context& b, std::int32_t speaker, std::uintptr_t pc) {
  if (!b.launch->traits.co_resident)
    raise_fault(b, {.kind = fault_kind::not_cooperative, .pc = pc, .block = b.index, .thread = speaker});
  run_queue& q = *b.queue;
  worker& w = *q.owner;
  fiber& self = *q.current;
  device_thread& t = self.thread;
  w.busy = true;
  handler_fence();
  const std::int32_t live = b.live;
  w.fibers.make_resident(b, self, b.index);
  b.live = live;
  t.has_stack = true;
  t.rank = speaker;
  t.waits = wait_kind::grid_barrier;
  t.wait_pc = pc;
  b.grid_barrier.threads.arrived = b.live;
  const bool opened = arrive_at_grid(b);
  begin_step(q);
  w.busy = false;
  if (opened)
    end_step(q);
  else
    b.grid_barrier.threads.wait(q);
  t.waits = wait_kind::none;
  if (!b.launch->traits.instrumented) t.wait_pc = 0;
  t.has_stack = false;
}

void cluster_barrier(block_context& b, std::int32_t rank, std::int64_t block_index, std::uintptr_t pc) {
  if (pc == 0) pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  wait_at<arrive_at_cluster>(b, b.cluster_barrier, rank, block_index, pc, wait_kind::cluster_barrier);
}

std::byte* cluster_shared(block_context& b, std::int32_t rank, std::int64_t block_index, const void* mine, int target) {
  const auto* p = static_cast<const std::byte*>(mine);
  fault_record fault{
      .pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), .block = block_index, .thread = rank};
  const int count = b.cluster == nullptr ? 1 : b.cluster->count;
  fault.asked = target;
  fault.limit = count;
  if (target < 0 || target >= count)
    fault.kind = fault_kind::map_rank;
  else if (p < b.shared || p >= b.shared + kSharedSlotBytes)
    fault.kind = fault_kind::map_address;
  if (fault.kind != fault_kind::none) raise_fault(b, std::move(fault));
  const block_context& other = b.cluster == nullptr ? b : *b.cluster->members[target];
  return other.shared + (p - b.shared);
}

void outer_barriers_after_exit(block_context& b) {
  const auto last_is_here = [&](const outer_barrier& o) {
    return o.threads.arrived != 0 && o.threads.arrived == b.live && !o.complete;
  };
  if (last_is_here(b.grid_barrier)) arrive_at_grid(b);
  if (last_is_here(b.cluster_barrier)) arrive_at_cluster(b);
}

bool cluster_block_ended(block_context& b) {
  cluster_state& c = *b.cluster;
  ++c.ended;
  open_cluster_if_complete(c);
  return c.ended == c.count;
}

std::int64_t block_at_cluster_position(const launch_state& l, std::int64_t p) {
  const std::int64_t volume = l.cluster.volume(), number = p / volume, rank = p % volume;
  const std::int64_t across = l.grid.x / l.cluster.x, down = l.grid.y / l.cluster.y;
  const std::int64_t x = number % across * l.cluster.x + rank % l.cluster.x;
  const std::int64_t y = number / across % down * l.cluster.y + rank / l.cluster.x % l.cluster.y;
  const std::int64_t z = number / (across * down) * l.cluster.z + rank / (l.cluster.x * l.cluster.y);
  return x + l.grid.x * (y + l.grid.y * z);
}

void note_block_ended(const block_context& b) {
  const thread_exits& exits = b.late_exits.count > 0 ? b.late_exits : b.early_exits;
  grid_state& g = b.launch->grid_sync;
  std::lock_guard lock(g.mutex);
  g.ended.push_back({b.index, exits.rank, exits.pc});
}

void blame_blocks_left(const worker& w, fault_record& fault) {
  launch_state& l = *w.launch;
  const auto waits_here = [](const fault_record::waiter& x) { return x.kind == wait_kind::grid_barrier; };
  if (!l.traits.co_resident || fault.waiters.empty() || !std::ranges::all_of(fault.waiters, waits_here)) return;
  std::lock_guard lock(l.grid_sync.mutex);
  std::vector<std::int64_t>& here = l.grid_sync.here;
  fault.blocks_left = l.blocks - static_cast<std::int64_t>(here.size());
  if (fault.blocks_left == 0) return;
  std::ranges::sort(here);
  fault_record::waiter& first = fault.first_left;
  while (first.block < static_cast<std::int64_t>(here.size()) &&
         here[static_cast<std::size_t>(first.block)] == first.block)
    ++first.block;
  first.thread = 0;  // all of its threads have left
  for (const grid_state::ended_block& e : l.grid_sync.ended)
    if (e.block == first.block) first.thread = e.rank, first.pc = e.pc;
}

void open_grid_blocks(worker& w) {
  const std::uint32_t phase = w.launch->grid_sync.phase.load(std::memory_order_acquire);
  std::erase_if(w.grid_waiting, [&](block_context* b) {
    if (b->grid_barrier.threads.phase == phase) return false;
    open(*b, b->grid_barrier);
    return true;
  });
}

bool await_grid(worker& w) {
  launch_state& l = *w.launch;
  grid_state& g = l.grid_sync;
  const std::uint32_t phase = w.grid_waiting.front()->grid_barrier.threads.phase;
  {
    std::lock_guard lock(g.mutex);
    if (g.phase.load() != phase) return true;
    ++g.idle;
  }
  constexpr int kEagerRounds = 200;
  for (int round = 0; !l.aborted.load(std::memory_order_relaxed); ++round) {
    {
      std::lock_guard lock(g.mutex);
      if (g.phase.load() != phase) return true;  // whoever opened it has cleared the count
      if (g.idle.load() >= l.running_workers.load()) return false;
    }
    if (round < kEagerRounds)
      sched_yield();
    else
      usleep(50);
  }
  return true;
}

}  // namespace simt::sim
