// SPDX-License-Identifier: Apache-2.0
// The device's half of the dispatcher: launches, blocks, and what orders their threads.
#include <sim/instrument/dispatcher.hpp>

#include <algorithm>

#include <sim/exec/async_copy.hpp>
#include <sim/exec/grid_barrier.hpp>
#include <sim/exec/scheduler/scheduler.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {

dispatcher* running_dispatcher = nullptr;

event::coordinates to_event(const extent3& e) { return {e.x, e.y, e.z}; }
event::exits to_event(const thread_exits& d) { return {d.count, {d.rank, d.pc}, d.phase}; }

// What threads that wait for each other know of memory.
weak_memory* model_of(const block_context& b) {
  return b.launch->scheduler == nullptr ? nullptr : b.launch->scheduler->weak();
}

const event::block* running_block() { return cursor.self->thread.block->observed; }

}  // namespace

dispatcher::dispatcher(const options& o) : options_(o) {
  running_dispatcher = this;
  watched_of_host = device_range();
  set_observer(this);
}
dispatcher::~dispatcher() {
  set_observer(nullptr);
  watched_of_host = {};
  running_dispatcher = nullptr;
}

dispatcher* dispatcher::current() { return running_dispatcher; }

void dispatcher::add(consumer& c) {
  consumers_.push_back(&c);
  listeners_.push_back(&c);
}

// ---- from instrumented code ----

void dispatcher::fence_comes(event::order o, event::scope s) {
  if (model_of(*cursor.self->thread.block) == nullptr) return;
  cursor.pc = 0;
  schedule_point({0, 0, pending_access::kind::fence, pending_order(o), pending_scope(s)});
}
void dispatcher::atomic_is_done(bool wrote, event::order o) {
  if (weak_memory* const model = model_of(*cursor.self->thread.block)) model->is_done(wrote, pending_order(o));
}

void dispatcher::tell_access(event::access_kind kind, event::access_form form, std::uintptr_t address, std::size_t size,
                             std::uintptr_t pc) {
  const event::access e{running_block(), static_cast<std::int32_t>(cursor.thread->rank), pc, address, size, kind, form};
  for (consumer* const c : listeners_) c->accessed(e);
}
void dispatcher::tell_batch(const event::access_batch& b) {
  for (consumer* const c : listeners_) c->accessed_in_batch(b);
}
void dispatcher::tell_atomic(std::uintptr_t address, std::uint32_t size, event::atomic_op op, event::order o,
                             event::scope s, event::update_form form, std::uintptr_t pc) {
  const auto rank = static_cast<std::int32_t>(cursor.thread->rank);
  const event::atomic e{running_block(), rank, pc, address, size, op, o, s, form};
  for (consumer* const c : listeners_) c->did_atomic(e);
}
void dispatcher::tell_fence(event::order o, event::scope s) {
  const event::fence e{running_block(), static_cast<std::int32_t>(cursor.thread->rank), o, s};
  for (consumer* const c : listeners_) c->fenced(e);
}
void dispatcher::thread_exits_pending(watched_thread& t) { hand_over(&consumer::thread_exits, t); }
void dispatcher::accessed_foreign(const event::foreign_access& e) { hand_over(&consumer::accessed_foreign, e); }
void dispatcher::used_index_outside(const event::index_outside& e) { hand_over(&consumer::used_index_outside, e); }
void dispatcher::left_own_array(const event::own_array_outside& e) { hand_over(&consumer::left_own_array, e); }
void dispatcher::used_misplaced_object(const event::misplaced_object& e) {
  hand_over(&consumer::used_misplaced_object, e);
}
void dispatcher::issued_misplaced_copy(const event::misplaced_copy& e) {
  hand_over(&consumer::issued_misplaced_copy, e);
}

