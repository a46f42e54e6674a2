// SPDX-License-Identifier: Apache-2.0
#include <execinfo.h>
#include <fmt/format.h>

#include <algorithm>
#include <backends/sim/access_cursor.hpp>
#include <backends/sim/check_session.hpp>
#include <backends/sim/stream_facts.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {

constexpr int kHostFrames = 24;

check::options detector_options(const check_settings& s) {
  check::options o;
  o.races = s.races;
  o.memory = s.memory;
  o.uninit = s.uninit;
  o.volatile_is_plain = s.volatile_is_plain;
  o.workers = s.workers;
  o.call_stack = [] {
    if (const auto* const judged = cursor.rows != nullptr ? cursor.rows->judged_calls() : nullptr)
      return std::span<const std::uintptr_t>{*judged};
    const shadow_stack* const s = cursor.calls();
    return s == nullptr ? std::span<const std::uintptr_t>{} : s->active();
  };
  return o;
}
check::address_range to_check(address_range r) { return {r.base, r.bytes}; }

check::object_info describe(const allocation& a) { return {a.name, a.type, a.element_bytes, a.extents}; }

// The calls that are active on this host thread, innermost first.
std::vector<std::uintptr_t> host_stack() {
  void* frames[kHostFrames];
  const int n = ::backtrace(frames, kHostFrames);
  std::vector<std::uintptr_t> out;
  for (int i = 0; i < n; ++i) out.push_back(reinterpret_cast<std::uintptr_t>(frames[i]));
  return out;
}

// The detector's stream whose host callback runs on this thread; 0: none.
thread_local int callback_stream = 0;
thread_local bool callback_fenced = false;

// Replaces whole words: "stream 1" is no part of "stream 12".
void replace_words(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const std::size_t end = at + from.size();
    const bool whole = end == text.size() || text[end] < '0' || text[end] > '9';
    if (whole) text.replace(at, from.size(), to);
    at += whole ? to.size() : from.size();
  }
}

void add_steps() {
  worker* w = cursor.owner;
  if (w == nullptr || w->launch == nullptr) return;
  w->launch->steps.fetch_add(cursor.steps, std::memory_order_relaxed);
  cursor.steps = 0;
}

}  // namespace

check_session::check_session(const check_settings& settings)
    : settings_(settings), detector_(detector_options(settings), to_check(device_range()), to_check(shared_range())) {
  default_stream_ = detector_.new_stream("0 (default)");
  for (const allocation& a : live_allocations()) detector_.allocated({a.address, a.bytes, describe(a), {}, true}, true);
}
check_session::~check_session() = default;

// ---- host ----

// What libraries write to memory of both sides is not seen: it counts as initialised.
void check_session::allocated(const allocation& a) {
  settle_rows();
  if (current_worker() == nullptr) settle_host();
  detector_.allocated({a.address, a.bytes, describe(a), a.stack.empty() ? host_stack() : a.stack}, a.home != memory_home::device);
}
void check_session::freed(const allocation& a) {
  settle_rows();
  if (current_worker() == nullptr) settle_host();
  detector_.freed(a.address);
}

void check_session::add_by_host(finding f, access_kind kind, std::uintptr_t pc, std::uintptr_t key) {
  const host_turn turn;
  access a;
  a.kind = kind;
  a.agent = "host";
  a.pc = pc;
  f.accesses.push_back(std::move(a));
  add(std::move(f), pc, key);
}

void check_session::bad_free(const void* address, const allocation* last, std::uintptr_t pc) {
  if (!settings_.memory) return;
  finding f;
  f.rule = rule::invalid_free;
  f.space = memory_space::global;
  f.object = last != nullptr ? last->name : "";
  f.message = last != nullptr ? fmt::format("'{}' is freed a second time", last->name)
                              : fmt::format("{} is freed, but no allocation starts there", address);
  f.why = last != nullptr ? "the memory may already belong to somebody else" : "only what allocate gave can be freed";
  f.fix = "free each buffer once, with the address it was given";
  add_by_host(std::move(f), access_kind::write, pc, reinterpret_cast<std::uintptr_t>(address));
}

