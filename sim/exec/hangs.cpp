// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/hangs.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <sim/exec/crowd.hpp>
#include <sim/exec/grid_barrier.hpp>
#include <sim/exec/host_threads.hpp>
#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/address_space.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // of moments: nanoseconds
// Until another worker has begun, or where there is more memory than can be looked at.
constexpr std::int64_t kWhileOthersBegin = 3 * kSecond / 10, kWhileUnseen = 2 * kSecond;
constexpr std::int64_t kUntilSaid = 3 * kSecond;  // that a kernel waits for the host
constexpr std::int64_t kMemoryRests = 8;          // times as long as a look at memory took
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

// What each worker of the launch said at its last look.
struct last_look {
  std::int64_t since = 0;  // the moment; 0: it has not looked yet
  std::int64_t proof = 0;  // the earlier moment of two in which its threads were in one state; 0: there is none
};
// All of them were in such a state, and this was memory then; what is proved of a later moment counts.
struct agreed_moment {
  std::int64_t when = 0;
  std::uint64_t memory = 0;
};
struct said_by_workers {
  std::mutex mutex;
  std::array<last_look, kSharedWorkers> of{};
  agreed_moment agreed;
  std::int64_t memory_again = 0;  // the moment from which memory may be looked at
  bool told_of_host = false;
  bool host_is_done = false;  // as the last look saw it: no thread of the host may act
};
said_by_workers& said() {
  static auto* const s = new said_by_workers;
  return *s;
}

std::int64_t steady_moment() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void mix(std::uint64_t& mark, std::uint64_t v) { mark = (mark ^ v) * 0x9E3779B97F4A7C15ULL, mark ^= mark >> 29; }

void mix_words(std::uint64_t& mark, const void* from, const void* end) {
  const auto* word = static_cast<const std::uint64_t*>(from);
  for (; word + 1 <= static_cast<const std::uint64_t*>(end); ++word) mix(mark, *word);
}

// Where nobody counts stores, what they leave is looked at.
struct looked_at {
  std::uint64_t mark = 0;
  bool whole = true;  // not too much of it
};
looked_at device_memory_now() {
  looked_at out;
  const std::vector<allocation> all = live_allocations();
  std::size_t bytes = 0;
  for (const allocation& a : all) bytes += a.bytes;
  out.whole = bytes <= kMostBytes;
  if (!out.whole) return out;
  for (const allocation& a : all) {  // kAlignment and red zones: whole words
    const auto* const first = reinterpret_cast<const std::byte*>(a.address);
    mix_words(out.mark, first, first + (a.bytes + 7) / 8 * 8);
  }
  return out;
}

}  // namespace

void hang_watch::begin() {
  note_worker_thread(worker_.index, true);
  begin_anew();
  spinning = 0;
  updates = 0;
  forget();
}

void hang_watch::end() {
  forget();
  note_worker_thread(worker_.index, false);
}

void hang_watch::forget() {
  if (watching) {
    const std::lock_guard lock(said().mutex);
    said().of[static_cast<std::size_t>(worker_.index)] = {};
    said().agreed = {}, said().host_is_done = false;
    seen_.clear();
  }
  watching = false;
  next_look_ = 0;
}

bool hang_watch::all_have_run() {
  for (const fiber* f = worker_.queue.ready.head; f != nullptr; f = f->next)
    if (!seen_[f].has_run) return false;
  return true;
}

// What else its threads may see: barriers, and memory as far as that is counted, or kept by the worker.
std::uint64_t hang_watch::mark_of_world() const {
  std::uint64_t world = updates + (progress_counter != nullptr ? *progress_counter : 0);
  for (const block_context* b : worker_.residents.active()) {
    mix(world, b->barrier.phase + b->warp_meetings + static_cast<std::uint64_t>(b->index) * 1000003);
    if (progress_counter == nullptr && worker_.launch->shared_used > 0)
      mix_words(world, b->shared, b->shared + worker_.launch->shared_used / 8 * 8);
  }
  return world;
}