std::uint64_t dispatcher::kernel_launched(std::uint64_t stream) {
  catch_up();
  if (cursor.thread == nullptr) return 0;
  const std::uint64_t number = ++kernels_launched_;
  emit(&consumer::kernel_launched, event::kernel_launch{cursor.thread, number, stream});
  return number;
}
void dispatcher::kernel_streams_meet() {
  catch_up();
  if (cursor.thread != nullptr) emit(&consumer::kernel_streams_meet, *cursor.thread);
}

// ---- launches and blocks ----

void dispatcher::launch_begins(launch_state& l) {
  flush_host();
  know_stream(l.stream);
  launch_ = {l.name,           to_event(l.grid), to_event(l.block), to_event(l.cluster), l.stream,
             l.dynamic_shared, l.elements,       l.child,           l.traits.co_resident};
  hand_over(&consumer::launch_begins, launch_);
  if (memory_rules()) protect_constants(true);
  launch_runs_ = true;
}

void dispatcher::launch_ends(launch_state&, const fault_record& fault) {
  // A device thread that faulted on this OS thread never left: from here on accesses are the host's again.
  leave_cursor();
  if (memory_rules()) protect_constants(false);
  if (fault.kind != fault_kind::none) {
    // Blocks that were abandoned never end; consumers must not keep them.
    for (block_shard& s : blocks_) {
      std::lock_guard lock(s.mutex);
      for (const auto& block : s.live) {
        hand_over(&consumer::block_ends, *block);
        block->resident = false;
      }
      while (!s.live.empty()) {
        s.free.push_back(std::move(s.live.back()));
        s.live.pop_back();
      }
    }
  }
  hand_over(&consumer::launch_ends);
  launch_runs_ = false;
  if (signalled_.exchange(false) || acquired_late_) touches_.take();
  if (acquired_late_.exchange(false)) acquire_of_host();
  std::lock_guard lock(late_mutex_);
  for (const event::host_atomic& a : late_) hand_over(&consumer::host_did_atomic, a);
  late_.clear();
}

void dispatcher::block_begins(block_context& b) {
  flush_accesses();
  watched_block* record;
  const unsigned shard = thread_shard();
  {
    block_shard& s = blocks_[shard];
    std::lock_guard lock(s.mutex);
    if (s.free.empty()) s.free.push_back(std::make_unique<watched_block>());
    s.live.push_back(std::move(s.free.back()));
    s.free.pop_back();
    record = s.live.back().get();
  }
  *record = {};
  record->shard = shard;
  const launch_state& l = *b.launch;
  record->launch = &launch_;
  record->number = b.index;
  record->at = {b.index % l.grid.x, b.index / l.grid.x % l.grid.y, b.index / (l.grid.x * l.grid.y)};
  const event::coordinates& at = record->at;
  const std::int64_t clusters_x = l.grid.x / l.cluster.x, clusters_y = l.grid.y / l.cluster.y;
  record->cluster = l.cluster.volume() > 1
                        ? at.x / l.cluster.x + clusters_x * (at.y / l.cluster.y + clusters_y * (at.z / l.cluster.z))
                        : b.index;
  record->threads = b.threads;
  record->joined = b.joined;
  record->shared = {reinterpret_cast<std::uintptr_t>(b.shared), kSharedSlotBytes - 16 * 1024};
  if (b.cluster != nullptr && b.cluster_rank == 0) {
    std::vector<event::bytes> slots;
    for (std::int32_t i = 0; i < b.cluster->count; ++i)
      slots.push_back({reinterpret_cast<std::uintptr_t>(b.cluster->members[i]->shared), record->shared.size});
    emit(&consumer::cluster_begins, std::span<const event::bytes>(slots));
  }
  emit(&consumer::block_begins, *record);
  b.observed = record;
}

void dispatcher::block_ends(block_context& b) {
  watched_block* const record = b.observed;
  if (record == nullptr || !record->resident) return;
  emit(&consumer::block_ends, *record);
  add_steps();
  if (b.launch->traits.co_resident) note_block_ended(b);
  b.observed = nullptr;
  block_shard& s = blocks_[record->shard];
  std::lock_guard lock(s.mutex);
  const auto it = std::find_if(s.live.begin(), s.live.end(), [&](const auto& r) { return r.get() == record; });
  s.free.push_back(std::move(*it));
  *it = std::move(s.live.back());
  s.live.pop_back();
}