void check_session::bad_copy(const void* address, std::size_t bytes, const allocation& owner, bool freed, bool write, std::uintptr_t pc) {
  if (!settings_.memory) return;
  const auto at = reinterpret_cast<std::uintptr_t>(address) - owner.address;
  finding f;
  f.space = memory_space::global;
  f.object = owner.name;
  const char* what = write ? "writes" : "reads";
  if (freed) {
    f.rule = rule::use_after_free;
    f.message = fmt::format("the host {} {} bytes of '{}' in a copy after it was freed", what, bytes, owner.name);
    f.why = "freed memory may already belong to somebody else; here nothing was copied and an error was returned";
    f.fix = "free the memory after its last copy";
  } else {
    f.rule = rule::out_of_bounds;
    f.message = fmt::format("the host {} {} bytes from byte {} of '{}' on in a copy, which has {} bytes", what, bytes, at, owner.name, owner.bytes);
    f.why = "the copy reaches past the end of the memory; here nothing was copied and an error was returned, on a GPU neighbours may be hit";
    f.fix = "copy as many bytes as the memory has";
  }
  add_by_host(std::move(f), write ? access_kind::write : access_kind::read, pc, reinterpret_cast<std::uintptr_t>(address));
}

int check_session::stream_of(int handle) {
  if (handle == 0) return default_stream_;
  const auto it = streams_.find(handle);
  if (it != streams_.end()) return it->second.detector_stream;
  stream_created(handle, backend::stream_is_blocking(static_cast<std::uintptr_t>(handle)));  // made before the session
  return streams_[handle].detector_stream;
}

void check_session::before_work(int handle) {
  settle_host();
  const int s = stream_of(handle);
  if (handle == 0) {
    for (const auto& [h, other] : streams_)
      if (other.blocking) detector_.wait(s, detector_.record(other.detector_stream));
  } else if (streams_[handle].blocking) {
    detector_.wait(s, detector_.record(default_stream_));
  }
}
void check_session::copied(void* to, const void* from, std::size_t bytes, int stream, bool to_device, bool from_device,
                           bool wait, std::uintptr_t pc) {
  const host_turn turn;
  before_work(stream);
  const int s = stream_of(stream);
  const std::uintptr_t stack[] = {pc};
  if (to_device && from_device)
    detector_.copy_on_device(s, reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), bytes,
                             stack);
  else if (to_device)
    detector_.copy_to_device(s, reinterpret_cast<std::uintptr_t>(to), bytes, stack, wait);
  else if (from_device)
    detector_.copy_to_host(s, reinterpret_cast<std::uintptr_t>(from), bytes, stack, wait);
  if (wait) detector_.wait(0, detector_.record(s));
}
void check_session::filled(void* p, std::size_t bytes, int stream, std::uintptr_t pc) {
  const host_turn turn;
  before_work(stream);
  const std::uintptr_t stack[] = {pc};
  detector_.fill(stream_of(stream), reinterpret_cast<std::uintptr_t>(p), bytes, stack);
}
void check_session::stream_created(int stream, bool blocking) {
  const host_turn turn;
  streams_[stream] = {detector_.new_stream(std::to_string(stream)), blocking};
}
// Destroying a stream does not wait for its work.
void check_session::stream_destroyed(int) {}
// Recording and waiting are work of the stream, to which the rules of the default stream apply.
void check_session::event_recorded(int event, int stream) {
  const host_turn turn;
  before_work(stream);
  events_[event] = detector_.record(stream_of(stream));
}
void check_session::stream_waits(int stream, int event) {
  const host_turn turn;
  before_work(stream);
  if (const auto it = events_.find(event); it != events_.end()) detector_.wait(stream_of(stream), it->second);
}
void check_session::host_waits_event(int event) {
  const host_turn turn;
  settle_host();
  if (const auto it = events_.find(event); it != events_.end()) detector_.wait(0, it->second);
}
void check_session::host_waits_stream(int stream) {
  const host_turn turn;
  settle_host();
  if (stream == 0) before_work(0);  // the default stream is done when the blocking streams before it are
  detector_.wait(0, detector_.record(stream_of(stream)));
}
void check_session::host_waits_device() {
  const host_turn turn;
  settle_host();
  detector_.wait(0, detector_.record(default_stream_));
  for (const auto& [h, s] : streams_) detector_.wait(0, detector_.record(s.detector_stream));
}

