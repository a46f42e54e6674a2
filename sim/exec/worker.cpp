// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>

#include <sim/exec/async_copy.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {
thread_local worker* tls_worker [[gnu::tls_model("initial-exec")]] = nullptr;

// Where every stack starts, each time anew: runs a range of threads.
void fiber_main() {
  worker& w = *current_worker();
  fiber& f = *w.queue.current;
  f.block->launch->body(*f.block, f);
  w.finish_fiber(f);
}

std::int64_t schedule_position(const launch_state& l, std::int64_t index, std::int64_t count) {
  return l.order == schedule::reverse ? count - 1 - index : index;
}
}  // namespace

[[gnu::noinline]] worker* current_worker() {
  asm volatile("");  // keeps the call and so a fresh look at the thread-local
  return tls_worker;
}
void set_current_worker(worker* w) { tls_worker = w; }

worker::worker(int i) : index(i) {
  queue.owner = this;
  pool.set_entry(fiber_main);
}
worker::~worker() {
  for (const auto& b : blocks_) free_warps(*b);
}

std::uint64_t worker::random() {  // xorshift64*: fast, repeatable, good enough to pick interleavings
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * 0x2545F4914F6CDD1DULL;
}

bool worker::take_chunk() {
  launch_state& l = *launch;
  const bool one = l.spins.load(std::memory_order_relaxed) && !l.clustered();
  std::int64_t first = l.next_block.load(std::memory_order_relaxed), end;
  do {
    const std::int64_t left = l.blocks - first;
    if (left <= 0) return false;
    const std::int64_t share = l.chunk_share != 0 ? std::max<std::int64_t>(left / l.chunk_share, 1) : l.chunk;
    end = first + std::min(one ? 1 : share, left);
  } while (!l.next_block.compare_exchange_weak(first, end, std::memory_order_relaxed));
  chunk_first_ = first;
  chunk_end_ = end;
  return true;
}

block_context* worker::take_block() {
  if (free_blocks_.empty()) {
    blocks_.push_back(std::make_unique<block_context>());
    block_context* b = blocks_.back().get();
    b->queue = &queue;
    b->shared = block_slot(index, static_cast<int>(blocks_.size()) - 1);
    free_blocks_.reserve(blocks_.size());
    free_blocks_.push_back(b);
  }
  block_context* b = free_blocks_.back();
  free_blocks_.pop_back();
  reset(*b);
  b->live = 0;
  b->active = false;
  b->launch = launch;
  b->threads = launch->threads;
  b->cluster = nullptr;
  b->team_size = 0;
  return b;
}

void worker::reset(block_context& b) {
  b.arrived = 0;
  b.phase = 0;
  b.vote[0] = b.vote[1] = 0;
  b.waiters = {};
  b.spin_budget = kSpinBudget;
  b.exited_after_barrier = 0;
  b.warps = nullptr;
  b.warp_turns = 0;
  b.grid_gate = b.cluster_gate = {};
  b.left_early = b.left_after_barrier = {};
}

void worker::activate(block_context& b, std::int64_t block_index) {
  b.active = true;
  place_block(b, block_index);
  b.live = b.threads;
  for (std::int32_t i = 0; i * kLanes < b.threads; ++i) b.gone[i] = ~existing_lanes(b, i);
}

void worker::release_block(block_context* b) {
  b->active = false;
  free_blocks_.push_back(b);
}

void worker::form_cluster() {
  if (free_clusters_.empty()) {
    clusters_.push_back(std::make_unique<cluster_state>());
    free_clusters_.push_back(clusters_.back().get());
  }
  cluster_ = free_clusters_.back();
  free_clusters_.pop_back();
  *cluster_ = {};
  cluster_->count = static_cast<std::int32_t>(launch->cluster.volume());
  for (std::int32_t i = 0; i < cluster_->count; ++i) {
    block_context* b = cluster_->members[i] = take_block();
    b->cluster = cluster_;
    b->cluster_rank = i;
  }
}

