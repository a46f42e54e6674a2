// SPDX-License-Identifier: Apache-2.0
// backend.hpp on the simulator. Work on streams is done at once, in the order of the calls; what streams and events
// order is announced to the observer, who judges races by it.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include <backends/api/device_limits.hpp>
#include <backends/sim/calling_from.hpp>
#include <backends/sim/capture.hpp>
#include <backends/sim/check_hook.hpp>
#include <backends/sim/device_clock.hpp>
#include <backends/sim/launch_log.hpp>
#include <backends/sim/stream_facts.hpp>
#include <sim/exec/launch.hpp>
#include <sim/exec/observer.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>
#include <simt/backend.hpp>

namespace simt::backend {

namespace {

using clock = std::chrono::steady_clock;

struct event_state {
  bool recorded = false;
  clock::time_point when;
};
struct state {
  std::mutex mutex;
  std::uintptr_t next_stream = 1, next_event = 1;
  struct stream_state {
    bool non_blocking;
    int priority;
  };
  std::map<std::uintptr_t, stream_state> streams;
  std::map<std::uintptr_t, event_state> events;
  std::set<std::uintptr_t> graph_branches;  // streams, also those that are gone
};
state& the_state() {
  static state* s = new state;
  return *s;
}

thread_local bool inside_callback = false;
thread_local std::uintptr_t calling = 0;
constexpr int kHighestPriority = -5;  // as an H200's

event_state& find_event(event_handle e) {
  std::lock_guard lock(the_state().mutex);
  const auto it = the_state().events.find(e);
  if (it == the_state().events.end()) throw error(error_kind::invalid_argument, "this event does not exist (any more)");
  return it->second;
}
void check_stream(stream_handle s) {
  if (!stream_exists(s)) throw error(error_kind::invalid_argument, "this stream does not exist (any more)");
}

std::string host_cpu() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "CPU";
}

void must_be_device(const void* p, std::size_t bytes, const char* side, bool write, std::uintptr_t pc) {
  if (bytes == 0) return;
  const auto a = reinterpret_cast<std::uintptr_t>(p);
  bool live = false;
  auto owner = sim::find_allocation(a, &live);
  if (!owner) owner = sim::find_allocation(a - 1, &live);  // begins just past its end
  if (live && a + bytes <= owner->address + owner->bytes) return;
  if (sim::observer* o = sim::current_observer(); o != nullptr && owner)
    o->bad_copy(p, bytes, *owner, !live, write, pc);
  if (!live)
    throw error(error_kind::invalid_argument,
                fmt::format("copy: the {} side, {}, is no live device memory", side, fmt::ptr(p)));
  throw error(error_kind::invalid_argument,
              fmt::format("copy: {} bytes at the {} side are more than buffer '{}' holds ({} bytes from there)", bytes,
                          side, owner->name, owner->address + owner->bytes - a));
}

}  // namespace

std::uintptr_t& calling_address() { return calling; }

std::string name() { return "sim"; }
std::string unavailable() { return {}; }
int device_count() { return 1; }

// Limits of an NVIDIA H200 (compute capability 9.0; CUDA Programming Guide, "Compute Capabilities").
const device_properties& limits(int device) {
  if (device != 0)
    throw error(error_kind::invalid_argument,
                fmt::format("there is no device {}: the simulator has one, device 0", device));
  static const device_properties fixed = [] {
    device_properties p;
    p.multiprocessors = 132;
    p.l2_bytes = 60 << 20;
    p.clock_khz = static_cast<int>(sim::kClockKhz);
    p.global_bytes = static_cast<std::int64_t>(sim::device_capacity());
    return p;
  }();
  return fixed;
}
device_properties properties(int device) {
  device_properties out = limits(device);
  static const std::string name = "simulated H200 on " + host_cpu();
  out.name = name;
  return out;
}
void select_device(int device) { limits(device); }
int selected_device() { return 0; }
std::pair<std::size_t, std::size_t> memory_info() {
  return {sim::device_capacity() - sim::device_bytes_in_use(), sim::device_capacity()};
}

namespace {
void* allocate_in(sim::memory_home home, std::size_t bytes, const memory_label& label) {
  void* p = sim::device_allocate(bytes, {0, 0, label.name, label.type, label.element_bytes, label.extents, {}, home});
  if (p == nullptr)
    throw error(error_kind::out_of_memory,
                fmt::format("device memory: {}{} bytes do not fit: {} of {} bytes are free (host memory bounds the "
                            "simulated device); use a smaller size",
                            label.name.empty() ? "" : "'" + label.name + "' of ", bytes, memory_info().first,
                            memory_info().second));
  return p;
}
}  // namespace

