// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/scheduler/stepwise.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <sim/exec/launch.hpp>
#include <sim/exec/warp.hpp>
#include <sim/memory/device_memory.hpp>

namespace simt::sim {

namespace {

constexpr std::int64_t kMostThreads = 262'144;  // of a launch
constexpr int kSpins = 3;                       // visits that make a loop of it
constexpr int kRoundsOfAll = 40;                // steps of one thread where all spin, before it gives way to the next
constexpr int kMostSent = 64;                   // between two steps of anybody: such threads may wake each other
constexpr int kSureLoop = 64;                   // rounds behind which only what it looks at wakes a thread that spins
constexpr int kLongLoop = 1000;                 // rounds that make a loop of one with stores
constexpr int kBytesOfPlace = 4;
constexpr std::uint64_t kNotShared = ~std::uint64_t{0};
constexpr std::uint64_t kFences = std::uint64_t{1} << 62;  // of sequential consistency: in one order
constexpr std::uint64_t kSharedMemory = std::uint64_t{1} << 63;

}  // namespace

stepwise::stepwise(const step_request& request)
    : keeps_trail_(request.keeps_trail), tells_others_(request.tells_others), unit_(request.unit) {
  if (request.places != nullptr) known_places_.insert(request.places->begin(), request.places->end());
}

step_record stepwise::take_steps() {
  if (weak() != nullptr) {
    note_values();
    record_.unkept = weak()->take_unkept();
  }
  record_.new_places.assign(new_places_.begin(), new_places_.end());
  std::ranges::sort(record_.new_places);
  return std::exchange(record_, {});
}

void stepwise::begin(const launch_state& l) {
  threads_.clear();
  if (l.threads > 0 && l.blocks > kMostThreads / l.threads) {
    depart("schedules that decide at every step are for small launches: kernel " + std::string(l.name) + " has " +
           std::to_string(l.blocks) + " blocks of " + std::to_string(l.threads) + " threads, and " +
           std::to_string(kMostThreads) + " threads are the most; choose a smaller size, or --schedule random");
    return;
  }
  was_cut_ = record_.cut;
  threads_of_block_ = l.threads;
  threads_.resize(static_cast<std::size_t>(l.blocks * l.threads));
  record_.threads = std::max(record_.threads, l.blocks * l.threads);
  touched_.clear();
  changes_at_.clear();
  allocations_.clear();
  for (const allocation& a : live_allocations()) allocations_.emplace_back(a.address, a.bytes);
  std::ranges::sort(allocations_);
  last_ = start_refused_at_ = -1;
  written_ = {};
  const std::int64_t units = l.blocks * l.threads == 0 ? 0 : unit_of(l.blocks * l.threads - 1) + 1;
  record_.units = std::max(record_.units, units);
  launch_starts(units);
}

std::int64_t stepwise::unit_of(std::int64_t thread) const {
  if (unit_ == schedule_unit::thread) return thread;
  const std::int64_t block = thread / threads_of_block_;
  if (unit_ == schedule_unit::block) return block;
  return block * ((threads_of_block_ + kLanes - 1) / kLanes) + thread % threads_of_block_ / kLanes;
}

void stepwise::keep_one_of_each_unit() {
  std::size_t kept = 0;
  for (const candidate& c : candidates_) {
    if (kept == 0 || unit_of(candidates_[kept - 1].thread) != unit_of(c.thread))
      candidates_[kept++] = c;
    else if (c.thread == last_)
      candidates_[kept - 1] = c;
  }
  candidates_.resize(kept);
}

void stepwise::find_place(thread_state& s, const block_context& b) const {
  const std::uintptr_t address = s.access.address;
  std::uintptr_t offset = 0;
  s.place = kNotShared;
  s.places = 0;
  if (s.access.what == pending_access::kind::fence) {
    s.place = kFences;
    s.places = 1;
    return;
  }
  if (s.access.what == pending_access::kind::none || s.access.bytes == 0) return;
  if (device_range().contains(address)) {
    s.place = kAnyPlace;
    const auto behind =
        std::ranges::upper_bound(allocations_, address, {}, &std::pair<std::uintptr_t, std::size_t>::first);
    if (behind == allocations_.begin()) return;
    const auto& [first, bytes] = *(behind - 1);
    offset = address - first;
    if (offset + s.access.bytes > bytes) return;
    s.place = static_cast<std::uint64_t>(behind - allocations_.begin()) << 40 | offset / kBytesOfPlace;
  } else if (shared_range().contains(address)) {
    offset = address - reinterpret_cast<std::uintptr_t>(b.shared);
    s.place = kAnyPlace;  // of another block of the cluster
    if (offset >= kSharedSlotBytes) return;
    s.place = kSharedMemory | static_cast<std::uint64_t>(b.index) << 32 | offset / kBytesOfPlace;
  } else {
    return;
  }
  s.places = static_cast<std::uint32_t>((offset % kBytesOfPlace + s.access.bytes - 1) / kBytesOfPlace + 1);
}

// The thread has come to a place where it is asked.
void stepwise::arrive(thread_state& s, const block_context& b, const schedule_place& where) {
  s.waits_here = true;
  s.access = where.access;
  s.pc = where.pc;
  find_place(s, b);
  // While no place is known, not even a fence is a step: the first run is in the order of thread numbers.
  s.is_step = s.place == kAnyPlace || (s.access.ordered == pending_access::order::seq_cst && !known_places_.empty());
  if (s.access.what == pending_access::kind::fence && !s.is_step) s.places = 0;
  for (std::uint32_t i = 0; i < s.places && !s.is_step; ++i) s.is_step = known_places_.contains(s.place + i);
  if (!s.is_step) return;
  s.sent_in_vain = 0;
  auto* seen = std::ranges::find(s.seen, s.pc, &where_spinning::pc);
  const bool is_new = seen == std::end(s.seen);
  if (is_new) seen = &s.seen[s.next_seen++ % std::size(s.seen)];
  if (is_new) *seen = {};
  seen->pc = s.pc, seen->place = s.place, seen->places = s.places;
  seen->arrival = ++s.arrivals;
  s.changes = changes_of(s);
  s.all_changes = changes_;
  const bool looks_in_vain = !is_new && seen->changes == s.changes;
  const int few = seen->rounds < kLongLoop ? 0 : kLongLoop - kSpins;  // it is known for a long loop
  seen->rounds = looks_in_vain ? std::min(seen->rounds + 1, kLongLoop) : few;
  const bool in_vain = looks_in_vain && (seen->all_changes == changes_ || seen->rounds >= kSureLoop);
  seen->visits = in_vain && seen->stores == s.stores ? seen->visits + 1 : 0;
  seen->changes = s.changes;
  seen->all_changes = changes_;
  seen->stores = s.stores;
  s.visits = seen->visits;
  s.rounds = seen->rounds;
}

// A hang is proved by what the threads' stacks say (hangs.hpp): all that were taken for spinning did, and of their
// turns no more need be kept.
void stepwise::end(const launch_state& l) {
  const bool hangs = l.fault.kind == fault_kind::hang;
  if (std::exchange(guesses_spin_, false) && !hangs) record_.disturbed = true;
  if (hangs) record_.cut = was_cut_;
}

// How often one of the places has changed at which the thread has been lately.
std::uint64_t stepwise::changes_of(const thread_state& s) const {
  std::uint64_t sum = changes_anywhere_;
  for (const where_spinning& w : s.seen) {
    if (s.arrivals - w.arrival > kSureLoop / 2) continue;  // before the loop
    for (std::uint32_t i = 0; i < w.places; ++i)
      if (const auto at = changes_at_.find(w.place + i); at != changes_at_.end()) sum += at->second;
  }
  return sum;
}

// Two threads that touch a place with nothing between them, one of them writing, make steps of its accesses.
void stepwise::touch(const thread_state& s, const block_context& b, std::int32_t rank, std::uint32_t grid_phase) {
  const bool writes = s.access.what != pending_access::kind::read;
  if (s.access.what == pending_access::kind::fence) return;
  for (std::uint32_t i = 0; i < s.places; ++i) {
    if (known_places_.contains(s.place + i)) continue;
    place_state& p = touched_[s.place + i];
    if (p.grid_phase != grid_phase) p = {.grid_phase = grid_phase};
    bool conflict = false;
    if (p.block != b.index) {
      conflict = p.block >= 0 && p.written;
      p.read_by_others = p.read_by_others || p.read;
      p = {b.index, b.barrier.phase, grid_phase, kNone, kNone, false, false, p.read_by_others};
    } else if (p.phase != b.barrier.phase) {
      p.phase = b.barrier.phase;
      p.reader = p.writer = kNone;
    }
    const auto by_another = [&](std::int32_t who) { return who == kSeveral || (who != kNone && who != rank); };
    conflict = conflict || by_another(p.writer) || (writes && (by_another(p.reader) || p.read_by_others));
    std::int32_t& who = writes ? p.writer : p.reader;
    who = who == kNone || who == rank ? rank : kSeveral;
    (writes ? p.written : p.read) = true;
    if (conflict) new_places_.insert(s.place + i);
  }
}

bool stepwise::spins(thread_state& s) const {
  if (s.visits < kSpins && s.rounds < kLongLoop) return false;
  if (s.all_changes == changes_) return true;
  if (s.rounds < kSureLoop || s.changes != changes_of(s)) return false;
  s.all_changes = changes_;
  return true;
}

// A thread that can go on and is at no step is sent there, for its next step may be any. One that has given way again
// and again is in a loop without a step, which only another one's store can end.
bool stepwise::is_sent_on(thread_state& s, const fiber& f) const {
  if (f.thread.waits != wait_kind::spin) return true;
  if (const std::uint64_t now = all_stores_ - s.stores + changes_; s.others_stores != now)
    s.others_stores = now, s.sent_in_vain = 0;
  if (s.sent_behind != record_.steps) s.sent_behind = record_.steps, s.sent = 0;
  return ++s.sent_in_vain <= kSpins && ++s.sent <= kMostSent;
}

// Has the last step changed its place?
void stepwise::note_change() {
  if (written_.bytes == 0) return;
  if (std::memcmp(reinterpret_cast<const void*>(written_.address), written_.before, written_.bytes) != 0) {
    ++changes_;
    for (std::uint32_t i = 0; i < written_.places; ++i) ++changes_at_[written_.place + i];
  }
  written_.bytes = 0;
}

std::vector<std::uint32_t> stepwise::offers(const candidate& c) const {
  const thread_state& s = threads_[static_cast<std::size_t>(c.thread)];
  if (weak() == nullptr || s.place == kAnyPlace) return {};
  return weak()->offers(*s.self, s.pc, s.access);
}

step_choice stepwise::step_of(const candidate& c, std::uint32_t older) const {
  const thread_state& s = threads_[static_cast<std::size_t>(c.thread)];
  step_choice out;
  out.thread = c.thread;
  out.place = s.place;
  out.places = std::max(s.places, 1U);
  out.kind = s.access.what == pending_access::kind::read    ? step_kind::read
             : s.access.what == pending_access::kind::write ? step_kind::write
             : s.access.what == pending_access::kind::fence ? step_kind::fence
                                                            : step_kind::update;
  out.pc = s.pc;
  out.older = older;
  if (weak() != nullptr && s.place != kAnyPlace) out.source = weak()->source(s.access, older);
  return out;
}

bool stepwise::reads_simply(const candidate& c) const {
  const thread_state& s = threads_[static_cast<std::size_t>(c.thread)];
  return weak() != nullptr && s.place != kAnyPlace && s.access.what == pending_access::kind::read &&
         weak_memory::is_simple(s.access);
}

// What the steps before this one have read and stored.
void stepwise::note_values() {
  for (const auto& [step, value] : weak()->take_values())
    if (step < record_.trail.size()) record_.trail[step].value = value;
}

explored_step* stepwise::trace(std::span<const candidate> all, std::size_t last, std::size_t chosen,
                               std::uint32_t older, const store_to_come& later) {
  if (record_.steps >= kMostSteps) {
    record_.cut = true;
    return nullptr;
  }
  if (!keeps_trail_ && !tells_others_) return nullptr;
  explored_step s{step_of(all[chosen], older), last == kNobody ? -1 : all[last].thread};
  s.usual = last == kNobody ? all[0].thread : all[last].thread;
  const pending_access& access = threads_[static_cast<std::size_t>(all[chosen].thread)].access;
  s.scope = access.ordered == pending_access::order::weak ? 0 : static_cast<int>(access.reach) + 1;
  if (later) s.later = later, s.did.source = source_of(later, s.did.source);
  if (weak() != nullptr) weak()->begins_step(record_.trail.size());
  record_.trail.push_back(std::move(s));
  return &record_.trail.back();
}

pick stepwise::go(const ready_threads& ready, const schedule_place& where, const candidate& chosen,
                  std::int64_t running) {
  thread_state& s = threads_[static_cast<std::size_t>(chosen.thread)];
  if (s.place == kAnyPlace) {
    ++changes_, ++changes_anywhere_;
  } else if (s.access.what != pending_access::kind::read && s.access.what != pending_access::kind::fence) {
    written_.address = s.access.address;
    written_.bytes = std::min(s.access.bytes, sizeof written_.before);
    written_.place = s.place;
    written_.places = s.places;
    std::memcpy(written_.before, reinterpret_cast<const void*>(s.access.address), written_.bytes);
  }
  const fiber* f = chosen.thread == running ? &ready.running : ready.queue.head;
  if (chosen.thread != running)
    for (std::int64_t i = 0; i < chosen.at && f != nullptr; ++i) f = f->next;
  const fiber& stack = f == nullptr ? ready.running : *f;
  touch(s, *stack.thread.block, stack.thread.rank, where.launch.grid_sync.phase.load(std::memory_order_relaxed));
  s.waits_here = false;
  last_ = chosen.thread;
  ++record_.steps;
  if (chosen.thread != running) return {pick::kind::goes_on, chosen.at};
  waiting_ = {ready.queue.head, ready.queue.tail, running};
  return {};
}

bool stepwise::all_others_wait(const ready_threads& ready, std::int64_t running) const {
  return waiting_.running == running && waiting_.head == ready.queue.head && waiting_.tail == ready.queue.tail;
}

pick stepwise::choose(const ready_threads& ready, const schedule_place& where) {
  if (where.out_of_time) {
    record_.disturbed = true;
    return {pick::kind::yields};
  }
  if (weak() != nullptr) {
    weak()->settle();
    note_values();
    if (weak()->has_placed_earlier()) ++changes_, ++changes_anywhere_;
  }
  note_change();
  const launch_state& l = where.launch;
  const fiber& self = ready.running;
  const std::int64_t running = number_of(name_of(self, self));
  thread_state& mine = threads_[static_cast<std::size_t>(running)];
  const bool others_wait = all_others_wait(ready, running);
  if (!others_wait) waiting_.running = -1;
  if (!mine.waits_here) arrive(mine, *self.thread.block, where);
  mine.self = &self.thread;
  if (!mine.is_step) {
    const pending_access::kind what = mine.access.what;
    if (what != pending_access::kind::read && what != pending_access::kind::fence) ++mine.stores, ++all_stores_;
    touch(mine, *self.thread.block, self.thread.rank, l.grid_sync.phase.load(std::memory_order_relaxed));
    mine.waits_here = false;
    return {};
  }
  waiting_.running = -1;
  if (ready.rest_is_first) return {pick::kind::goes_on};
  const std::int64_t next_block = l.next_block.load(std::memory_order_relaxed);
  if (next_block < l.blocks && start_refused_at_ != next_block) {
    start_refused_at_ = next_block;
    return {pick::kind::goes_on, 0, true};
  }
  if (others_wait && !spins(mine) && goes_on_unasked()) {
    if (record_.steps >= kMostSteps) record_.cut = true;
    return go(ready, where, {running, 0}, running);
  }
  candidates_.clear();
  std::int64_t at = 0;
  bool all_spin = true;
  left_out_ = false;
  const auto add = [&](std::int64_t thread) {
    thread_state& s = threads_[static_cast<std::size_t>(thread)];
    const bool in_vain = spins(s);
    if (in_vain && s.visits < kSpins) guesses_spin_ = true;
    left_out_ = left_out_ || in_vain;
    if (!in_vain && all_spin) candidates_.clear(), all_spin = false;
    if (in_vain == all_spin) candidates_.push_back({thread, at});
  };
  for (const fiber* f = ready.queue.head; f != nullptr; f = f->next, ++at) {
    const std::int64_t thread = number_of(name_of(*f, self));
    thread_state& s = threads_[static_cast<std::size_t>(thread)];
    if (s.waits_here)
      add(thread);
    else if (is_sent_on(s, *f))
      return {pick::kind::goes_on, at};
    else
      left_out_ = true;
  }
  add(running);
  if (all_spin) {  // in the order of the queue, to whose end each comes when it gives way
    if (++mine.steps_of_all > kRoundsOfAll) {
      mine.steps_of_all = 0;
      return {pick::kind::yields};
    }
    const candidate only{running, at};
    decide({&only, 1}, last_ >= 0 && unit_of(running) == unit_of(last_) ? 0 : kNobody);
    return go(ready, where, only, running);
  }
  std::ranges::sort(candidates_, {}, &candidate::thread);
  keep_one_of_each_unit();
  std::size_t last = kNobody;
  for (std::size_t i = 0; i < candidates_.size() && last_ >= 0; ++i)
    if (unit_of(candidates_[i].thread) == unit_of(last_)) last = i;
  const candidate chosen = candidates_[decide(candidates_, last)];
  return go(ready, where, chosen, running);
}

}  // namespace simt::sim
