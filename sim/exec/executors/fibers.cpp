// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/executors/fibers.hpp>

#include <sim/exec/async_copy.hpp>
#include <sim/exec/carry_flag.hpp>
#include <sim/exec/executors/fiber_calls.hpp>
#include <sim/exec/executors/thread_loop.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/scheduler/scheduler.hpp>
#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {
// Runs the range of threads that the present stack was started for.
[[noreturn, gnu::noinline, gnu::hot]] void run_range(worker& w) {
  fiber& f = *w.queue.current;
  block_context& b = *f.thread.block;
  if (f.as_loops)
    w.loops.run_blocks(b, f);
  else
    b.launch->bodies.threads(b, f);
  w.fibers.finish(f);
}

// Where every stack starts, each time anew.
[[noreturn, gnu::hot]] void fiber_main(fcontext::transfer_t from) {
  [[maybe_unused]] volatile std::byte room[kStackEntryRoom];  // all other frames are below it
  room[0] = std::byte{0};
  worker& w = *current_worker();
  arrive_on_stack(w.queue, from);
  run_range(w);
}
}  // namespace

executor& executor_for(worker& w, const launch_state& l) {
  if (l.loop != nullptr) return w.loops;
  return w.fibers;
}

fiber_executor::fiber_executor(worker& w) : worker_(w) { w.pool.set_entry(fiber_main); }

void fiber_executor::begin(launch_state& l) {
  if (fresh_ == nullptr) return;
  fresh_->launch = &l;                              // kept warm from the last launch
  fresh_->threads = l.threads, fresh_->joined = 1;  // a fault leaves loops where they are
  fresh_->spin_budget = kSpinBudget;
}

// How the next block begins. A scheduler that rests may wake here: what the blocks before it accessed is counted.
static bool begins_as_loops(const worker& w) {
  const launch_state& l = *w.launch;
  if (!l.traits.rests) return l.loop != nullptr;
  l.scheduler->accesses_made(l, w.steps);  // no other worker runs
  if (!l.scheduler->rests() || l.loop == nullptr) return false;
  l.scheduler->passes(l.threads);
  return true;
}

static bool walks_blocks(const launch_state& l) {  // a stack goes from block to block
  return l.traits.stacks_walk_blocks() || (l.loop && !l.traits.rests && !l.traits.clustered && !l.traits.one_by_one);
}

void fiber_executor::start_blocks() {
  launch_state& l = *worker_.launch;
  block_chunk& chunk = worker_.chunk;
  fiber* f = worker_.pool.take();
  ++active_;
  f->block_first = chunk.first;
  f->block_end = chunk.end;
  if (l.traits.clustered) {
    f->thread.block = worker_.residents.take_in_cluster(chunk.first);
    f->block_first = schedule_position(l, block_at_cluster_position(l, chunk.first), l.blocks);
    f->block_end = f->block_first + 1;
    ++chunk.first;
  } else {
    if (fresh_ == nullptr || fresh_->active) fresh_ = worker_.residents.take();
    f->thread.block = fresh_;
    if (walks_blocks(l)) {
      chunk.first = chunk.end;  // make_resident() gives the rest back
    } else {
      f->block_end = ++chunk.first;
    }
  }
  f->block_limit = f->block_end;
  f->first = 0;
  f->end = l.threads;
  f->alone = l.traits.one_by_one ? 0 : -1;
  f->thread.has_stack = false;
  f->fresh_block = true;
  f->as_loops = begins_as_loops(worker_);
  f->thread.waits = wait_kind::none;
  resume(f);
}

void fiber_executor::resume(fiber* f) {
  run_queue& q = worker_.queue;
  worker_.busy = false;
  q.main.sp = nullptr;
  q.current = f;
  switch_stacks(q, &q.main, &f->stack);
  q.current = nullptr;
}

void fiber_executor::make_resident(block_context& b, fiber& f, std::int64_t block_index) {
  if (!b.active) {
    worker_.launch->waited.store(true, std::memory_order_relaxed);
    worker_.residents.activate(b, block_index);
    ++worker_.residents.count;
  }
  if (!f.fresh_block) return;
  f.fresh_block = false;
  const launch_state& l = *worker_.launch;
  if (walks_blocks(l)) worker_.chunk = {schedule_position(l, block_index, l.blocks) + 1, f.block_end};
}

