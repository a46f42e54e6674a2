// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/checked_loops.hpp>

#include <sim/exec/async_copy.hpp>
#include <sim/exec/atomic_action.hpp>
#include <sim/exec/executors/fiber_calls.hpp>
#include <sim/exec/grid_barrier.hpp>
#include <sim/instrument/checked_calls.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/loop_proofs.hpp>
#include <sim/instrument/row_copies.hpp>

namespace simt::sim {

namespace {

static_assert(kCompareAndSwap == static_cast<std::int32_t>(atomic_action::cas));

// The block that runs as loops on this OS thread.
struct loop_block {
  thread_range range{};            // the running thread, for who asks (fault.cpp)
  std::int32_t first_at_work = 0;  // all threads before it have left the kernel
};
thread_local loop_block running;

void run_thread(block_context& b, fiber& f, std::int32_t rank) {
  watched_thread* const states = b.observed == nullptr ? nullptr : b.observed->states;
  f.thread.rank = rank;
  f.thread.observed = states == nullptr ? nullptr : state_at(states, rank);
  f.thread.wait_pc = 0;  // nothing was seen of it yet
}

// The thread runs next; its accesses are announced with the cursor.
access_cursor& begin_thread(block_context& b, std::int64_t rank, std::int64_t x, std::int64_t y, std::int64_t z) {
  fiber& f = *b.queue->current;
  running.range.x = as_limit(x);
  running.range.y = as_limit(y);
  running.range.z = as_limit(z);
  run_thread(b, f, static_cast<std::int32_t>(rank));
  access_cursor& c = cursor;
  c.pc = 0;
  c.thread = f.thread.observed;
  return c;
}

batch_judge& judge() { return *dispatcher::current()->judge_of_batches(); }

}  // namespace

void simt_loop_block(block_context& b) {
  fiber& f = *b.queue->current;
  leave_cursor();
  running = {};
  row_copies::of_this_thread().begin_block();
  thread_range& r = running.range;
  r.x_end = r.y_end = r.z_end = as_limit(1);
  r.block = as_limit(b.index);
  f.range = &r;
  if (f.thread.calls == nullptr) f.thread.calls = new shadow_stack;  // kept for the fiber's life
  b.barrier.phase = 0;
  b.observed = nullptr;
  b.early_exits = b.late_exits = {};
  if (observer* const o = current_observer()) o->block_begins(b);
  b.live = b.threads;
  run_thread(b, f, 0);
  restore_cursor(f);
  if (f.thread.observed != nullptr) judge().loops_begin(*f.thread.observed);
}

void simt_loop_block_ends(block_context& b) {
  leave_cursor();
  fiber& f = *b.queue->current;
  row_copies::of_this_thread().hand_over(b);
  std::vector<async_copies>& copies = f.room->copies;
  for (std::size_t rank = 0; rank < copies.size(); ++rank) {  // that nobody has waited for
    if (copies[rank].pending.empty()) continue;
    run_thread(b, f, static_cast<std::int32_t>(rank));
    async_finish(copies[rank], f.thread);
  }
  f.range = nullptr;
  if (observer* const o = current_observer()) o->block_ends(b);
}

void simt_loop_thread(block_context& b, std::int64_t rank, std::int64_t x, std::int64_t y, std::int64_t z) {
  if (begin_thread(b, rank, x, y, z).thread != nullptr) begin_segment(*b.queue->current);
}

void simt_loop_lone(block_context& b, std::int64_t rank, std::int64_t x, std::int64_t y, std::int64_t z) {
  dispatcher::flush_accesses();
  access_cursor& c = begin_thread(b, rank, x, y, z);
  c.next = &no_batch;
  c.in_batch = false;
}

void simt_loop_leaves(block_context& b, std::int64_t rank) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  fiber& f = *b.queue->current;
  if (watched_thread* const t = f.thread.observed; t != nullptr && t->pending) {
    dispatcher::flush_accesses();
    dispatcher::current()->thread_exits_pending(*t);
  }
  const bool late = b.barrier.phase > 0;
  thread_exits& exits = late ? b.late_exits : b.early_exits;
  if (exits.count == 0 || (late && exits.phase != b.barrier.phase))
    exits = {0, static_cast<std::int32_t>(rank), b.barrier.phase, pc};
  ++exits.count;
  --b.live;
  if (rank == running.first_at_work) ++running.first_at_work;
}

