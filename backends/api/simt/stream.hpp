// SPDX-License-Identifier: Apache-2.0
// Streams and events: order between copies and launches, and time. Host only.
#pragma once

#include <memory>

#include <simt/backend.hpp>

namespace simt {

class event;
class graph;

// Work on one stream runs in order; different streams are unordered unless events or the default stream order them
// (CUDA Programming Guide, "Streams"). A default-constructed `stream` is a new one; stream::default_stream() is CUDA's
// legacy default stream, which waits for all blocking streams and they for it.
class stream {
 public:
  struct options {
    bool non_blocking = false;  // not ordered with the default stream
    int priority = 0;           // lower runs first, where the device can; from highest_priority() to lowest_priority()
  };
  stream() : stream(options{}) {}
  explicit stream(options o)
      : handle_(std::shared_ptr<void>(reinterpret_cast<void*>(backend::create_stream(o.non_blocking, o.priority)),
                                      [](void* h) { backend::destroy_stream(reinterpret_cast<std::uintptr_t>(h)); })) {}
  static stream default_stream() { return stream(nullptr); }

  void synchronize() const { backend::synchronize_stream(handle()); }
  int priority() const { return backend::stream_priority(handle()); }  // what the device made of options::priority
  static int lowest_priority() { return backend::stream_priorities().first; }
  static int highest_priority() { return backend::stream_priorities().second; }
  bool idle() const { return backend::stream_idle(handle()); }
  void wait(const event& e) const;
  // Runs `call` on the host when the work enqueued so far is done. It must not call this API.
  void host_callback(std::function<void()> call) const { backend::stream_host_callback(handle(), std::move(call)); }
  // From here to end_capture, work on this stream and on those that wait for its events is kept and not run; see
  // <simt/graph.hpp>. Not for the default stream.
  void begin_capture() const { backend::begin_capture(handle()); }
  graph end_capture() const;
  bool capturing() const { return backend::capturing(handle()); }
  backend::stream_handle handle() const { return reinterpret_cast<std::uintptr_t>(handle_.get()); }

 private:
  explicit stream(std::nullptr_t) {}
  std::shared_ptr<void> handle_;
};

class event {
 public:
  explicit event(bool timing = true)
      : handle_(std::shared_ptr<void>(reinterpret_cast<void*>(backend::create_event(timing)),
                                      [](void* h) { backend::destroy_event(reinterpret_cast<std::uintptr_t>(h)); })) {}
  void record(const stream& s = stream::default_stream()) { backend::record_event(handle(), s.handle()); }
  void synchronize() const { backend::synchronize_event(handle()); }
  bool done() const { return backend::event_done(handle()); }
  // Milliseconds between two recorded events; both must be done.
  friend float elapsed_ms(const event& start, const event& stop) {
    return backend::elapsed_ms(start.handle(), stop.handle());
  }
  backend::event_handle handle() const { return reinterpret_cast<std::uintptr_t>(handle_.get()); }

 private:
  std::shared_ptr<void> handle_;
};

inline void stream::wait(const event& e) const { backend::stream_wait_event(handle(), e.handle()); }

}  // namespace simt