// The block's last thread has left. Blocks of a cluster keep their shared memory until all of them have.
void worker::end_block(block_context& b) {
  if (b.cluster == nullptr) {
    release_block(&b);
    return;
  }
  b.active = false;
  cluster_state& c = *b.cluster;
  if (!cluster_block_left(b)) return;
  for (std::int32_t i = 0; i < c.count; ++i) release_block(c.members[i]);
  free_clusters_.push_back(&c);
}

void worker::start_blocks() {
  fiber* f = pool.take();
  ++active_fibers;
  f->block_first = chunk_first_;
  f->block_end = chunk_end_;
  if (launch->clustered()) {
    const std::int64_t rank = chunk_first_ % launch->cluster.volume();
    if (rank == 0) form_cluster();
    f->block = cluster_->members[rank];
    f->block_first = schedule_position(*launch, block_at_cluster_position(*launch, chunk_first_), launch->blocks);
    f->block_end = f->block_first + 1;
    ++chunk_first_;
  } else {
    if (fresh_ == nullptr || fresh_->active) fresh_ = take_block();
    f->block = fresh_;
    if (launch->fibers_walk_chunks) {
      chunk_first_ = chunk_end_;  // make_resident() gives the rest back
    } else {
      f->block_end = ++chunk_first_;
    }
  }
  f->block_limit = f->block_end;
  f->first = 0;
  f->end = launch->threads;
  f->open = true;
  f->fresh_block = true;
  f->waits = wait_kind::none;
  resume(f);
}

void worker::resume(fiber* f) {
  busy = false;
  queue.current = f;
  switch_stacks(&queue.main, &f->stack);
  queue.current = nullptr;
}

void worker::make_resident(block_context& b, fiber& f, std::int64_t block_index) {
  if (!b.active) {
    activate(b, block_index);
    ++resident_;
  }
  if (f.fresh_block) {
    f.fresh_block = false;
    if (launch->fibers_walk_chunks && !launch->clustered()) {
      chunk_first_ = schedule_position(*launch, block_index, launch->blocks) + 1;
      chunk_end_ = f.block_end;
    }
  }
}

void detach(block_context& b, std::int32_t rank, std::int64_t block_index) {
  worker& w = *b.queue->owner;
  w.busy = true;
  handler_fence();
  launch_state& l = *w.launch;
  fiber& f = *b.queue->current;
  if (f.block_now >= 0) block_index = f.block_now;  // a thread knows its block, the loop which of its turns this is
  const auto position = static_cast<std::int32_t>(schedule_position(l, rank, b.threads));
  w.make_resident(b, f, block_index);
  b.live -= position - f.first;  // the threads before this one left without waiting
  for (std::int32_t i = f.first; i < position; ++i)
    lane_left(b, static_cast<std::int32_t>(schedule_position(l, i, b.threads)));
  f.rank = rank;
  f.open = false;
  f.range->x_end = f.range->y_end = f.range->z_end = nullptr;
  f.block_limit = 0;
  if (l.teams) w.join_team(b, f);
  if (position + 1 < f.end) {
    fiber* rest = w.pool.take();
    ++w.active_fibers;
    rest->block = &b;
    rest->first = position + 1;
    rest->end = f.end;
    rest->block_first = block_index;
    rest->block_end = block_index + 1;
    rest->block_limit = block_index + 1;
    rest->open = true;
    rest->fresh_block = false;
    rest->waits = wait_kind::none;
    b.queue->ready.push_front(rest);
  }
  handler_fence();
  w.busy = false;
}

void worker::made_progress() {
  idle_yields = 0;
  if (stuck) {
    stuck = false;
    launch->stuck_workers.fetch_sub(1);
  }
}