void* allocate(std::size_t bytes, const memory_label& label) {
  return allocate_in(sim::memory_home::device, bytes, label);
}
void* allocate_managed(std::size_t bytes, const memory_label& label) {
  return allocate_in(sim::memory_home::managed, bytes, label);
}
void* allocate_pinned(std::size_t bytes, const memory_label& label) {
  return allocate_in(sim::memory_home::pinned, bytes, label);
}

void free(void* p) {
  // Under check a bad free is a finding, not an exception.
  switch (sim::device_free(p, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)))) {
    case sim::free_result::done:
      return;
    case sim::free_result::already_freed:
      if (sim::current_observer()) return;
      throw error(error_kind::invalid_argument, fmt::format("free: {} has already been freed", p));
    case sim::free_result::never_allocated:
      if (sim::current_observer()) return;
      throw error(error_kind::invalid_argument, fmt::format("free: {} is no device memory that allocate gave", p));
  }
}

void free_pinned(void* p) { free(p); }

void made_on_stream(void* p, std::size_t bytes, stream_handle s) {
  check_stream(s);
  if (capturing(s))
    throw error(error_kind::unsupported,
                "memory of a stream cannot be made while the stream is being captured; make it before");
  if (sim::check_hook* h = sim::installed_check_hook())
    h->allocated_on(p, bytes, static_cast<int>(s), calling_from::address(__builtin_return_address(0)));
}
void* allocate_async(std::size_t bytes, const memory_label& label, stream_handle s) {
  const calling_from user(__builtin_return_address(0));
  check_stream(s);
  void* p = allocate(bytes, label);
  try {
    made_on_stream(p, bytes, s);
  } catch (const error&) {
    free(p);
    throw;
  }
  return p;
}
void free_async(void* p, stream_handle s) {
  if (p == nullptr) return;
  check_stream(s);
  if (capturing(s))
    throw error(error_kind::unsupported,
                "memory of a stream cannot be freed while the stream is being captured; free it after");
  bool live = false;
  const auto owner = sim::find_allocation(reinterpret_cast<std::uintptr_t>(p), &live);
  if (sim::check_hook* h = sim::installed_check_hook(); h != nullptr && live)
    h->freed_on(p, owner->bytes, static_cast<int>(s), calling_from::address(__builtin_return_address(0)));
  free(p);
}

void copy(void* to, const void* from, std::size_t bytes, copy_kind kind, stream_handle s, bool wait) {
  check_stream(s);
  bool to_device = kind == copy_kind::host_to_device || kind == copy_kind::device_to_device;
  bool from_device = kind == copy_kind::device_to_host || kind == copy_kind::device_to_device;
  const auto pc = calling_from::address(__builtin_return_address(0));
  if (to_device) must_be_device(to, bytes, "destination", true, pc);
  if (from_device) must_be_device(from, bytes, "source", false, pc);
  // The host's side in managed or pinned memory is watched like any other memory of the device.
  to_device = to_device || sim::host_may_access(reinterpret_cast<std::uintptr_t>(to));
  from_device = from_device || sim::host_may_access(reinterpret_cast<std::uintptr_t>(from));
  if (wait) refuse_captured(s, "copy that waits");
  if (capture_work(s, captured_kind::copy, pc, [=](stream_handle on) { copy(to, from, bytes, kind, on, false); }))
    return;
  if (sim::observer* o = sim::current_observer())
    o->copied(to, from, bytes, static_cast<int>(s), to_device, from_device, wait, pc);
  if (bytes != 0) std::memmove(to, from, bytes);
}

void fill(void* p, int byte, std::size_t bytes, stream_handle s) {
  check_stream(s);
  const auto pc = calling_from::address(__builtin_return_address(0));
  must_be_device(p, bytes, "filled", true, pc);
  if (capture_work(s, captured_kind::fill, pc, [=](stream_handle on) { fill(p, byte, bytes, on); })) return;
  if (sim::observer* o = sim::current_observer()) o->filled(p, bytes, static_cast<int>(s), pc);
  if (bytes != 0) std::memset(p, byte, bytes);
}