void simt_loop_barrier(block_context& b) {
  fiber& f = *b.queue->current;
  run_thread(b, f, running.first_at_work);
  cursor.thread = f.thread.observed;
  f.thread.wait_pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  f.thread.waits = wait_kind::block_barrier;
  if (observer* const o = current_observer()) o->barrier_opens(b, f.thread);
  open_block_barrier(b);
  f.thread.waits = wait_kind::none;
}

void simt_loop_grid_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  dispatcher::flush_accesses();
  fiber& f = *b.queue->current;
  run_thread(b, f, running.first_at_work);
  cursor.thread = f.thread.observed;
  row_copies::of_this_thread().hand_over(b);
  // Other blocks run on this OS thread meanwhile.
  if (f.thread.observed != nullptr) judge().loops_wait_at_grid(*f.thread.observed);
  const loop_block mine = running;
  f.range = nullptr;
  block_waits_at_grid(b, mine.first_at_work, pc);
  running = mine;
  row_copies::of_this_thread().go_on_by_threads();
  f.range = &running.range;
  restore_cursor(f);
}

void simt_loop_meeting(block_context& b, std::int64_t first, std::uint32_t op, std::uint32_t live, std::uint32_t tile,
                       const std::uint32_t* sources) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const auto warp = static_cast<std::int32_t>(first / kLanes);
  const std::uint32_t first_tile = tile == kLanes ? ~0U : (1U << tile) - 1;
  for (std::uint32_t at = 0; at < kLanes; at += tile) {
    const std::uint32_t mask = first_tile << at;
    if ((live & mask) != 0) announce_meeting(b, warp, static_cast<warp_op>(op), mask, live & mask, sources, pc);
  }
}

void simt_loop_meeting_of_masks(block_context& b, std::int64_t first, std::uint32_t op, std::uint32_t live,
                                const std::uint32_t* masks, const std::uint32_t* sources) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const auto warp = static_cast<std::int32_t>(first / kLanes);
  for (std::uint32_t left = live; left != 0;) {  // the engine has seen that their masks fit (simt_loop_masks)
    const std::uint32_t mask = masks[std::countr_zero(left)];
    announce_meeting(b, warp, static_cast<warp_op>(op), mask, live & mask, sources, pc);
    left &= ~mask;
  }
}

void simt_loop_read_only(block_context& b, std::size_t written_count, const std::uintptr_t* written,
                         std::size_t read_count, quiet_array* read) {
  for (std::size_t i = 0; i < read_count; ++i) read[i].from = read[i].size = 0;
  const dispatcher* const d = dispatcher::current();
  if (d == nullptr || b.observed == nullptr || b.observed->states == nullptr) return;
  if (d->has_listeners()) return;  // somebody is to hear of each access
  const bool mixed = b.launch->traits.rests;
  if (mixed && b.queue->owner->residents.count > 0) return;  // it is decided between two blocks only
  judge().ask_read_only(*state_at(b.observed->states, 0), {written, written_count}, {read, read_count}, mixed);
}
void simt_loop_has_read(block_context& b, std::size_t read_count, const quiet_array* read, std::uint64_t count) {
  if (count == 0 || b.observed == nullptr || b.observed->states == nullptr) return;
  cursor.steps += count;
  for (std::size_t i = 0; i < read_count; ++i)
    if (read[i].low < read[i].high)
      judge().has_read(*state_at(b.observed->states, 0), read[i].from + read[i].low, read[i].from + read[i].high);
}

loop_answer simt_loop_region(block_context& b, const loop_region& r, const std::int64_t* numbers) {
  return loop_proofs::of_this_thread().begin(b, r, numbers);
}
std::int64_t simt_loop_turns(std::int64_t limit) { return loop_proofs::of_this_thread().turns(limit); }
void simt_loop_proved(block_context&) { loop_proofs::of_this_thread().commit(); }

void simt_leaves_kernel() { cursor.left_from = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)); }

std::byte* simt_loop_shared_array(block_context& b, const shared_key& key) { return checked_shared(b, key); }
std::byte* simt_loop_dynamic_shared(block_context& b, const shared_key& key) { return checked_dynamic_shared(b, key); }

}  // namespace simt::sim