// `leaving` threads of b have ended, on f. True if they were its last.
bool worker::threads_left(block_context& b, fiber& f, std::int32_t leaving) {
  b.live -= leaving;
  made_progress();
  if (!f.open)
    lane_left(b, f.rank);
  else
    for (std::int32_t i = f.first; i < f.end; ++i)
      lane_left(b, static_cast<std::int32_t>(schedule_position(*launch, i, b.threads)));
  if (b.live == 0) {
    launch->blocks_done.fetch_add(1, std::memory_order_relaxed);
    if (observer* o = current_observer()) o->block_ends(b);
    return true;
  }
  if (b.arrived == b.live) {
    if (observer* o = current_observer()) o->barrier_opens(b, f);
    open_barrier(b);
  } else {
    gates_after_exit(b);
  }
  return false;
}

void worker::join_team(block_context& b, fiber& f) {
  if (b.team_size == 0) b.team.assign(static_cast<std::size_t>(b.threads), nullptr);
  b.team[static_cast<std::size_t>(f.rank)] = &f;
  ++b.team_size;
  f.in_team = true;
}

// The stacks of b's team go back to the pool; on one of them this may run.
void worker::dissolve_team(block_context& b) {
  for (fiber* f : b.team) {
    if (f == nullptr) continue;
    f->in_team = false;
    pool.give(f);
  }
  b.team_size = 0;
}

// The block's next one, if its stacks can go on with it: every thread of the last one has left such a stack.
bool worker::next_turn(block_context& b) {
  if (b.team_size < b.threads || wants_block || launch->aborted.load(std::memory_order_relaxed)) return false;
  if (chunk_first_ >= chunk_end_ && !take_chunk()) return false;
  if (&b == fresh_) fresh_ = nullptr;
  reset(b);
  activate(b, chunk_first_++);
  if (observer* o = current_observer()) o->block_begins(b);
  for (fiber* f : b.team) {
    if (!launch->stacks_stay) pool.rewind(*f);
    f->first = f->rank;
    f->block_first = b.index;
    f->block_limit = b.index + 1;
    queue.ready.push_back(f);
  }
  active_fibers += b.team_size;
  return true;
}

// The threads of f have left the kernel.
[[gnu::always_inline]] inline void worker::retire(fiber& f) {
  busy = true;
  handler_fence();
  if (f.async != nullptr) async_finish(f);
  f.parked = false;
  f.waits = wait_kind::none;
  --active_fibers;
}

// A resident block's last thread has left, and no other block goes on with its stacks.
void worker::give_up_block(block_context& b) {
  if (b.team_size > 0) dissolve_team(b);
  --resident_;
  if (&b == fresh_) fresh_ = nullptr;
  end_block(b);
}

// The present stack is over.
[[gnu::always_inline]] inline void worker::leave_stack() {
  if (queue.ready.empty() || wants_block) leave_stack_for(&queue.main);
  fiber* const next = queue.ready.pop_front();
  queue.current = next;
  handler_fence();
  busy = false;
  leave_stack_for(&next->stack);
}

void worker::finish_fiber(fiber& f) {
  retire(f);
  block_context& b = *f.block;
  f.range = nullptr;
  const bool idle = !f.in_team;
  if (f.open && f.fresh_block) {
    if (b.cluster != nullptr) end_block(b);
  } else if (threads_left(b, f, f.open ? f.end - f.first : 1) && !next_turn(b)) {
    give_up_block(b);
  }
  if (idle) pool.give(&f);
  leave_stack();
}

const stack_context* worker::end_turn(fiber& f) {
  retire(f);
  block_context& b = *f.block;
  const bool last = threads_left(b, f, 1), goes_on = last && next_turn(b);
  if (last && !goes_on) {
    f.range = nullptr;
    give_up_block(b);  // with this stack
    leave_stack();
  }
  handler_fence();
  busy = false;
  if (queue.ready.empty() || (wants_block && !goes_on)) return &queue.main;
  return &(queue.current = queue.ready.pop_front())->stack;  // f's own, if it is the first of all that go on
}

const stack_context* end_turn(fiber& self) { return self.block->queue->owner->end_turn(self); }

void finish_fiber(fiber& self) { self.block->queue->owner->finish_fiber(self); }

