// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/checked_thread_loop.hpp>

#include <sim/instrument/cursor_switch.hpp>
#include <sim/instrument/dispatcher.hpp>

namespace simt::sim {

checked_thread_loop::checked_thread_loop(block_context& b, fiber& f) : thread_loop_state{&cursor, &b, 0, {}}, self_(f) {
  leave_cursor();
  const launch_state& l = *b.launch;
  backwards_ = l.traits.begins_backwards;
  range.x_end = range.y_end = range.z_end = as_limit(1);  // detach() makes them null
  range.x = range.y = range.z = as_limit(-1);
  f.range = &range;
  if (f.thread.calls == nullptr) f.thread.calls = new shadow_stack;  // kept for the fiber's life
  // A fresh fiber begins one block (launch_traits::stacks_walk_blocks); the rest of a block belongs to one begun.
  if (f.fresh_block) {
    place_block(b, schedule_position(l, f.block_first, l.blocks));
    b.barrier.phase = 0;
    b.observed = nullptr;
    b.early_exits = b.late_exits = {};
    if (observer* o = current_observer()) o->block_begins(b);
  }
  range.block = as_limit(b.index);
  // 32 bits and no division for flat blocks: every thread that waits comes here.
  const auto rank = static_cast<std::uint32_t>(schedule_position(l, f.first, b.threads));
  const auto width = static_cast<std::uint32_t>(l.block.x), height = static_cast<std::uint32_t>(l.block.y);
  position =
      rank < width ? position_of(rank, 0, 0) : position_of(rank % width, rank / width % height, rank / width / height);
}

// Nobody waited: the block is done here; else finish_fiber ends it with its last thread.
checked_thread_loop::~checked_thread_loop() {
  if (!self_.thread.has_stack && self_.fresh_block)
    if (observer* o = current_observer()) o->block_ends(*block);
  self_.range = nullptr;
}

[[gnu::always_inline]] inline void checked_thread_loop::step() {
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
[[gnu::always_inline]] inline void checked_thread_loop::note_exit(std::uintptr_t pc) {
  watched_thread* const t = self_.thread.observed;
  if (t == nullptr) return;
  if (t->pending) [[unlikely]]
    dispatcher::current()->thread_exits_pending(*t);
  const bool late = block->active && block->barrier.phase > 0;
  thread_exits& d = late ? block->late_exits : block->early_exits;
  if (d.count == 0 || (late && d.phase != block->barrier.phase)) [[unlikely]]
    d = {0, self_.thread.rank, block->barrier.phase, pc};
  if (block->launch->block.x > 1)
    cursor.leaving = &d.count;  // else the next thread of a row differs in its y or z: no follow()
  ++d.count;
}

// Of the last thread on f, which may have left without ending them.
[[gnu::always_inline]] inline void forget_calls(fiber& f) {
  shadow_stack& s = *f.thread.calls;
  s.top = s.frames;
  s.deeper = 0;
  if (cursor.self == &f && cursor.top != nullptr) cursor.top = s.frames;
}

// The thread of rank self_.thread.rank, at `position`.
[[gnu::always_inline]] inline void checked_thread_loop::begin() {
  range.x = as_limit(x_of(position));
  range.y = as_limit(y_of(position));
  range.z = as_limit(z_of(position));
  watched_thread* const states = block->observed == nullptr ? nullptr : block->observed->states;
  self_.thread.observed = states == nullptr ? nullptr : state_at(states, self_.thread.rank);
  self_.thread.wait_pc = cursor.pc = 0;  // nothing was seen of it yet
  forget_calls(self_);
}

bool checked_thread_loop::begin_first() {
  self_.thread.rank = static_cast<std::int32_t>(schedule_position(*block->launch, self_.first, block->threads));
  begin();
  running_ = true;
  restore_cursor(self_);
  return true;
}

bool checked_thread_loop::end_and_begin(const stack_context*& elsewhere) {
  access_cursor& c = cursor;
  catch_up();
  self_.thread.wait_pc = c.left_from != 0 ? c.left_from : c.exit_pc;
  c.left_from = 0;
  note_exit(self_.thread.wait_pc);
  if (self_.thread.has_stack) {  // it has waited: the others have stacks of their own
    if (self_.in_team) {
      worker& w = *block->queue->owner;
      fetch_followers<8>(w.queue);
      elsewhere = w.fibers.end_team_thread_fast(self_);
      if (elsewhere != nullptr) [[likely]]
        return false;
    }
    leave_cursor();
    if (self_.in_team) elsewhere = block->queue->owner->fibers.end_team_thread(self_);
    return false;
  }
  const auto in_schedule = [this](std::int32_t n) { return backwards_ ? block->threads - 1 - n : n; };
  const std::int32_t next = in_schedule(self_.thread.rank) + 1;
  if (next >= self_.end) [[unlikely]] {
    leave_cursor();
    return false;
  }
  self_.thread.rank = in_schedule(next);
  step();
  begin();
  c.thread = self_.thread.observed;  // the stack is still the one that the cursor was set for
  if (c.thread != nullptr) begin_segment(self_);
  return true;
}

void checked_thread_loop::begin_again() {
  range.block = as_limit(block->index);
  begin();
  come_back(self_);
}

void checked_thread_loop::leave() { leave_cursor(); }

}  // namespace simt::sim