std::pair<int, int> stream_priorities() { return {0, kHighestPriority}; }
stream_handle create_stream(bool non_blocking, int priority) {
  stream_handle s;
  {
    std::lock_guard lock(the_state().mutex);
    s = the_state().next_stream++;
    the_state().streams[s] = {non_blocking, std::clamp(priority, kHighestPriority, 0)};
  }
  if (sim::observer* o = sim::current_observer()) o->stream_created(static_cast<int>(s), !non_blocking);
  return s;
}
int stream_priority(stream_handle s) {
  check_stream(s);
  if (s == 0) return 0;
  std::lock_guard lock(the_state().mutex);
  return the_state().streams.at(s).priority;
}
bool stream_exists(stream_handle s) {
  if (s == 0) return true;
  std::lock_guard lock(the_state().mutex);
  return the_state().streams.contains(s);
}
bool stream_is_blocking(stream_handle s) {
  std::lock_guard lock(the_state().mutex);
  const auto it = the_state().streams.find(s);
  return it == the_state().streams.end() || !it->second.non_blocking;
}
stream_handle create_graph_branch() {
  const stream_handle s = create_stream(true, 0);
  std::lock_guard lock(the_state().mutex);
  the_state().graph_branches.insert(s);
  return s;
}
bool is_graph_branch(stream_handle s) {
  std::lock_guard lock(the_state().mutex);
  return the_state().graph_branches.contains(s);
}
void destroy_stream(stream_handle s) {
  if (s == 0) return;
  {
    std::lock_guard lock(the_state().mutex);
    the_state().streams.erase(s);
  }
}
void synchronize_stream(stream_handle s) {
  check_stream(s);
  refuse_captured(s, "synchronize");
  if (sim::observer* o = sim::current_observer()) o->host_waits_stream(static_cast<int>(s));
}
// Work is done where it is enqueued, so the answer is yes; and who was told so may use the results, as after a wait
// (CUDA runtime API, cudaStreamQuery).
bool stream_idle(stream_handle s) {
  require_free_stream(s);
  if (sim::observer* o = sim::current_observer()) o->host_waits_stream(static_cast<int>(s));
  return true;
}
void require_free_stream(stream_handle s) {
  check_stream(s);
  refuse_captured(s, "idle");
}
void retire_stream(stream_handle s) {
  check_stream(s);
  leave_capture(s);
  destroy_stream(s);
}
void stream_wait_event(stream_handle s, event_handle e) {
  check_stream(s);
  find_event(e);
  if (capture_wait(s, e)) return;
  if (sim::observer* o = sim::current_observer()) o->stream_waits(static_cast<int>(s), static_cast<int>(e));
}
void stream_host_callback(stream_handle s, std::function<void()> call) {
  check_stream(s);
  if (capture_work(s, captured_kind::host_call, 0, [call](stream_handle on) { stream_host_callback(on, call); }))
    return;
  struct mark {
    explicit mark(stream_handle s) {
      if (sim::check_hook* h = sim::installed_check_hook()) h->callback_begins(static_cast<int>(s));
      inside_callback = true;
    }
    ~mark() {
      inside_callback = false;
      if (sim::check_hook* h = sim::installed_check_hook()) h->callback_ends();
    }
  } inside(s);
  call();
}
bool in_host_callback() { return inside_callback; }
void synchronize_device() {
  refuse_any_capture("synchronize");
  if (sim::observer* o = sim::current_observer()) o->host_waits_device();
}

event_handle create_event(bool) {
  std::lock_guard lock(the_state().mutex);
  const auto e = the_state().next_event++;
  the_state().events[e] = {};
  return e;
}
bool event_exists(event_handle e) {
  std::lock_guard lock(the_state().mutex);
  return the_state().events.contains(e);
}
void destroy_event(event_handle e) {
  forget_captured_event(e);
  std::lock_guard lock(the_state().mutex);
  the_state().events.erase(e);
}
void record_event(event_handle e, stream_handle s) {
  check_stream(s);
  event_state& state = find_event(e);
  if (capture_record(e, s)) return;
  state.recorded = true;
  state.when = clock::now();
  if (sim::observer* o = sim::current_observer()) o->event_recorded(static_cast<int>(e), static_cast<int>(s));
}
void synchronize_event(event_handle e) {
  find_event(e);
  refuse_captured_event(e, "synchronize");
  if (sim::observer* o = sim::current_observer()) o->host_waits_event(static_cast<int>(e));
}
bool event_done(event_handle e) {
  find_event(e);
  refuse_captured_event(e, "done");
  if (sim::observer* o = sim::current_observer()) o->host_waits_event(static_cast<int>(e));
  return true;
}
float elapsed_ms(event_handle start, event_handle stop) {
  const event_state &a = find_event(start), &b = find_event(stop);
  if (!a.recorded || !b.recorded) throw error(error_kind::invalid_argument, "both events must have been recorded");
  return std::chrono::duration<float, std::milli>(b.when - a.when).count();
}

}  // namespace simt::backend