void check_session::host_touched(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc) {
  const auto note = [&] {  // the host's accesses to memory of both sides count like any other's
    if (touches_.add(address, bytes, write, pc, callback_stream) || launch_ != nullptr) return;
    const host_turn turn;  // a launch that runs may wait for this thread, so no waiting for that one
    settle_host();
  };
  if (host_may_access(address)) return note();
  if (!settings_.memory) return;
  const auto owner = find_allocation(address);
  if (owner && owner->home != memory_home::device) return note();  // freed, or its red zone
  finding f;
  f.rule = rule::host_memory;
  f.space = memory_space::global;
  f.bytes = static_cast<std::int64_t>(bytes);
  if (owner) {
    f.object = owner->name;
    f.type = owner->type;
    if (owner->element_bytes != 0)
      f.index = {static_cast<std::int64_t>((address - owner->address) / owner->element_bytes)};
  }
  f.message = fmt::format("the host {} device memory{}", write ? "writes" : "reads",
                          f.object.empty() ? "" : " '" + f.object + "'");
  f.why = "device memory is not in the host's address space: on a GPU this crashes";
  f.fix = "copy with to_host() or copy_to()/copy_from()";
  add_by_host(std::move(f), write ? access_kind::write : access_kind::read, pc, 0);
}

void check_session::host_atomic(std::uintptr_t address, std::uint32_t bytes, check::atomic_op op, bool swaps, check::order o,
                                std::uintptr_t pc) {
  if (!host_may_access(address)) return host_touched(address, bytes, op != check::atomic_op::load, pc);
  const host_turn turn{std::try_to_lock};  // a kernel that runs may wait for this thread
  if (!turn) {
    signalled_ = true;
    if (op != check::atomic_op::store) acquires_late({address, bytes, o, callback_stream});
    return;
  }
  if (swaps) touches_.drop_guess(address, bytes, callback_stream);
  settle_host();
  if (callback_stream != 0) acts_[pc] = {stream_act::callback, {}};
  detector_.host_atomic(callback_stream, address, bytes, op, o, pc);
}

void check_session::host_fence(check::order o) {
  const host_turn turn{std::try_to_lock};
  if (!turn) return acquires_late({0, 0, o, callback_stream});
  settle_host();
  detector_.host_fence(callback_stream, o);
  if (releases(o)) callback_fenced = true;
  if (acquires(o)) host_acquired();
}
void check_session::host_unwatched(check::atomic_op op, check::order o) {
  if (op != check::atomic_op::load && (callback_fenced || releases(o))) callback_releases(false);
  if (op != check::atomic_op::store && acquires(o)) host_acquired();
}

void check_session::acquires_late(const late_acquire& a) {
  constexpr std::size_t kMost = 1024;  // flags that the host polls during one launch
  std::lock_guard lock(mutex_);
  const auto same = std::find(late_.begin(), late_.end(), a);
  if (same != late_.end()) {
    if (a.bytes != 0) return;
    late_.erase(same);  // a fence goes behind the loads before it
  }
  if (late_.size() < kMost) late_.push_back(a);
}

