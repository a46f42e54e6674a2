// SPDX-License-Identifier: Apache-2.0
// The check variant's loop over threads, its barriers, and the places where schedules switch.
#include <algorithm>
#include <backends/sim/access_cursor.hpp>
#include <backends/sim/start_launch.hpp>
#include <sim/check/state.hpp>
#include <sim/exec/observer.hpp>

namespace simt::sim {

constinit thread_local access_cursor cursor [[gnu::tls_model("initial-exec")]];

namespace {

// What differs between threads of one launch on one worker. Of the fiber, its first cache line is enough.
[[gnu::always_inline]] inline void follow_thread(fiber& f) {
  access_cursor& c = cursor;
  c.give_up_calls();
  c.self = &f;
  c.pc = f.wait_pc;
  auto* const state = static_cast<check::thread_state*>(f.data);
  c.thread = state;
  c.leaving = nullptr;
  if (state != nullptr && c.rows->passes_on(c.next, state)) [[likely]]
    c.next = c.row->first;
  else
    begin_segment(f);
}

// restore_cursor() for a thread whose stack gave way to others of its launch and worker only.
[[gnu::always_inline]] inline void come_back(fiber& f) {
  if (cursor.every_access_switches) [[unlikely]]
    return restore_cursor(f);
  follow_thread(f);
}

// What run_next() and the thread after it will touch. The record of the next but one is asked for here, its stack when
// that one's turn has come closer.
template <int Lines>
[[gnu::always_inline]] inline void fetch_followers(const run_queue& q) {
  const fiber* const next = q.ready.head;
  if (next == nullptr || next->next == nullptr) return;
  const fiber& after = *next->next;
  __builtin_prefetch(after.next);
  for (int line = 0; line < Lines; ++line) __builtin_prefetch(static_cast<const char*>(after.stack.sp) + line * 64);
}

// Where the running thread was last seen to touch memory or to wait; 0: nowhere yet. Before catch_up(), from which on it cannot
// be told that `pc` is of a thread before this one.
std::uintptr_t last_seen() {
  const access_cursor& c = cursor;
  if (c.in_row && c.rows->follows() && c.next != c.row->first) return c.next[-1].pc;
  return c.self == nullptr || c.thread == c.self->data ? c.pc : 0;
}

}  // namespace

void end_rows() {
  access_cursor& c = cursor;
  c.pc = last_seen();
  catch_up();
  c.rows->settle(c.next);
  take_counts();
  c.next = &check::no_row;
  c.in_row = false;
}

void begin_segment(const fiber& f) {
  access_cursor& c = cursor;
  if (c.state() == nullptr || c.every_access_switches) return settle_rows();
  c.rows->end(c.next);
  const block_context& b = *f.block;
  const std::int64_t width = b.launch->block.x;
  c.next = c.rows->begin(*c.state(), static_cast<std::uint32_t>(width == 1 ? b.threads : width));
  take_counts();
  c.in_row = c.rows->follows() || c.rows->notes();
}

namespace {
check::row_log& rows_of_this_thread() {
  static thread_local check::row_log log;
  return log;
}
}  // namespace

void restore_cursor(fiber& f) {
  access_cursor& c = cursor;
  if (c.rows == nullptr) c.rows = &rows_of_this_thread(), c.row = &c.rows->bounds();
  c.owner = f.block->queue->owner;
  c.owner->progress_counter = &c.writes;
  const schedule order = f.block->launch->order;
  c.every_access_switches = order == schedule::lockstep || order == schedule::random;
  c.asked_to_yield = false;
  follow_thread(f);
}

void leave_cursor() {
  cursor.pc = last_seen();
  catch_up();
  if (cursor.in_row) {
    cursor.rows->end(cursor.next);
    take_counts();
    cursor.in_row = false;
  }
  cursor.next = &check::no_row;
  cursor.thread = nullptr;
  cursor.leaving = nullptr;
  cursor.give_up_calls();
  cursor.self = nullptr;
}

namespace {

// Signal handlers ask; the cursor is this OS thread's.
std::size_t calls_of_running_thread(std::uintptr_t* out, std::size_t room, bool last_access) {
  std::size_t n = 0;
  if (const std::uintptr_t pc = last_seen(); pc != 0 && last_access) out[n++] = pc;
  if (const shadow_stack* const s = cursor.calls()) {
    const auto active = s->active();
    for (std::size_t i = active.size(); i > 0 && n < room; --i) out[n++] = active[i - 1];
  }
  return n;
}
// In a signal handler.
void yield_at_next_access() {
  access_cursor& c = cursor;
  if (c.state() == nullptr) return;
  c.asked_to_yield = true;
  handler_fence();
  c.every_access_switches = true;
}
[[gnu::constructor]] void follow_calls() {
  active_calls = &calls_of_running_thread;
  ask_for_yield = &yield_at_next_access;
  launch_given_up = [] {
    settle_rows();
    leave_cursor();
  };
}

std::int64_t place_in_schedule(const launch_state& l, std::int64_t ordinal, std::int64_t count) {
  return l.order == schedule::reverse ? count - 1 - ordinal : ordinal;
}

}  // namespace

checked_walk::checked_walk(block_context& b, fiber& f) : walk_state{&cursor, &b, 0, {}}, self_(f) {
  leave_cursor();
  const launch_state& l = *b.launch;
  backwards_ = l.order == schedule::reverse;
  range.x_end = range.y_end = range.z_end = as_limit(1);  // detach() makes them null
  range.x = range.y = range.z = as_limit(-1);
  f.range = &range;
  if (f.calls == nullptr) f.calls = new shadow_stack;  // kept for the fiber's life
  // A fresh fiber begins one block (launch_state::fibers_walk_chunks); the rest of a block belongs to one begun.
  if (f.fresh_block) {
    place_block(b, place_in_schedule(l, f.block_first, l.blocks));
    b.phase = 0;
    b.thread_states = nullptr;
    b.left_early = b.left_after_barrier = {};
    if (observer* o = current_observer()) o->block_begins(b);
  }
  range.block = as_limit(b.index);
  // 32 bits and no division for flat blocks: every thread that waits comes here.
  const auto rank = static_cast<std::uint32_t>(place_in_schedule(l, f.first, b.threads));
  const auto width = static_cast<std::uint32_t>(l.block.x), height = static_cast<std::uint32_t>(l.block.y);
  position = rank < width ? position_of(rank, 0, 0) : position_of(rank % width, rank / width % height, rank / width / height);
}

// Nobody waited: the block is done here; else finish_fiber ends it with its last thread.
checked_walk::~checked_walk() {
  if (self_.open && self_.fresh_block)
    if (observer* o = current_observer()) o->block_ends(*block);
  self_.range = nullptr;
}

[[gnu::always_inline]] inline void checked_walk::step() {
  const extent3& d = block->launch->block;
  std::int64_t x = x_of(position), y = y_of(position), z = z_of(position);
  if (!backwards_) [[likely]] {
    if (x + 1 < d.x) [[likely]] {
      ++position;
      return;
    }
    x = 0;
    if (++y == d.y) y = 0, ++z;
  } else if (--x < 0) {
    x = d.x - 1;
    if (--y < 0) y = d.y - 1, --z;
  }
  position = position_of(x, y, z);
}

// The running thread left the kernel, from `pc`.
[[gnu::always_inline]] inline void checked_walk::note_departure(std::uintptr_t pc) {
  auto* const t = static_cast<check::thread_state*>(self_.data);
  if (t == nullptr) return;
  if (t->pending) [[unlikely]]
    check::thread_exit(*t);
  const bool late = block->active && block->phase > 0;
  departure& d = late ? block->left_after_barrier : block->left_early;
  if (d.count == 0 || (late && d.phase != block->phase)) [[unlikely]]
    d = {0, self_.rank, block->phase, pc};
  if (block->launch->block.x > 1) cursor.leaving = &d.count;  // else the next thread of a row differs in its y or z: no follow()
  ++d.count;
}

// Of the last thread on f, which may have left without ending them.
[[gnu::always_inline]] inline void forget_calls(fiber& f) {
  auto& s = *static_cast<shadow_stack*>(f.calls);
  s.top = s.frames;
  s.deeper = 0;
  if (cursor.self == &f && cursor.top != nullptr) cursor.top = s.frames;
}

// The thread of rank self_.rank, at `position`.
[[gnu::always_inline]] inline void checked_walk::begin() {
  range.x = as_limit(x_of(position));
  range.y = as_limit(y_of(position));
  range.z = as_limit(z_of(position));
  // Without an observer nobody watches this thread.
  auto* const states = static_cast<check::thread_state*>(block->thread_states);
  self_.data = states == nullptr ? nullptr : states + self_.rank;
  self_.wait_pc = cursor.pc = 0;  // nothing was seen of it yet
  forget_calls(self_);
}

bool checked_walk::begin_first() {
  self_.rank = static_cast<std::int32_t>(place_in_schedule(*block->launch, self_.first, block->threads));
  begin();
  running_ = true;
  restore_cursor(self_);
  return true;
}

bool checked_walk::end_and_begin(const stack_context*& elsewhere) {
  access_cursor& c = cursor;
  catch_up();
  self_.wait_pc = c.left_from != 0 ? c.left_from : c.exit_pc;
  c.left_from = 0;
  note_departure(self_.wait_pc);
  if (!self_.open) {  // it has waited: the others have stacks of their own
    if (self_.in_team) {
      worker& w = *block->queue->owner;
      fetch_followers<8>(w.queue);
      elsewhere = w.leave_to_others(self_);
      if (elsewhere != nullptr) [[likely]]
        return false;
    }
    leave_cursor();
    if (self_.in_team) elsewhere = end_turn(self_);
    return false;
  }
  const auto in_schedule = [this](std::int32_t n) { return backwards_ ? block->threads - 1 - n : n; };
  const std::int32_t next = in_schedule(self_.rank) + 1;
  if (next >= self_.end) [[unlikely]] {
    leave_cursor();
    return false;
  }
  self_.rank = in_schedule(next);
  step();
  begin();
  c.thread = self_.data;  // the stack is still the one that the cursor was set for
  if (c.thread != nullptr) begin_segment(self_);
  return true;
}

void checked_walk::begin_again() {
  range.block = as_limit(block->index);
  begin();
  come_back(self_);
}

void checked_walk::leave() { leave_cursor(); }

namespace {

// The running thread `f` keeps its stack: it is about to wait.
[[gnu::always_inline]] inline void keep_stack(block_context& b, fiber& f) {
  if (!f.open) return;
  catch_up();
  detach(b, f.rank, b.index);
}

// The running thread `f` arrives, called from `pc`, and goes on when the barrier has opened.
[[gnu::always_inline]] inline void wait_at_barrier(block_context& b, fiber& f, std::uintptr_t pc) {
  keep_stack(b, f);
  f.wait_pc = pc;
  f.waits = wait_kind::block_barrier;
  if (++b.arrived == b.live) {
    if (observer* const o = current_observer()) o->barrier_opens(b, f);
    open_barrier(b);
    begin_segment(f);
  } else {
    b.waiters.push_back(&f);
    fetch_followers<3>(*b.queue);
    run_next(*b.queue);
    come_back(f);
  }
  f.waits = wait_kind::none;
}

}  // namespace

void checked_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  fiber& f = *b.queue->current;
  if (cursor.every_access_switches) [[unlikely]] {
    f.wait_pc = pc;
    schedule_point();
  }
  wait_at_barrier(b, f, pc);
}

