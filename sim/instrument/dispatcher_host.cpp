// SPDX-License-Identifier: Apache-2.0
// The host's half of the dispatcher: memory, streams, callbacks, and what host code does to memory of both sides.
#include <execinfo.h>

#include <algorithm>

#include <sim/exec/worker.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/repeated_touches.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {

constexpr int kHostFrames = 24;

// The calls that are active on this host thread, innermost first.
std::vector<std::uintptr_t> host_stack() {
  void* frames[kHostFrames];
  const int n = ::backtrace(frames, kHostFrames);
  std::vector<std::uintptr_t> out;
  for (int i = 0; i < n; ++i) out.push_back(reinterpret_cast<std::uintptr_t>(frames[i]));
  return out;
}

// `known`: nothing, or the place to name. That may lie in a header of ours that the compiler has not inlined, as where
// a vector of Thrust allocates; so what has called it is added.
std::vector<std::uintptr_t> with_callers(const std::vector<std::uintptr_t>& known) {
  if (known.size() > 1) return known;
  std::vector<std::uintptr_t> all = host_stack();
  if (known.empty()) return all;
  const auto place = std::ranges::find(all, known.front());
  return place == all.end() ? known : std::vector(place, all.end());
}

std::vector<event::code_address> callers_of(event::code_address place) {
  std::vector<std::uintptr_t> all = with_callers({place});
  all.erase(all.begin());
  return all;
}

event::access_kind kind_of(bool write) { return write ? event::access_kind::write : event::access_kind::read; }

event::bytes bytes_at(const void* p, std::size_t size) { return {reinterpret_cast<std::uintptr_t>(p), size}; }

// Whose host callback runs on this thread, and whether it has released by a fence.
thread_local int callback_stream = event::kHostItself;
thread_local bool callback_fenced = false;

}  // namespace

// ---- memory ----

void dispatcher::allocated(const allocation& a) {
  if (current_worker() == nullptr) flush_host();
  emit(&consumer::allocated, a, with_callers(a.stack));
}
void dispatcher::freed(const allocation& a) {
  if (current_worker() == nullptr) flush_host();
  emit(&consumer::freed, a);
}
void dispatcher::bad_free(const void* address, const allocation* last, std::uintptr_t pc) {
  const host_turn turn;
  hand_over(&consumer::freed_badly, event::bad_free{pc, reinterpret_cast<std::uintptr_t>(address), last});
}
void dispatcher::bad_copy(const void* address, std::size_t bytes, const allocation& owner, bool freed, bool write,
                          std::uintptr_t pc) {
  const host_turn turn;
  hand_over(&consumer::copied_badly,
            event::bad_copy{pc, reinterpret_cast<std::uintptr_t>(address), bytes, &owner, freed, kind_of(write)});
}

// ---- streams ----

void dispatcher::know_stream(int stream) {
  if (stream == 0 || !streams_.insert(stream).second) return;
  hand_over(&consumer::stream_created, stream, options_.stream_is_blocking(static_cast<std::uintptr_t>(stream)));
}
void dispatcher::copied(void* to, const void* from, std::size_t bytes, int stream, bool to_device, bool from_device,
                        bool wait, std::uintptr_t pc) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::copied, event::copy{stream, pc, bytes_at(to, to_device ? bytes : 0),
                                              bytes_at(from, from_device ? bytes : 0), wait});
}
void dispatcher::filled(void* p, std::size_t bytes, int stream, std::uintptr_t pc) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::filled, event::fill{stream, pc, bytes_at(p, bytes)});
}
void dispatcher::stream_created(int stream, bool blocking) {
  const host_turn turn;
  streams_.insert(stream);
  hand_over(&consumer::stream_created, stream, blocking);
}
void dispatcher::event_recorded(int event, int stream) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::event_recorded, event, stream);
}
void dispatcher::stream_waits(int stream, int event) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::stream_waits, stream, event);
}
void dispatcher::host_waits_event(int event) {
  const host_turn turn;
  emit_of_host(&consumer::host_waits_event, event);
}
void dispatcher::host_waits_stream(int stream) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::host_waits_stream, stream);
}
void dispatcher::host_waits_device() {
  const host_turn turn;
  emit_of_host(&consumer::host_waits_device);
}
void dispatcher::allocated_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::memory_begins, event::stream_memory{stream, pc, bytes_at(p, bytes), host_stack()});
}
void dispatcher::freed_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::memory_ends, event::stream_memory{stream, pc, bytes_at(p, bytes), host_stack()});
}