void check_session::settle_host() {
  for (const host_touch& t : touches_.take()) {
    const std::uintptr_t stack[] = {t.pc};
    if (t.stream != 0) acts_[t.pc] = {stream_act::callback, {}};
    if (t.write)
      detector_.fill(t.stream, t.from, t.to - t.from, stack);
    else
      detector_.host_reads(t.stream, t.from, t.to - t.from, stack);
  }
}
void check_session::callback_begins(int stream) {
  const host_turn turn;
  before_work(stream);
  callback_stream = stream_of(stream);
  callback_fenced = false;
}
void check_session::callback_releases(bool lock) {
  if (callback_stream == 0) return;
  const host_turn turn;
  settle_host();
  const check::detector::position here = detector_.record(callback_stream);
  if (lock) return detector_.wait(0, here);
  if (released_.size() < here.size()) released_.resize(here.size());
  for (std::size_t i = 0; i < here.size(); ++i) released_[i] = std::max(released_[i], here[i]);
  has_released_ = true;
}
void check_session::host_acquired() {
  if (!has_released_ || callback_stream != 0) return;
  const host_turn turn{std::try_to_lock};
  if (!turn) {
    acquired_late_ = true;
    return;
  }
  has_released_ = false;
  settle_host();
  detector_.wait(0, released_);
}
// A read by the stream: whoever writes without being ordered after it races with it, and there is nothing to read
// before somebody wrote. So the memory stays uninitialised.
void check_session::allocated_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc) {
  const host_turn turn;
  before_work(stream);
  const std::uintptr_t stack[] = {pc};
  acts_[pc] = {stream_act::allocation, host_stack()};
  detector_.host_reads(stream_of(stream), reinterpret_cast<std::uintptr_t>(p), bytes, stack);
}
void check_session::freed_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc) {
  const host_turn turn;
  before_work(stream);
  const std::uintptr_t stack[] = {pc};
  acts_[pc] = {stream_act::release, host_stack()};
  detector_.fill(stream_of(stream), reinterpret_cast<std::uintptr_t>(p), bytes, stack);
}
void check_session::callback_ends() {
  const host_turn turn;
  settle_host();
  callback_stream = 0;
}

// ---- launches, blocks, threads ----

void check_session::launch_begins(launch_state& l) {
  before_work(l.stream);
  if (l.elements) element_functions_.insert(l.name);
  launch_ = &detector_.launch_begin(stream_of(l.stream), l.name, {l.grid.x, l.grid.y, l.grid.z},
                                    {l.block.x, l.block.y, l.block.z}, l.cluster.volume() > 1);
}

void check_session::launch_ends(launch_state&, const fault_record& fault) {
  // A device thread that faulted on this OS thread never left: from here on accesses are the host's again.
  leave_cursor();
  if (fault.kind != fault_kind::none) {
    // Blocks that were abandoned never end; the detector must not keep them.
    std::lock_guard lock(mutex_);
    for (auto& record : live_records_) {
      detector_.block_end(*record->state);
      record->state = nullptr;
    }
    while (!live_records_.empty()) {
      free_records_.push_back(std::move(live_records_.back()));
      live_records_.pop_back();
    }
  }
  detector_.launch_end(*launch_);
  launch_ = nullptr;
  if (signalled_.exchange(false) || acquired_late_) touches_.take();
  if (acquired_late_.exchange(false)) host_acquired();
  std::lock_guard lock(mutex_);
  for (const late_acquire& a : late_)
    if (a.bytes != 0)
      detector_.host_acquires(a.stream, a.address, a.bytes, a.order);
    else
      detector_.host_fence(a.stream, a.order);
  late_.clear();
}

index3 check_session::block_position(const block_context& b) const {
  const extent3& g = b.launch->grid;
  return {b.index % g.x, b.index / g.x % g.y, b.index / (g.x * g.y)};
}
index3 check_session::thread_position(const launch_state& l, std::int32_t rank) const {
  return {rank % l.block.x, rank / l.block.x % l.block.y, rank / (l.block.x * l.block.y)};
}