std::int32_t checked_barrier_vote(block_context& b, std::int32_t mine) {
  fiber& f = *b.queue->current;
  keep_stack(b, f);  // makes the block resident, whose votes these are
  std::int32_t& votes = b.vote[b.phase & 1];
  votes += mine;
  wait_at_barrier(b, f, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  return votes;
}

void schedule_point() {
  catch_up();
  worker& w = *cursor.owner;
  launch_state& l = *w.launch;
  run_queue& q = w.queue;
  fiber& f = *q.current;
  block_context& b = *f.block;
  const std::uintptr_t pc = cursor.pc;  // of the access that is to come
  if (cursor.asked_to_yield) {
    cursor.asked_to_yield = false;
    yield_thread(b, f.rank, b.index);
    restore_cursor(f);
    cursor.pc = pc;
    return;
  }
  if (l.order == schedule::random && (w.random() & 3) != 0) return;  // runs of four accesses on average
  if (l.aborted.load(std::memory_order_relaxed)) switch_to_worker(q);
  keep_stack(b, f);
  const bool rest_pending = !q.ready.empty() && q.ready.head->open;
  if (l.order == schedule::random) {
    // Somebody else among the next few, or another block.
    q.ready.push_back(&f);
    for (std::uint64_t n = w.random() % 8; n > 0 && q.ready.head != q.ready.tail; --n) {
      if (q.ready.head->open) break;
      fiber* first = q.ready.pop_front();
      q.ready.push_back(first);
    }
    if (!rest_pending && (w.random() & 15) == 0) w.wants_block = true;
  } else {
    q.ready.push_back(&f);
    // All blocks that fit start before anybody takes a second step.
    if (!rest_pending && l.next_block.load(std::memory_order_relaxed) < l.blocks) w.wants_block = true;
  }
  if (w.wants_block)
    switch_to_worker(q);
  else
    run_next_ready(q);
  restore_cursor(f);
  cursor.pc = pc;
}

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

}  // namespace simt::sim