// ---- callbacks ----

void dispatcher::callback_begins(int stream) {
  const host_turn turn;
  know_stream(stream);
  emit_of_host(&consumer::callback_begins, stream);
  callback_stream = stream;
  callback_fenced = false;
}
void dispatcher::callback_ends() {
  const host_turn turn;
  flush_host();
  callback_stream = event::kHostItself;
}
void dispatcher::host_unlocked() { release_of_callback(true); }
void dispatcher::release_of_callback(bool lock) {
  if (callback_stream == event::kHostItself) return;
  const host_turn turn;
  emit_of_host(&consumer::callback_released, callback_stream, lock);
  if (!lock) has_released_ = true;
}
void dispatcher::acquire_of_host() {
  if (!has_released_ || callback_stream != event::kHostItself) return;
  const host_turn turn{std::try_to_lock};
  if (!turn) {
    acquired_late_ = true;
    return;
  }
  has_released_ = false;
  emit_of_host(&consumer::host_acquired);
}

// ---- what host code touches ----

void dispatcher::flush_host() {
  for (const host_touch& t : touches_.take())
    hand_over(&consumer::host_accessed, event::host_access{t.stream, t.pc, {t.from, t.to - t.from}, kind_of(t.write)});
}

void dispatcher::host_touched(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc) {
  static thread_local repeated_touches repeated;
  const host_touch touch{address, address + bytes, pc, callback_stream, write};
  const std::uint64_t since = host_touches::generation() + host_access_changes();  // both only grow
  if (repeated.holds(touch, since)) return;
  const auto note = [&] {  // the host's accesses to memory of both sides count like any other's
    if (touches_.add(address, bytes, write, pc, callback_stream)) return repeated.note(touch, since);
    if (launch_runs_) return;
    const host_turn turn;  // a launch that runs may wait for this thread, so no waiting for that one
    flush_host();
  };
  if (host_may_access(address)) return note();
  if (!options_.memory_rules) return;
  const auto owner = find_allocation(address);
  if (owner && owner->home != memory_home::device) return note();  // freed, or its red zone
  const host_turn turn;
  hand_over(&consumer::host_touched_device,
            event::host_touch_of_device{pc, address, bytes, kind_of(write), owner ? &*owner : nullptr, callers_of});
}

void dispatcher::host_atomic(std::uintptr_t address, std::uint32_t bytes, event::atomic_op op, bool swaps,
                             event::order o, std::uintptr_t pc) {
  if (!host_may_access(address)) return host_touched(address, bytes, op != event::atomic_op::load, pc);
  event::host_atomic done{callback_stream, pc, address, bytes, op, o};
  const host_turn turn{std::try_to_lock};  // a kernel that runs may wait for this thread
  if (!turn) {
    signalled_ = true;
    if (op != event::atomic_op::store) acquires_late(done);
    return;
  }
  if (swaps) touches_.drop_guess(address, bytes, callback_stream);
  emit_of_host(&consumer::host_did_atomic, done);
}

void dispatcher::host_fence(event::order o) {
  const host_turn turn{std::try_to_lock};
  if (!turn) return acquires_late({callback_stream, 0, 0, 0, event::atomic_op::load, o});
  emit_of_host(&consumer::host_fenced, callback_stream, o);
  if (event::releases(o)) callback_fenced = true;
  if (event::acquires(o)) acquire_of_host();
}

void dispatcher::host_unwatched(event::atomic_op op, event::order o) {
  if (op != event::atomic_op::load && (callback_fenced || event::releases(o))) release_of_callback(false);
  if (op != event::atomic_op::store && event::acquires(o)) acquire_of_host();
}

void dispatcher::acquires_late(const event::host_atomic& a) {
  constexpr std::size_t kMost = 1024;  // flags that the host polls during one launch
  event::host_atomic learned = a;
  learned.site = 0;
  learned.op = event::atomic_op::load;
  learned.late = true;
  std::lock_guard lock(late_mutex_);
  const auto same = std::find(late_.begin(), late_.end(), learned);
  if (same != late_.end()) {
    if (a.size != 0) return;
    late_.erase(same);  // a fence goes behind the loads before it
  }
  if (late_.size() < kMost) late_.push_back(learned);
}

}  // namespace simt::sim