void fiber_executor::detach(block_context& b, std::int32_t rank, std::int64_t block_index) {
  worker& w = worker_;
  w.busy = true;
  handler_fence();
  launch_state& l = *w.launch;
  fiber& f = *w.queue.current;
  if (f.block_now >= 0) block_index = f.block_now;  // a thread knows its block, the loop which of its passes this is
  const auto position = static_cast<std::int32_t>(schedule_position(l, rank, b.threads));
  make_resident(b, f, block_index);
  b.live -= position - f.first;  // the threads before this one exited without waiting
  for (std::int32_t i = f.first; i < position; ++i)
    lane_exited(b, static_cast<std::int32_t>(schedule_position(l, i, b.threads)));
  f.thread.rank = rank;
  f.thread.has_stack = true;
  f.range->x_end = f.range->y_end = f.range->z_end = nullptr;
  f.block_limit = 0;
  if (l.traits.teams()) join_team(b, f);
  if (position + 1 < f.end) {
    fiber* rest = w.pool.take();
    ++active_;
    rest->thread.block = &b;
    rest->first = position + 1;
    rest->end = f.end;
    rest->alone = l.traits.one_by_one ? rest->first : -1;
    rest->block_first = block_index;
    rest->block_end = block_index + 1;
    rest->block_limit = block_index + 1;
    rest->thread.has_stack = false;
    rest->fresh_block = rest->as_loops = false;
    rest->thread.waits = wait_kind::none;
    w.queue.ready.push_front(rest);
  }
  handler_fence();
  w.busy = false;
}

void detach(block_context& b, std::int32_t rank, std::int64_t block_index) {
  b.queue->owner->fibers.detach(b, rank, block_index);
}

// `count` threads of b have exited, on f. True if they were its last.
bool fiber_executor::threads_exited(block_context& b, fiber& f, std::int32_t count) {
  launch_state& l = *worker_.launch;
  b.live -= count;
  worker_.hangs.made_progress();
  if (f.thread.has_stack)
    lane_exited(b, f.thread.rank);
  else
    for (std::int32_t i = f.first; i < f.end; ++i)
      lane_exited(b, static_cast<std::int32_t>(schedule_position(l, i, b.threads)));
  if (b.live == 0) {
    l.blocks_done.fetch_add(1, std::memory_order_relaxed);
    if (observer* o = current_observer()) o->block_ends(b);
    return true;
  }
  if (b.barrier.arrived == b.live) {
    if (observer* o = current_observer()) o->barrier_opens(b, f.thread);
    open_block_barrier(b);
  } else {
    outer_barriers_after_exit(b);
    named_barriers_after_exit(b);
  }
  return false;
}

void fiber_executor::join_team(block_context& b, fiber& f) {
  if (b.team_size == 0) b.team.assign(static_cast<std::size_t>(b.threads), nullptr);
  b.team[static_cast<std::size_t>(f.thread.rank)] = &f;
  ++b.team_size;
  f.in_team = true;
}

// The stacks of b's team go back to the pool; on one of them this may run.
void fiber_executor::dissolve_team(block_context& b) {
  for (fiber* f : b.team) {
    if (f == nullptr) continue;
    f->in_team = false;
    worker_.pool.give(f);
  }
  b.team_size = 0;
}

// True if b's stacks go on with another block: every thread of the last one has left such a stack.
bool fiber_executor::start_next_block_of_team(block_context& b) {
  worker& w = worker_;
  if (b.team_size < b.threads || w.wants_block || w.launch->aborted.load(std::memory_order_relaxed)) return false;
  if (w.chunk.empty() && !w.take_chunk()) return false;
  if (&b == fresh_) fresh_ = nullptr;
  w.residents.reset(b);
  w.residents.activate(b, w.chunk.first++);
  if (observer* o = current_observer()) o->block_begins(b);
  for (fiber* f : b.team) {
    if (!w.launch->traits.instrumented) w.pool.rewind(*f);
    f->first = f->thread.rank;
    f->block_first = b.index;
    f->block_limit = b.index + 1;
    w.queue.ready.push_back(f);
  }
  active_ += b.team_size;
  return true;
}