void check_session::block_begins(block_context& b) {
  settle_rows();
  block_record* record;
  {
    std::lock_guard lock(mutex_);
    if (free_records_.empty()) free_records_.push_back(std::make_unique<block_record>());
    live_records_.push_back(std::move(free_records_.back()));
    free_records_.pop_back();
    record = live_records_.back().get();
  }
  *record = {};
  const launch_state& l = *b.launch;
  const index3 at = block_position(b);
  const std::int64_t clusters_x = l.grid.x / l.cluster.x, clusters_y = l.grid.y / l.cluster.y;
  const std::int64_t cluster =
      l.cluster.volume() == 1
          ? b.index
          : at.x / l.cluster.x + clusters_x * (at.y / l.cluster.y + clusters_y * (at.z / l.cluster.z));
  const check::address_range shared{reinterpret_cast<std::uintptr_t>(b.shared), kSharedSlotBytes - 16 * 1024};
  if (b.cluster != nullptr && b.cluster_rank == 0) {
    std::vector<check::address_range> slots;
    for (std::int32_t i = 0; i < b.cluster->count; ++i)
      slots.push_back({reinterpret_cast<std::uintptr_t>(b.cluster->members[i]->shared), shared.size});
    detector_.cluster_begin(slots);
  }
  record->state = &detector_.block_begin(*launch_, b.index, at, cluster, shared);
  if (l.dynamic_shared > 0)
    check::shared_array(*record->state, shared.base, l.dynamic_shared, {"dynamic shared memory", "", 1, {}});
  b.observer_state = record;
  b.thread_states = &check::thread_of(*record->state, 0);
}

void check_session::block_ends(block_context& b) {
  auto* record = static_cast<block_record*>(b.observer_state);
  if (record == nullptr || record->state == nullptr) return;
  settle_rows();
  add_steps();
  detector_.block_end(*record->state);
  record->state = nullptr;
  b.observer_state = nullptr;
  std::lock_guard lock(mutex_);
  const auto it =
      std::find_if(live_records_.begin(), live_records_.end(), [&](const auto& r) { return r.get() == record; });
  free_records_.push_back(std::move(*it));
  *it = std::move(live_records_.back());
  live_records_.pop_back();
}

void check_session::shared_array_used(block_context& b, const shared_key& key, std::byte* at) {
  auto* record = static_cast<block_record*>(b.observer_state);
  std::uint64_t& word = record->arrays_seen[key.id / 64 % 4];
  const std::uint64_t bit = std::uint64_t{1} << (key.id % 64);
  if (word & bit) return;
  word |= bit;
  check::object_info info{key.name, key.type, key.element_bytes, {}};
  for (int i = 0; i < key.rank && i < 4; ++i) info.extents.push_back(key.extents[i]);
  check::shared_array(*record->state, reinterpret_cast<std::uintptr_t>(at), key.bytes, info);
}

void check_session::dynamic_shared_used(block_context& b, const shared_key& key) {
  auto* record = static_cast<block_record*>(b.observer_state);
  if (record->dynamic_named || b.launch->dynamic_shared == 0) return;
  record->dynamic_named = true;
  check::object_info info{key.name, key.type, key.element_bytes, {}};
  std::int64_t inner = key.element_bytes;
  for (int i = 1; i < key.rank && i < 4; ++i) inner *= key.extents[i];
  info.extents.push_back(inner > 0 ? b.launch->dynamic_shared / inner : 0);
  for (int i = 1; i < key.rank && i < 4; ++i) info.extents.push_back(key.extents[i]);
  check::name_shared_array(*record->state, reinterpret_cast<std::uintptr_t>(b.shared), info);
}

// ---- barriers ----

access check_session::side(const block_context& b, std::int32_t rank, std::uintptr_t pc, std::string state) const {
  access a;
  a.kind = access_kind::read;
  a.pc = pc;
  a.block = block_position(b);
  a.thread = thread_position(*b.launch, rank);
  a.state = std::move(state);
  return a;
}

