// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/hangs.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include <sim/exec/grid_barrier.hpp>
#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/host_access.hpp>

namespace simt::sim {

void hang_watch::begin() {
  begin_anew();
  spinning = 0;
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

namespace {
std::atomic<pid_t> launching_thread{0};

// The main thread goes on beside a launch of another one, and may tell it something through memory of both.
bool other_host_threads_are_heard() { return launching_thread.load() != getpid() && host_is_heard(); }
}  // namespace

void note_launching_thread() {
  thread_local const pid_t here = gettid();
  launching_thread = here;
}

bool hang_watch::is_hung() {
  // Each stack that goes round has done so this often without a barrier passed, a thread ended or a block started. What
  // waits at a barrier meanwhile takes no turns. Where stores are counted, a look alone shows that nothing has changed.
  const bool checked = progress_counter != nullptr;
  const std::int64_t rounds = checked ? 100 : 20'000, least = checked ? 35'000 : 350'000;
  const std::int64_t enough = std::max(rounds * spinning, least);
  if (idle_yields < enough) return false;
  // They take turns in order, so that each of them has run since the last look.
  std::int64_t going_round = 0;
  for (const fiber* f = worker_.queue.ready.head; f != nullptr; f = f->next) ++going_round;
  if (turns < 2 * going_round) return false;
  if (other_host_threads_are_heard() || !all_have_been_here()) {
    made_progress();
    idle_yields = enough - enough / 8;  // several looks may be needed to know all states of a loop
    return false;
  }
  launch_state& l = *worker_.launch;
  if (!stuck) {
    stuck = true;
    l.stuck_workers.fetch_add(1);
  }
  return l.stuck_workers.load() + l.grid_sync.idle.load() >= l.running_workers.load();
}

namespace {

bool waits(const fiber& f) {
  const device_thread& t = f.thread;
  return t.block != nullptr && t.block->active && t.waits != wait_kind::none && (t.has_stack || f.parked);
}

fault_record::waiter waiter_of(const fiber& f) {
  const device_thread& t = f.thread;
  fault_record::waiter out{t.block->index, t.has_stack ? t.rank : f.alone, t.waits, t.wait_pc};
  if (t.waits != wait_kind::named_barrier || t.block->named == nullptr) return out;
  for (std::int32_t i = 0; i < kNamedBarriers; ++i) {
    const named_barrier_state& n = t.block->named->all[static_cast<std::size_t>(i)];
    for (const fiber* x = n.waiters.head; x != nullptr; x = x->next)
      if (x == &f)
        out.barrier = i, out.arrived = n.arrived, out.expected = n.expected == 0 ? t.block->live : n.expected;
  }
  return out;
}

// The first thread of b that has left the kernel; -1: none has.
std::int32_t first_exited(const block_context& b) {
  for (std::int32_t warp = 0; warp * kLanes < b.threads; ++warp)
    if (const std::uint32_t left = b.exited[warp] & existing_lanes(b, warp); left != 0)
      return warp * kLanes + std::countr_zero(left);
  return -1;
}

// Where threads of a block wait at a named barrier, those that have left it are where the others are: of the first such
// block.
void add_exited(const worker& w, std::vector<fault_record::waiter>& to) {
  for (const fiber* f : w.pool.all()) {
    if (!waits(*f) || f->thread.waits != wait_kind::named_barrier) continue;
    const block_context& b = *f->thread.block;
    const std::int32_t rank = first_exited(b);
    if (rank < 0) return;
    const thread_exits& exits = b.late_exits.count > 0 ? b.late_exits : b.early_exits;
    to.push_back({b.index, exits.count > 0 ? exits.rank : rank, wait_kind::none, exits.pc});
    return;
  }
}

// A block of which some threads wait at one barrier and some at another.
void note_parted(const worker& w, fault_record& fault) {
  std::map<const block_context*, const fiber*> first;
  for (const fiber* f : w.pool.all()) {
    const wait_kind k = f->thread.waits;
    const bool at_barrier =
        k == wait_kind::block_barrier || k == wait_kind::cluster_barrier || k == wait_kind::grid_barrier;
    if (!at_barrier || !waits(*f)) continue;
    const fiber* const other = first.emplace(f->thread.block, f).first->second;
    if (other->thread.waits == k) continue;
    fault.parted = {waiter_of(*other), waiter_of(*f)};
    return;
  }
}

}  // namespace

// Threads that go round come first: the others may wait for what these never do. Then one of each place.
void note_waiters(const worker& w, fault_record& fault) {
  using place = std::tuple<wait_kind, std::uintptr_t, std::int32_t>;
  std::set<place> seen;
  std::vector<fault_record::waiter> first, more;
  for (const bool spinning : {true, false})
    for (const fiber* f : w.pool.all()) {
      if (!waits(*f) || (f->thread.waits == wait_kind::spin) != spinning) continue;
      ++fault.waiting;
      const fault_record::waiter x = waiter_of(*f);
      const bool fresh = seen.insert({x.kind, x.pc, x.barrier}).second;
      if (fresh || more.size() < fault_record::kMaxWaiters) (fresh ? first : more).push_back(x);
    }
  add_exited(w, first);
  for (const auto* list : {&first, &more})
    for (const fault_record::waiter& x : *list)
      if (fault.waiters.size() < fault_record::kMaxWaiters) fault.waiters.push_back(x);
}

void end_as_deadlock(worker& w) {
  launch_state& l = *w.launch;
  std::lock_guard lock(l.fault_mutex);
  if (l.fault.kind == fault_kind::none) {
    l.fault.kind = fault_kind::deadlock;
    note_waiters(w, l.fault);
    note_parted(w, l.fault);
    if (l.fault.parted.empty()) blame_blocks_left(w, l.fault);
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