// The threads of f have exited the kernel.
[[gnu::always_inline]] inline void fiber_executor::retire(fiber& f) {
  worker_.busy = true;
  handler_fence();
  if (f.thread.async != nullptr) async_finish(*f.thread.async, f.thread);
  f.parked = false;
  f.thread.waits = wait_kind::none;
  f.thread.spins = 0;
  --active_;
}

// A resident block's last thread has exited, and no other block goes on with its stacks.
void fiber_executor::end_block(block_context& b) {
  if (b.team_size > 0) dissolve_team(b);
  --worker_.residents.count;
  if (&b == fresh_) fresh_ = nullptr;
  worker_.residents.end(b);
}

// The present stack is over.
[[gnu::always_inline]] inline void fiber_executor::leave_stack() {
  run_queue& q = worker_.queue;
  if (q.ready.empty() || worker_.wants_block) leave_stack_for(q, &q.main);
  fiber* const next = q.current = q.ready.pop_front();
  begin_step(q);
  worker_.busy = false;
  leave_stack_for(q, &next->stack);
}

[[gnu::hot]] void fiber_executor::finish(fiber& f) {
  retire(f);
  block_context& b = *f.thread.block;
  f.range = nullptr;
  const bool idle = !f.in_team;
  if (!f.thread.has_stack && f.fresh_block) {  // whole blocks, and nobody waited
    if (b.cluster != nullptr) worker_.residents.end(b);
  } else if (f.as_loops) {  // a block that has waited at the grid's barrier, as one
    worker_.hangs.made_progress();
    end_block(b);
  } else if (threads_exited(b, f, f.thread.has_stack ? 1 : f.end - f.first) && !start_next_block_of_team(b)) {
    end_block(b);
  }
  if (idle) worker_.pool.give(&f);
  leave_stack();
}

// Hot: a function that does not return counts as a rare one otherwise, and is made small instead of fast.
[[gnu::hot]] void finish_fiber(fiber& self) {
  worker& w = *self.thread.block->queue->owner;
  if (self.alone >= 0 && !self.thread.has_stack && self.alone + 1 < self.end) [[unlikely]] {
    begin_step(w.queue);
    ++self.alone;
    w.pool.rewind(self);
    leave_stack_for(w.queue, &self.stack);
  }
  if (self.in_team) {
    w.busy = true;
    handler_fence();
    if (const stack_context* const next = w.fibers.end_team_thread_fast(self)) {
      self.range = nullptr;
      begin_step(w.queue);
      w.busy = false;
      leave_stack_for(w.queue, next);
    }
  }
  w.fibers.finish(self);
}

const stack_context* fiber_executor::end_team_thread(fiber& f) {
  retire(f);
  block_context& b = *f.thread.block;
  const bool last = threads_exited(b, f, 1), goes_on = last && start_next_block_of_team(b);
  if (last && !goes_on) {
    f.range = nullptr;
    end_block(b);  // with this stack
    leave_stack();
  }
  handler_fence();
  worker_.busy = false;
  run_queue& q = worker_.queue;
  if (q.ready.empty() || (worker_.wants_block && !goes_on)) return &q.main;
  return &(q.current = q.ready.pop_front())->stack;  // f's own, if it is the first of all that go on
}

pick fiber_executor::ask_scheduler(fiber& f, bool out_of_time, std::uintptr_t pc, const pending_access& what) {
  launch_state& l = *worker_.launch;
  const fiber_list& ready = worker_.queue.ready;
  const bool splits = !f.thread.has_stack && f.thread.rank + 1 < f.end;  // waiting, it gives the rest away
  const bool rest_is_first = splits || (!ready.empty() && !ready.head->thread.has_stack);
  const pick p = l.scheduler->next({ready, f, rest_is_first}, {l, worker_.residents.count, out_of_time, pc, what});
  if (const std::string& text = l.scheduler->departure(); !text.empty()) {
    raise_fault(*f.thread.block,
                {.kind = fault_kind::departed, .text = text, .block = f.thread.block->index, .thread = f.thread.rank});
  }
  return p;
}

