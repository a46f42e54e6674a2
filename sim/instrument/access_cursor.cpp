// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/access_cursor.hpp>

#include <sim/exec/follower.hpp>
#include <sim/exec/scheduler/scheduler.hpp>
#include <sim/instrument/cursor_switch.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/pause.hpp>

namespace simt::sim {

constinit thread_local access_cursor cursor [[gnu::tls_model("initial-exec")]];
constinit std::uintptr_t profile_markers = 0;
constinit bool code_has_markers = false;

namespace {

// Where the running thread was last seen to touch memory or to wait; 0: nowhere yet. Before catch_up(), from which on
// it cannot be told that `pc` is of a thread before this one.
std::uintptr_t last_seen() {
  const access_cursor& c = cursor;
  if (c.in_batch && c.batches->follows() && c.next != c.batch->first) return c.next[-1].pc;
  return c.self == nullptr || c.thread == c.self->thread.observed ? c.pc : 0;
}

batch_recorder& recorder_of_this_thread() {
  static thread_local batch_recorder recorder;
  return recorder;
}

void tell_of_batch(const event::access_batch& b) { dispatcher::current()->tell_batch(b); }

}  // namespace

void end_batch() {
  access_cursor& c = cursor;
  c.pc = last_seen();
  catch_up();
  c.batches->flush(c.next);
  take_counts();
  c.next = &no_batch;
  c.in_batch = false;
}

void add_steps() {
  worker* const w = cursor.owner;
  if (w == nullptr || w->launch == nullptr) return;
  w->steps += cursor.steps;
  cursor.steps = 0;
}

void begin_segment(const fiber& f) {
  access_cursor& c = cursor;
  if (c.thread == nullptr || c.switches()) return dispatcher::flush_accesses();
  c.batches->end(c.next);
  const block_context& b = *f.thread.block;
  c.next = c.batches->begin(*c.thread, *b.observed);
  take_counts();
  c.in_batch = c.batches->follows() || c.batches->notes();
}

void follow_schedule(const fiber& f) {
  access_cursor& c = cursor;
  const launch_state& l = *f.thread.block->launch;
  const bool rests = l.traits.rests && l.scheduler->rests();
  const bool asks = l.traits.switches_at_accesses && !rests;
  c.every_access =
      static_cast<std::uint8_t>((c.every_access & ~access_cursor::kSwitches) | (asks ? access_cursor::kSwitches : 0));
  c.may_wake = rests && !f.as_loops;
}

void tell_scheduler() {
  access_cursor& c = cursor;
  const launch_state& l = *c.self->thread.block->launch;
  l.scheduler->accesses_made(l, c.owner->steps + c.steps);
  if (!l.scheduler->rests()) follow_schedule(*c.self);
}

void restore_cursor(fiber& f) {
  access_cursor& c = cursor;
  if (c.batches == nullptr) c.batches = &recorder_of_this_thread(), c.batch = &c.batches->bounds();
  c.owner = f.thread.block->queue->owner;
  c.owner->hangs.progress_counter = &c.writes;
  const dispatcher* const d = dispatcher::current();
  const bool told = d != nullptr && d->has_listeners();
  if (d != nullptr) c.batches->set_judge(d->judge_of_batches());
  c.batches->tell(told ? &tell_of_batch : nullptr);
  const bool unjudged = d != nullptr && !d->judges_accesses();
  c.every_access = (told || unjudged ? access_cursor::kTold : 0) | (unjudged ? access_cursor::kUnjudged : 0);
  follow_schedule(f);
  c.asked_to_yield = false;
  follow_thread(f);
}

void leave_cursor() {
  cursor.pc = last_seen();
  catch_up();
  if (cursor.in_batch) {
    cursor.batches->end(cursor.next);
    take_counts();
    cursor.in_batch = false;
  }
  cursor.next = &no_batch;
  cursor.thread = nullptr;
  cursor.leaving = nullptr;
  cursor.give_up_calls();
  cursor.self = nullptr;
}

std::span<const std::uintptr_t> calls_of_access() {
  const shadow_stack* const s = cursor.calls();
  return s == nullptr ? std::span<const std::uintptr_t>{} : s->active();
}

namespace {

class cursor_follower final : public follower {
 public:
  // In a signal handler; the cursor is this OS thread's.
  std::size_t active_calls(std::uintptr_t* out, std::size_t room, bool last_access) override {
    std::size_t n = 0;
    if (const std::uintptr_t pc = last_seen(); pc != 0 && last_access) out[n++] = pc;
    if (const shadow_stack* const s = cursor.calls()) {
      const auto active = s->active();
      for (std::size_t i = active.size(); i > 0 && n < room; --i) out[n++] = active[i - 1];
    }
    return n;
  }
  // In a signal handler. Within a batch, steps are counted late, but the next one is another entry.
  std::uint64_t steps() override {
    const access_cursor& c = cursor;
    const block_context* const b = c.self != nullptr ? c.self->thread.block : nullptr;
    const auto spent = static_cast<std::uint64_t>(b != nullptr ? b->spin_budget : 0);
    return c.steps + c.writes + reinterpret_cast<std::uintptr_t>(c.next) + pauses.load(std::memory_order_relaxed) +
           spent * 0x9E3779B97F4A7C15ULL;
  }
  // In a signal handler.
  void ask_for_yield() override {
    access_cursor& c = cursor;
    if (c.thread == nullptr) return;
    c.asked_to_yield = true;
    handler_fence();
    c.every_access = c.every_access | access_cursor::kSwitches;
  }
  void launch_given_up() override {
    dispatcher::flush_accesses();
    leave_cursor();
    add_steps();
  }
};

[[gnu::constructor]] void follow_calls() {
  static cursor_follower the_follower;
  set_follower(&the_follower);
}

}  // namespace

}  // namespace simt::sim