void switch_to_worker(run_queue& q) { switch_stacks(&q.current->stack, &q.main); }

void yield_thread(block_context& b, std::int32_t rank, std::int64_t block_index) {
  run_queue& q = *b.queue;
  worker& w = *q.owner;
  if ((kSpinBudget - b.spin_budget) % kSpinCostLoad != 0) ++w.updates;
  b.spin_budget = kSpinBudget;
  if (w.launch->aborted.load(std::memory_order_relaxed)) switch_to_worker(q);  // never comes back
  if (q.current->open) detach(b, rank, block_index);
  fiber& self = *q.current;
  w.busy = true;
  handler_fence();
  self.waits = wait_kind::spin;
  if (!w.launch->spins.load(std::memory_order_relaxed)) w.launch->spins.store(true, std::memory_order_relaxed);
  ++w.idle_yields;
  // Whoever spins has had a turn and nothing came of it; those who wait at barriers and the like have none.
  if (w.idle_yields > ++w.spinning) w.wants_block = true;
  q.ready.push_back(&self);
  handler_fence();
  w.busy = false;  // from here on the handler sees that this stack is queued
  if (w.wants_block)
    switch_to_worker(q);
  else
    run_next_ready(q);
  --w.spinning;
  self.waits = wait_kind::none;
}

std::vector<block_context*> worker::resident_blocks() const {
  std::vector<block_context*> found;
  for (const auto& b : blocks_)
    if (b->active) found.push_back(b.get());
  return found;
}

// Have all threads that are left come back to a state they were in before, while nothing they can see has changed? What a
// thread does next follows from its registers, its stack and memory. So each one that was in its present state before
// goes round in a loop which changes nothing, whatever the others' order, and all of them do so for ever. A loop that
// counts, computes or moves on does not come back.
bool worker::all_have_been_here() {
  const auto mix = [](std::uint64_t& mark, std::uint64_t v) { mark = (mark ^ v) * 0x9E3779B97F4A7C15ULL, mark ^= mark >> 29; };
  std::uint64_t world = updates + (progress_counter != nullptr ? *progress_counter : 0);
  for (const auto& b : blocks_)
    if (b->active) mix(world, b->phase + b->warp_turns + static_cast<std::uint64_t>(b->index) * 1000003);
  if (world != seen_world_) seen_.clear();
  seen_world_ = world;
  bool all = true;
  for (const fiber* f = queue.ready.head; f != nullptr; f = f->next) {
    std::uint64_t mark = static_cast<std::uint64_t>(f->rank) + static_cast<std::uint64_t>(f->block_now) * 1000003;
    mix(mark, reinterpret_cast<std::uintptr_t>(f->stack.rbx) + reinterpret_cast<std::uintptr_t>(f->stack.frame));
    const auto* word = reinterpret_cast<const std::uint64_t*>(static_cast<const std::byte*>(f->stack.sp) - kStackRedZone);
    for (const auto* end = reinterpret_cast<const std::uint64_t*>(f->stack_high); word + 1 <= end; ++word) mix(mark, *word);
    seen_states& s = seen_[f];
    if (std::find(s.marks.begin(), s.marks.end(), mark) != s.marks.end()) continue;
    s.marks[s.next++ % s.marks.size()] = mark;
    all = false;
  }
  return all;
}

bool worker::is_hung() {
  // Each resident stack has had its turn this often without a barrier passed, a thread ended or a block started.
  const bool checked = progress_counter != nullptr;
  const std::int64_t rounds = checked ? 2000 : 20'000, least = checked ? 20'000 : 200'000;
  if (idle_yields < std::max(rounds * active_fibers, least)) return false;
  if (!all_have_been_here()) {
    made_progress();
    return false;
  }
  if (!stuck) {
    stuck = true;
    launch->stuck_workers.fetch_add(1);
  }
  return launch->stuck_workers.load() + launch->grid_sync.idle.load() >= launch->running_workers.load();
}