void dispatcher::shared_array_used(block_context& b, const shared_key& key, std::byte* at) {
  watched_block& record = *b.observed;
  std::uint64_t& word = record.arrays_seen[static_cast<std::size_t>(key.id) / 64 % std::size(record.arrays_seen)];
  const std::uint64_t bit = std::uint64_t{1} << (key.id % 64);
  if (word & bit) return;
  word |= bit;
  hand_over(&consumer::shared_array_used, record,
            event::shared_array{key.name,
                                key.type,
                                {reinterpret_cast<std::uintptr_t>(at), key.bytes},
                                key.element_bytes,
                                {key.extents, static_cast<std::size_t>(std::min(key.rank, 4))}});
}

void dispatcher::dynamic_shared_used(block_context& b, const shared_key& key) {
  watched_block& record = *b.observed;
  if (record.dynamic_named || b.launch->dynamic_shared == 0) return;
  record.dynamic_named = true;
  // Its outermost extent is what its size makes of the others.
  std::uint32_t extents[4] = {};
  const std::int32_t axes = std::clamp(key.rank, 1, 4);
  std::uint64_t inner = key.element_bytes;
  for (std::int32_t i = 1; i < axes; ++i) inner *= extents[i] = key.extents[i];
  extents[0] = inner > 0 ? static_cast<std::uint32_t>(b.launch->dynamic_shared / inner) : 0;
  hand_over(&consumer::dynamic_shared_named, record,
            event::shared_array{key.name,
                                key.type,
                                {record.shared.from, b.launch->dynamic_shared},
                                key.element_bytes,
                                {extents, static_cast<std::size_t>(axes)}});
}

// ---- order ----

void dispatcher::barrier_opens(block_context& b, device_thread& last) {
  flush_accesses();  // counts the threads that exited, too
  if (cursor.may_wake) tell_scheduler();
  if (weak_memory* const model = model_of(b)) model->met(b);
  event::barrier e{b.observed, b.live, {}, {}, {}, {}};
  std::vector<event::thread_at> elsewhere;
  const bool all_at_once = b.queue->current->as_loops;
  const device_thread* const first = b.barrier.waiters.head != nullptr ? &b.barrier.waiters.head->thread
                                     : b.live == 1 || all_at_once      ? &last
                                                                       : nullptr;
  if (first != nullptr) {
    const auto compare = [&](const device_thread& t) {
      if (t.wait_pc != first->wait_pc) elsewhere.push_back({t.rank, t.wait_pc});
    };
    if (options_.barrier_rules) {
      for (const fiber* f = b.barrier.waiters.head; f != nullptr; f = f->next) compare(f->thread);
      if (last.waits == wait_kind::block_barrier) compare(last);
    }
    e.first = {first->rank, first->wait_pc};
    e.elsewhere = elsewhere;
    e.before_first_barrier = to_event(b.early_exits);
    e.after_one = to_event(b.late_exits);
    b.early_exits = b.late_exits = {};
  }
  emit(&consumer::barrier_opens, e);
}

void dispatcher::block_at_grid(block_context& b) {
  const fiber* const waits = b.grid_barrier.threads.waiters.head;
  const device_thread& first = waits != nullptr ? waits->thread : b.queue->current->thread;
  b.observed->grid_site = first.wait_pc;
  if (!options_.barrier_rules) return;
  flush_accesses();
  std::vector<event::thread_at> elsewhere;
  const auto compare = [&](const device_thread& t) {
    if (t.wait_pc != first.wait_pc) elsewhere.push_back({t.rank, t.wait_pc});
  };
  for (const fiber* f = waits; f != nullptr; f = f->next) compare(f->thread);
  if (b.queue->current->thread.waits == wait_kind::grid_barrier) compare(b.queue->current->thread);
  if (elsewhere.empty() && b.early_exits.count == 0 && b.late_exits.count == 0) return;
  const event::barrier e{
      b.observed, b.live, {first.rank, first.wait_pc}, elsewhere, to_event(b.early_exits), to_event(b.late_exits)};
  b.early_exits = b.late_exits = {};
  hand_over(&consumer::left_before_grid_barrier, e);
}

