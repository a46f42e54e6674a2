// SPDX-License-Identifier: Apache-2.0
// What all policies share: names for who was picked, and the record.
#include <sim/exec/scheduler/scheduler.hpp>

#include <algorithm>
#include <utility>

#include <sim/exec/clean_stack.hpp>
#include <sim/exec/launch.hpp>

namespace simt::sim {

namespace {

// Of an access on fibers, in accesses of loops.
constexpr std::int64_t kCostOfFibers = 16;

const fiber& at_place(const ready_threads& ready, std::int64_t place) {
  const fiber* f = ready.queue.head;  // null: the running one, behind the last
  for (; place > 0; --place) f = f == nullptr ? ready.queue.head : f->next;
  return f == nullptr ? ready.running : *f;
}

}  // namespace

thread_name name_of(const fiber& f, const fiber& running) {
  return {f.thread.block->index, f.thread.has_stack || &f == &running ? f.thread.rank : f.first};
}

thread_name name_at(const ready_threads& ready, std::int64_t place) {
  const fiber& running = ready.running;
  // A thread without a stack of its own gives the rest of its range away when it waits: that comes first.
  if (!running.thread.has_stack && running.thread.rank + 1 < running.end)
    return {running.thread.block->index, running.thread.rank + 1};
  return name_of(at_place(ready, place), running);
}

pick scheduler::choose(const ready_threads&, const schedule_place&) { return {}; }

void scheduler::launch_begins(const launch_state& l) {
  if (!is_asked()) return;
  if (weak_) weak_->launch_begins(l);
  rest_left_ = std::max<std::int64_t>(0, rest_ > 0 ? rest_ - rested_ : 0);
  rest_ = 0;
  in_loops_ = by_clock_ = false;
  begin(l);
  order_.launches.push_back({l.name, l.blocks, l.threads, {}, {}});
}

void scheduler::launch_ends(const launch_state& l) {
  if (!is_asked()) return;
  if (weak_) weak_->launch_ends();
  end(l);
  const bool hangs = by_clock_ && (l.fault.kind == fault_kind::hang || l.fault.kind == fault_kind::endless);
  order_.launches.back().picks = hangs ? picks_.take_of_hang() : picks_.take();
  if (weak_) order_.launches.back().older_values = weak_->take_choices();
  kept_bytes_ += order_.launches.back().picks.size();
}

void scheduler::begin_with_rest(std::int64_t accesses) {
  rest_ = accesses;
  told_ = rested_ = 0;
  picks_.add({named_pick::kind::rests, accesses});
}

void scheduler::accesses_made(const launch_state& l, std::uint64_t steps) {
  const bool by_loops = std::exchange(in_loops_, false);
  if (!rests()) return;
  const auto made = static_cast<std::int64_t>(steps);
  if (told_ < 0) told_ = made;
  const std::int64_t more = made - std::exchange(told_, made);
  // Blocks that were begun awake go on on fibers. Loops have to make up for what that costs, as long as any may begin.
  const bool loops_follow = l.loop != nullptr && l.next_block.load(std::memory_order_relaxed) < l.blocks;
  rested_ += by_loops || !loops_follow ? more : -kCostOfFibers * more;
  if (rested_ < rest_) return;
  rest_ = 0;
  wakes();
}

pick scheduler::next(const ready_threads& ready, const schedule_place& where) {
  const pick p = pick_next(ready, where);
  if (weak_ != nullptr || p.what == pick::kind::yields) clean_stack_below();
  return p;
}

pick scheduler::pick_next(const ready_threads& ready, const schedule_place& where) {
  const pick p = choose(ready, where);
  by_clock_ = by_clock_ || where.out_of_time;
  has_chosen_ = p.what == pick::kind::goes_on;
  if (has_chosen_) chosen_ = name_at(ready, p.next);
  if (p.what == pick::kind::rests) rest_ = p.next, told_ = -1, rested_ = 0;
  if (order_.cut) return p;
  named_pick named;
  if (p.what == pick::kind::yields) named.what = named_pick::kind::yields;
  if (p.what == pick::kind::rests) named.what = named_pick::kind::rests, named.block = p.next;
  if (p.what == pick::kind::goes_on) {
    named.what = named_pick::kind::goes_on;
    named.starts_block = p.starts_block;
    const thread_name who = name_at(ready, p.next);
    named.block = who.block;
    named.thread = who.thread;
  }
  picks_.add(named);
  if (kept_bytes_ + picks_.size() > kMostPickBytes) order_.cut = true;
  return p;
}

recorded_order scheduler::take_order() {
  kept_bytes_ = 0;
  order_.memory_model = weak_ ? "ptx" : "";
  return std::exchange(order_, {});
}

}  // namespace simt::sim