void check_session::judge_barrier(block_context& b, fiber& last) {
  if (b.waiters.head == nullptr && b.live != 1) return;
  const fiber* const first = b.waiters.head != nullptr ? b.waiters.head : &last;
  const auto compare = [&](const fiber& f) {
    // Two call sites may be one line of the source; collect() looks, for that takes more stack than a fiber has.
    if (f.wait_pc == first->wait_pc) return;
    std::lock_guard lock(mutex_);
    finding d;
    d.rule = rule::barrier_divergence;
    d.space = memory_space::shared;
    d.kernel = b.launch->name;
    d.message = "threads of one block wait at different barriers";
    d.why =
        "a block barrier must be the same call for every thread of the block; which threads meet which is undefined";
    d.fix = "move the barrier out of the branch, so that all threads of the block reach it";
    d.accesses = {side(b, f.rank, f.wait_pc, "waits at this barrier"),
                  side(b, first->rank, first->wait_pc, "waits at this barrier")};
    const auto [low, high] = std::minmax(first->wait_pc, f.wait_pc);
    add(std::move(d), low, high);
  };
  for (const fiber* f = b.waiters.head; f != nullptr; f = f->next) compare(*f);
  if (last.waits == wait_kind::block_barrier) compare(last);

  departure& late = b.left_after_barrier;
  if (late.count > 0) {
    std::lock_guard lock(mutex_);
    finding d;
    d.rule = rule::barrier_divergence;
    d.space = memory_space::shared;
    d.kernel = b.launch->name;
    d.message = "threads wait at a barrier that others of their block can never reach";
    d.why = fmt::format(
        "they had passed barriers together, then a thread left the kernel after {} of them and {} threads wait for "
        "another",
        late.phase, b.live);
    d.fix = "let every thread take part in every barrier: guard the work between barriers, not the barriers";
    d.accesses = {side(b, first->rank, first->wait_pc, "waits at this barrier"),
                  side(b, late.rank, late.pc, "has left the kernel")};
    add(std::move(d), first->wait_pc, late.pc);
    late = {};
  }
  departure& early = b.left_early;
  if (early.count > 0) {
    std::lock_guard lock(mutex_);
    finding d;
    d.rule = rule::barrier_early_exit;
    d.severity = severity::warning;
    d.space = memory_space::shared;
    d.kernel = b.launch->name;
    d.message = fmt::format("{} of {} threads left the kernel before a barrier of their block", early.count, b.threads);
    d.why =
        "the barrier counts only the threads that are left; code before it that needed the others' help does not get "
        "it";
    d.fix = "guard the work instead of returning, so that every thread reaches the barrier";
    d.accesses = {side(b, first->rank, first->wait_pc, "waits at this barrier"),
                  side(b, early.rank, early.pc, "has left the kernel")};
    add(std::move(d), first->wait_pc, early.pc);
    early = {};
  }
}

void check_session::barrier_opens(block_context& b, fiber& last) {
  settle_rows();
  auto* record = static_cast<block_record*>(b.observer_state);
  if (settings_.barrier) judge_barrier(b, last);
  check::block_barrier(*record->state);
}

// ---- findings ----

void check_session::add(finding f, std::uintptr_t key_a, std::uintptr_t key_b) {
  const auto key = std::tuple{f.rule, f.object, key_a, key_b};
  const auto [it, fresh] = own_.try_emplace(key, std::move(f));
  if (!fresh) ++it->second.count;
}

