// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/hangs.hpp>

#include <algorithm>

#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

void hang_watch::begin() {
  idle_yields = spinning = 0;
  stuck = false;
  seen_.clear();
  updates = 0;
}

void hang_watch::unstick() {
  stuck = false;
  worker_.launch->stuck_workers.fetch_sub(1);
}

// Have all threads that are left come back to a state they were in before, while nothing they can see has changed? What
// a thread does next follows from its registers, its stack and memory. So each one that was in its present state before
// goes round in a loop which changes nothing, whatever the others' order, and all of them do so for ever. A loop that
// counts, computes or moves on does not come back.
bool hang_watch::all_have_been_here() {
  const auto mix = [](std::uint64_t& mark, std::uint64_t v) {
    mark = (mark ^ v) * 0x9E3779B97F4A7C15ULL, mark ^= mark >> 29;
  };
  std::uint64_t world = updates + (progress_counter != nullptr ? *progress_counter : 0);
  for (const block_context* b : worker_.residents.active())
    mix(world, b->barrier.phase + b->warp_meetings + static_cast<std::uint64_t>(b->index) * 1000003);
  if (world != seen_world_) seen_.clear();
  seen_world_ = world;
  bool all = true;
  for (const fiber* f = worker_.queue.ready.head; f != nullptr; f = f->next) {
    std::uint64_t mark =
        static_cast<std::uint64_t>(f->thread.rank) + static_cast<std::uint64_t>(f->block_now) * 1000003;
    const auto* word = static_cast<const std::uint64_t*>(f->stack.sp);
    for (const auto* end = reinterpret_cast<const std::uint64_t*>(f->stack_high); word + 1 <= end; ++word)
      mix(mark, *word);
    seen_states& s = seen_[f];
    if (std::find(s.marks.begin(), s.marks.end(), mark) != s.marks.end()) continue;
    s.marks[s.next++ % s.marks.size()] = mark;
    all = false;
  }
  return all;
}

bool hang_watch::is_hung() {
  // Each resident stack has run this often without a barrier passed, a thread ended or a block started.
  const bool checked = progress_counter != nullptr;
  const std::int64_t rounds = checked ? 2000 : 20'000, least = checked ? 20'000 : 200'000;
  if (idle_yields < std::max(rounds * worker_.fibers.active(), least)) return false;
  if (!all_have_been_here()) {
    made_progress();
    return false;
  }
  launch_state& l = *worker_.launch;
  if (!stuck) {
    stuck = true;
    l.stuck_workers.fetch_add(1);
  }
  return l.stuck_workers.load() + l.grid_sync.idle.load() >= l.running_workers.load();
}

// Threads that go round come first: the others may wait for what these never do.
void note_waiters(const worker& w, fault_record& fault) {
  for (const bool spinning : {true, false})
    for (const fiber* f : w.pool.all()) {
      const device_thread& t = f->thread;
      if (t.block == nullptr || !t.block->active || t.waits == wait_kind::none || (!t.has_stack && !f->parked))
        continue;
      if ((t.waits == wait_kind::spin) != spinning) continue;
      ++fault.waiting;
      if (fault.waiters.size() >= fault_record::kMaxWaiters) continue;
      fault.waiters.push_back({t.block->index, t.has_stack ? t.rank : f->alone, t.waits, t.wait_pc});
    }
}

void end_as_deadlock(worker& w) {
  launch_state& l = *w.launch;
  std::lock_guard lock(l.fault_mutex);
  if (l.fault.kind == fault_kind::none) {
    l.fault.kind = fault_kind::deadlock;
    note_waiters(w, l.fault);
    blame_warp_masks(w, l.fault);
  }
  l.aborted = true;
}

void end_as_hang(worker& w) {
  launch_state& l = *w.launch;
  std::lock_guard lock(l.fault_mutex);
  if (l.fault.kind == fault_kind::none) {
    l.fault.kind = fault_kind::hang;
    note_waiters(w, l.fault);
  }
  l.aborted = true;
}

}  // namespace simt::sim