void dispatcher::warp_synced(block_context& b, std::int32_t warp, std::uint32_t mask) {
  if (weak_memory* const model = model_of(b)) {
    std::vector<std::int32_t> ranks;
    for (std::int32_t lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) ranks.push_back(warp * 32 + lane);
    model->met(b, ranks);
  }
  emit(&consumer::warp_synced, event::warp_sync{b.observed, warp, mask});
}
void dispatcher::warp_lanes_left(block_context& b, std::int32_t speaker, std::uint32_t mask, std::uint32_t left,
                                 warp_op_kind operation, std::uintptr_t pc) {
  event::thread_at first{};
  for (const thread_exits& e : {b.early_exits, b.late_exits})
    if (e.count > 0 && e.rank / 32 == speaker / 32 && (left >> (e.rank % 32) & 1) != 0) first = {e.rank, e.pc};
  hand_over(&consumer::lanes_absent, event::absent_lanes{b.observed, {speaker, pc}, operation, mask, left, first});
}
void dispatcher::shuffle_from_absent_lane(block_context& b, std::int32_t rank, std::uint32_t mask, int lane,
                                          std::uintptr_t pc) {
  hand_over(&consumer::source_absent, event::absent_source{b.observed, {rank, pc}, mask, lane});
}
void dispatcher::named_barrier_arrival(block_context& b, std::int32_t rank, std::int32_t number) {
  emit(&consumer::named_barrier_arrival, *b.observed, rank, number);
}
void dispatcher::named_barrier_opens(block_context& b, std::int32_t number, std::span<const std::int32_t> ranks,
                                     std::span<const std::int32_t> passed) {
  if (weak_memory* const model = model_of(b)) {
    std::vector<std::int32_t> all(ranks.begin(), ranks.end());
    all.insert(all.end(), passed.begin(), passed.end());
    model->met(b, all);
  }
  emit(&consumer::named_barrier_opens, *b.observed, number, ranks);
}
void dispatcher::grid_synced(launch_state& l) {
  flush_accesses();
  if (l.scheduler != nullptr && l.scheduler->weak() != nullptr) l.scheduler->weak()->met_all();
  std::vector<const event::block*> blocks;
  for (block_shard& s : blocks_) {
    std::lock_guard lock(s.mutex);
    for (const auto& block : s.live) blocks.push_back(block.get());
  }
  emit(&consumer::blocks_synced, std::span<const event::block* const>(blocks));
}
void dispatcher::blocks_synced(std::span<block_context* const> members) {
  if (weak_memory* const model = model_of(*members.front())) model->met(members);
  std::vector<const event::block*> blocks;
  for (const block_context* b : members) blocks.push_back(b->observed);
  emit(&consumer::blocks_synced, std::span<const event::block* const>(blocks));
}

namespace {
event::async_copy to_event(device_thread& t, async_copy& copy, copy_end end) {
  return {t.block->observed,
          t.observed,
          copy.pc,
          reinterpret_cast<std::uintptr_t>(copy.to),
          reinterpret_cast<std::uintptr_t>(copy.from),
          copy.bytes,
          copy.start,
          end};
}
}  // namespace

void dispatcher::async_issued(device_thread& t, async_copy& copy) {
  emit(&consumer::copy_issued, to_event(t, copy, copy_end::nobody));
}
void dispatcher::async_performed(device_thread& t, async_copy& copy, copy_end end) {
  emit(&consumer::copy_performed, to_event(t, copy, end));
}
void dispatcher::async_object_waited(device_thread& t) { emit(&consumer::copies_object_waited, *t.observed); }

}  // namespace simt::sim