void worker::note_waiters(fault_record& fault) const {
  for (const fiber* f : pool.all()) {
    if (f->block == nullptr || !f->block->active || f->waits == wait_kind::none || (f->open && !f->parked)) continue;
    ++fault.waiting;
    if (fault.waiters.size() >= fault_record::kMaxWaiters) continue;
    fault.waiters.push_back({f->block->index, f->open ? -1 : f->rank, f->waits, f->wait_pc, f->wait_what ? f->wait_what : ""});
  }
}

void worker::give_up() {
  launch_state& l = *launch;
  std::lock_guard lock(l.fault_mutex);
  if (l.fault.kind == fault_kind::none) {
    l.fault.kind = fault_kind::deadlock;
    l.fault.text = "every thread waits for something that no other thread can bring about";
    note_waiters(l.fault);
    blame_warp_masks(*this, l.fault);
  }
  l.aborted = true;
}

void worker::abandon() {
  if (launch_given_up != nullptr) launch_given_up();
  queue.ready = {};
  queue.current = nullptr;
  pool.reset_all();
  active_fibers = 0;
  resident_ = 0;
  fresh_ = nullptr;
  grid_waiting.clear();
  free_clusters_.clear();
  for (const auto& c : clusters_) free_clusters_.push_back(c.get());
  free_blocks_.clear();
  for (const auto& b : blocks_) {
    b->active = false;
    free_blocks_.push_back(b.get());
  }
  for (fiber* f : pool.all()) {
    f->range = nullptr;
    f->block = nullptr;
    f->block_now = -1;
    f->parked = false;
    f->in_team = false;
    f->waits = wait_kind::none;
    if (f->async != nullptr) *f->async = {};
  }
}

void worker::run(launch_state& l) {
  launch = &l;
  prepare_thread_for_faults();
  set_current_worker(this);
  os_thread.store(pthread_self(), std::memory_order_relaxed);
  chunk_first_ = chunk_end_ = 0;
  idle_yields = spinning = 0;
  wants_block = stuck = false;
  seen_.clear();
  updates = 0;
  tick = {};
  random_state = (l.seed + 1) * 0x9E3779B97F4A7C15ULL + 0x1234567;
  l.running_workers.fetch_add(1);
  if (fresh_ != nullptr) {  // kept warm from the last launch
    fresh_->launch = &l;
    fresh_->threads = l.threads;
    fresh_->spin_budget = kSpinBudget;
  }
  while (!l.aborted.load(std::memory_order_relaxed)) {
    const bool may_start = resident_ < l.max_resident || (l.clustered() && chunk_first_ < chunk_end_);
    if (!grid_waiting.empty()) open_grid_blocks(*this);
    if (wants_block) {
      wants_block = false;
      if (may_start && (chunk_first_ < chunk_end_ || take_chunk())) {
        idle_yields = 0;
        start_blocks();
        continue;
      }
      if (is_hung()) {
        std::lock_guard lock(l.fault_mutex);
        if (l.fault.kind == fault_kind::none) {
          l.fault.kind = fault_kind::hang;
          l.fault.text = "all threads that are left wait in loops, and none of them can end the others' wait";
          note_waiters(l.fault);
        }
        l.aborted = true;
        break;
      }
      if (l.running_workers.load(std::memory_order_relaxed) > 1) sched_yield();
    }
    if (!queue.ready.empty()) {
      resume(queue.ready.pop_front());
      continue;
    }
    if (may_start && (chunk_first_ < chunk_end_ || take_chunk())) {
      start_blocks();
      continue;
    }
    if (resident_ == 0) break;
    if (!grid_waiting.empty() && await_grid(*this)) continue;
    give_up();
  }
  if (l.aborted.load()) {
    {
      std::lock_guard lock(l.fault_mutex);
      if (l.fault.kind == fault_kind::timeout) note_waiters(l.fault);
    }
    abandon();
  }
  l.running_workers.fetch_sub(1);
  os_thread.store(pthread_t{}, std::memory_order_relaxed);
  set_current_worker(nullptr);
}

}  // namespace simt::sim