// Compares the states of all threads that can run with those that they were in before.
void hang_watch::look(std::int64_t now) {
  const std::uint64_t world = mark_of_world();
  const bool changed = !watching || world != world_;
  if (changed) seen_.clear();
  if (!watching) begun_ = now;
  watching = true;
  world_ = world;
  std::int64_t proof = now;
  for (const fiber* f = worker_.queue.ready.head; f != nullptr; f = f->next) {
    std::uint64_t mark =
        static_cast<std::uint64_t>(f->thread.rank) + static_cast<std::uint64_t>(f->block_now) * 1000003;
    mix_words(mark, f->stack.sp, f->stack_high);
    seen_states& s = seen_[f];
    s.has_run = false;
    auto at = static_cast<std::size_t>(std::find(s.marks.begin(), s.marks.end(), mark) - s.marks.begin());
    const bool known = at < s.marks.size();
    if (!known) at = s.next++ % s.marks.size();
    if (known) s.proof = std::max(s.proof, s.when[at]);
    proof = std::min(proof, s.proof);
    s.marks[at] = mark;
    s.when[at] = now;
  }
  const std::lock_guard lock(said().mutex);
  last_look& mine = said().of[static_cast<std::size_t>(worker_.index)];
  if (changed) mine.since = now;
  mine.proof = proof;
}

// Has each worker come back to a state since the last of them, or memory, has changed? The first time that this seems
// so it is agreed upon the moment.
bool hang_watch::is_proved(std::int64_t now) const {
  const launch_state& l = *worker_.launch;
  const bool checked = progress_counter != nullptr;
  said_by_workers& s = said();
  const std::lock_guard lock(s.mutex);
  std::int64_t last = s.agreed.when;
  for (const last_look& w : s.of) last = std::max(last, w.since);
  const auto back = std::ranges::count_if(s.of, [&](const last_look& w) { return w.since != 0 && w.proof >= last; });
  if (back + l.grid_sync.idle.load() < l.running_workers.load()) return false;
  looked_at memory;
  if (!checked) {
    if (now < s.memory_again) return false;
    memory = device_memory_now();
    s.memory_again = now + kMemoryRests * (steady_moment() - now);
  }
  if (s.agreed.when == 0 || last > s.agreed.when || s.agreed.memory != memory.mark) {
    s.agreed = {now, memory.mark};
    return false;
  }
  const bool others_may_begin = l.next_block.load() < l.blocks && !l.traits.scheduled && worker_count() > 1;
  if (others_may_begin && now - begun_ < kWhileOthersBegin) return false;
  if (!memory.whole && now - begun_ < kWhileUnseen) return false;
  if (!host_is_heard()) return true;
  const std::string acts = host_thread_that_may_act();
  // The last that a thread of the host did may be what is waited for: from then on all has to be seen again.
  const bool was_done = std::exchange(s.host_is_done, acts.empty());
  if (acts.empty()) {
    if (!was_done) s.agreed = {now, memory.mark};
    return was_done;
  }
  if (now - begun_ > kUntilSaid && !std::exchange(s.told_of_host, true))
    std::fprintf(stderr,
                 "simt: kernel %s waits for something that only the host can still bring about (%s of the program); "
                 "--timeout SECONDS ends it\n",
                 l.name, acts.c_str());
  return false;
}

bool goes_round(const worker& w) {
  const std::lock_guard lock(said().mutex);
  const last_look& mine = said().of[static_cast<std::size_t>(w.index)];
  return mine.since != 0 && mine.proof >= mine.since;
}

bool hang_watch::is_hung() {
  // Each stack that goes round has done so this often without a barrier passed, a thread ended or a block started. What
  // waits at a barrier meanwhile takes no turns.
  const bool checked = progress_counter != nullptr;
  const std::int64_t least = std::max<std::int64_t>(checked ? 2 * spinning : 4 * spinning, checked ? 50 : 2'000);
  if (idle_yields < std::max(least, next_look_) || (watching && !all_have_run())) return false;
  const std::int64_t now = steady_moment();
  look(now);
  // Several looks may be needed to know all states of a loop, so they become rarer. But the other workers wait for this
  // one's looks, and a look costs less than a few rounds.
  next_look_ = idle_yields + std::min(idle_yields / 8, 4 * least);
  return is_proved(now);
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

// Threads that go round come first: the others may wait for what these never do. Then one of each place. By number, not
// by stack: a replay may have others.
void note_waiters(const worker& w, fault_record& fault) {
  using place = std::tuple<wait_kind, std::uintptr_t, std::int32_t>;
  std::set<place> seen;
  std::vector<fault_record::waiter> first, more;
  std::vector<const fiber*> all;
  std::ranges::copy_if(w.pool.all(), std::back_inserter(all), [](const fiber* f) { return waits(*f); });
  std::ranges::sort(all, {}, [](const fiber* f) { return std::pair(f->thread.block->index, f->thread.rank); });
  for (const bool spinning : {true, false})
    for (const fiber* f : all) {
      if ((f->thread.waits == wait_kind::spin) != spinning) continue;
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
    l.fault.blocks_left = w.blocks_left();
    note_waiters(w, l.fault);
  }
  l.aborted = true;
}

}  // namespace simt::sim