// The detector knows accesses of the host as copies and fills.
void check_session::say_who(finding& f) const {
  replace_words(f.why, "copy to the host on the host", "a read by the host");
  replace_words(f.why, "fill on the host", "a write by the host");
  replace_words(f.why, "atomic on the host", "an atomic by the host");
  const bool elements = element_functions_.count(f.kernel) != 0 && f.accesses.size() == 2 && f.accesses[0].agent == f.accesses[1].agent;
  if (elements && f.rule == rule::race_global) {
    f.why = "the elements of one launch are not ordered, whichever threads run them";
    f.fix = "let each element write memory of its own, make the update atomic, or split the work into two launches";
  }
  for (access& a : f.accesses) {
    if (a.agent == "host" && f.rule == rule::race_global)
      f.fix = "wait before the host touches the memory: synchronize(), stream.synchronize() or event.synchronize()";
    const auto act = acts_.find(a.pc);
    if (act == acts_.end() || !a.agent.starts_with("stream ")) continue;
    const std::string on = "on " + a.agent;
    switch (act->second.what) {
      case stream_act::callback:
        replace_words(f.message, "by " + a.agent, "by a host callback " + on);
        for (const char* name : {"copy to the host ", "fill ", "atomic "}) replace_words(f.why, name + on, "a host callback " + on);
        a.state = "in a host callback";
        break;
      case stream_act::allocation:
        replace_words(f.message, "read by " + a.agent, "its allocation " + on);
        replace_words(f.why, "copy to the host " + on, "the allocation " + on);
        a.state = "allocates it";
        break;
      case stream_act::release:
        if (f.message.starts_with("write of ")) f.message.replace(0, 5, "free");
        replace_words(f.message, "by " + a.agent, on);
        replace_words(f.why, "fill " + on, "the free " + on);
        a.state = "frees it";
        break;
    }
  }
}

std::int64_t check_session::unwritten(const void* device, std::size_t element_bytes, std::int64_t count) {
  const host_turn turn;
  settle_host();
  return detector_.unwritten_elements(reinterpret_cast<std::uintptr_t>(device), element_bytes, count);
}

namespace {
// Two addresses that the compiler made of one call of the source, by unrolling a loop for instance: line and column agree,
// and so do those of the calls that were inlined around it. What is unknown agrees with all.
bool is_one_call(symbolizer& symbols, std::uintptr_t a, std::uintptr_t b) {
  const auto of_user = [&](std::uintptr_t pc) {
    std::vector<code_frame> frames = symbols.frames(pc);
    std::erase_if(frames, [](const code_frame& f) { return f.engine; });
    return frames;
  };
  const std::vector<code_frame> x = of_user(a), y = of_user(b);
  if (x.size() != y.size()) return true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto differ = [](int p, int q) { return p != 0 && q != 0 && p != q; };
    if (x[i].file != y[i].file || differ(x[i].line, y[i].line) || differ(x[i].column, y[i].column)) return false;
  }
  return true;
}
}  // namespace

std::vector<finding> check_session::collect(bool leaks, std::vector<std::string>& notes) {
  const host_turn turn;
  settle_host();
  if (leaks && settings_.memory) detector_.report_leaks();
  std::vector<finding> all = detector_.findings();
  for (finding& f : all) say_who(f);
  for (auto& [key, f] : own_) all.push_back(f);
  for (finding& f : all)
    for (access& a : f.accesses) {
      const auto act = acts_.find(a.pc);
      if (act != acts_.end() && a.callers.empty()) a.callers = act->second.callers;
      if (a.pc != 0 && a.line == 0) symbols_.resolve(a, a.callers);
    }
  std::erase_if(all, [&](const finding& f) {
    return f.rule == rule::barrier_divergence && f.accesses.size() == 2 && f.accesses[0].state == f.accesses[1].state &&
           is_one_call(symbols_, f.accesses[0].pc, f.accesses[1].pc);
  });
  if (touches_.lost() > 0)
    notes.push_back(fmt::format("{} accesses of the host during launches were too many to be judged", touches_.lost()));
  const auto stats = detector_.stats();
  if (stats.findings_dropped > 0)
    notes.push_back(fmt::format("{} further distinct findings were left out", stats.findings_dropped));
  if (stats.agents_retired_early > 0)
    notes.push_back(fmt::format("{} launches and copies were too many without the host waiting for any: races of the oldest with "
                                "other streams or the host may have been missed (docs/limitations.md)",
                                stats.agents_retired_early));
  if (stats.inexact_cells > 0)
    notes.push_back(
        fmt::format("the detector's memory limit was met: races on {} words may have been missed (docs/limitations.md)",
                    stats.inexact_cells));
  return all;
}

}  // namespace simt::sim