bool fiber_executor::schedule_point(bool out_of_time, std::uintptr_t pc, const pending_access& what) {
  const bool others_ran = take_turn(out_of_time, pc, what);
  if (weak_memory* const model = worker_.launch->scheduler->weak()) [[unlikely]]
    model->begins(worker_.queue.current->thread, pc, what);
  return others_ran;
}

bool fiber_executor::take_turn(bool out_of_time, std::uintptr_t pc, const pending_access& what) {
  worker& w = worker_;
  launch_state& l = *w.launch;
  run_queue& q = w.queue;
  fiber& f = *q.current;
  block_context& b = *f.thread.block;
  for (bool others_ran = false;; out_of_time = false) {
    if (l.aborted.load(std::memory_order_relaxed)) switch_to_worker(q);  // never comes back
    pick p{out_of_time ? pick::kind::yields : pick::kind::stays};
    if (l.traits.switches_at_accesses && !l.scheduler->rests()) p = ask_scheduler(f, out_of_time, pc, what);
    if (p.what == pick::kind::stays || p.what == pick::kind::rests) return others_ran;
    others_ran = true;
    const kept_carry carry;
    if (p.what == pick::kind::yields) {
      f.thread.wait_pc = pc;
      w.hangs.idle_yields += kParkWeight;
      yield_thread(b, f.thread.rank, b.index);
    } else {
      if (!f.thread.has_stack) detach(b, f.thread.rank, b.index);
      q.ready.push_back(&f);
      for (; p.next > 0; --p.next) q.ready.push_back(q.ready.pop_front());
      w.hangs.has_run(f);
      if (p.starts_block) w.wants_block = true;
      w.wants_block ? switch_to_worker(q) : run_next_ready(q);
    }
    // Here also where another one had to wait or has ended, and this was the next: some policies are asked then.
    if (!l.traits.switches_at_accesses || !l.scheduler->decides_after_waits() ||
        l.scheduler->has_chosen({b.index, f.thread.rank}))
      return true;
  }
}

void yield_thread(block_context& b, std::int32_t rank, std::int64_t block_index) {
  run_queue& q = *b.queue;
  worker& w = *q.owner;
  if ((kSpinBudget - b.spin_budget) % kSpinCostLoad != 0) ++w.hangs.updates;
  b.spin_budget = kSpinBudget;
  if (w.launch->aborted.load(std::memory_order_relaxed)) switch_to_worker(q);  // never comes back
  if (!q.current->thread.has_stack) detach(b, rank, block_index);
  fiber& self = *q.current;
  w.busy = true;
  handler_fence();
  self.thread.waits = wait_kind::spin;
  // Who watches has noted the place, and so has a loop on a volatile.
  if (!w.launch->traits.instrumented && self.thread.wait_pc == 0)
    self.thread.wait_pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (!w.launch->spins.load(std::memory_order_relaxed)) w.launch->spins.store(true, std::memory_order_relaxed);
  w.hangs.gave_way(self);
  // Whoever spins has run since and nothing came of it; those who wait at barriers and the like have not.
  if (w.hangs.idle_yields > ++w.hangs.spinning) w.wants_block = true;
  q.ready.push_back(&self);
  begin_step(q);
  w.busy = false;
  w.wants_block ? switch_to_worker(q) : run_next_ready(q);
  --w.hangs.spinning;
  self.thread.waits = wait_kind::none;
  if (!w.launch->traits.instrumented) self.thread.wait_pc = 0;
}

void fiber_executor::abandon() {
  worker_.queue.ready = {};
  worker_.queue.current = nullptr;
  worker_.pool.reset_all();
  active_ = 0;
  fresh_ = nullptr;
  for (fiber* f : worker_.pool.all()) {
    f->range = nullptr;
    f->thread.block = nullptr;
    f->block_now = -1;
    f->parked = false;
    f->in_team = false;
    f->thread.waits = wait_kind::none;
    if (f->thread.async != nullptr) *f->thread.async = {};
  }
}

}  // namespace simt::sim
