// SPDX-License-Identifier: Apache-2.0
#include "sim/check/host_order.hpp"

#include <algorithm>

namespace simt::check {

namespace event = sim::event;

host_order::host_order(detector& d) : detector_(d), default_stream_(d.new_stream("0 (default)")) {}

int host_order::stream_of(int handle) const {
  if (handle == event::kHostItself) return 0;
  return handle == 0 ? default_stream_ : streams_.at(handle).detector_stream;
}

void host_order::before_work(int handle) {
  const int s = stream_of(handle);
  if (handle == 0) {
    for (const auto& [h, other] : streams_)
      if (other.blocking) detector_.wait(s, detector_.record(other.detector_stream));
  } else if (streams_.at(handle).blocking) {
    detector_.wait(s, detector_.record(default_stream_));
  }
}

void host_order::stream_created(int handle, bool blocking) {
  streams_[handle] = {detector_.new_stream(std::to_string(handle)), blocking};
}

// Recording and waiting are work of the stream, to which the rules of the default stream apply.
void host_order::event_recorded(int event, int handle) {
  before_work(handle);
  events_[event] = detector_.record(stream_of(handle));
}
void host_order::stream_waits(int handle, int event) {
  before_work(handle);
  if (const auto it = events_.find(event); it != events_.end()) detector_.wait(stream_of(handle), it->second);
}
void host_order::host_waits_event(int event) {
  if (const auto it = events_.find(event); it != events_.end()) detector_.wait(0, it->second);
}
void host_order::host_waits_stream(int handle) {
  if (handle == 0) before_work(0);  // the default stream is done when the blocking streams before it are
  detector_.wait(0, detector_.record(stream_of(handle)));
}
void host_order::host_waits_device() {
  detector_.wait(0, detector_.record(default_stream_));
  for (const auto& [h, s] : streams_) detector_.wait(0, detector_.record(s.detector_stream));
}

void host_order::copied(const event::copy& e) {
  before_work(e.stream);
  const int s = stream_of(e.stream);
  const std::uintptr_t stack[] = {e.site};
  if (e.to.size != 0 && e.from.size != 0)
    detector_.copy_on_device(s, e.to.from, e.from.from, e.to.size, stack);
  else if (e.to.size != 0)
    detector_.copy_to_device(s, e.to.from, e.to.size, stack, e.waited);
  else if (e.from.size != 0)
    detector_.copy_to_host(s, e.from.from, e.from.size, stack, e.waited);
  if (e.waited) detector_.wait(0, detector_.record(s));
}
void host_order::filled(const event::fill& e) {
  before_work(e.stream);
  const std::uintptr_t stack[] = {e.site};
  detector_.fill(stream_of(e.stream), e.to.from, e.to.size, stack);
}

// A read by the stream: whoever writes without being ordered after it races with it, and there is nothing to read
// before somebody wrote. So the memory stays uninitialised.
void host_order::memory_begins(const event::stream_memory& e) {
  before_work(e.stream);
  const std::uintptr_t stack[] = {e.site};
  callers_[e.site] = {e.callers.begin(), e.callers.end()};
  detector_.host_reads(stream_of(e.stream), e.where.from, e.where.size, stack, work::allocation);
}
void host_order::memory_ends(const event::stream_memory& e) {
  before_work(e.stream);
  const std::uintptr_t stack[] = {e.site};
  callers_[e.site] = {e.callers.begin(), e.callers.end()};
  detector_.fill(stream_of(e.stream), e.where.from, e.where.size, stack, work::release);
}
std::vector<std::uintptr_t> host_order::callers_of(std::uintptr_t site) const {
  const auto it = callers_.find(site);
  return it == callers_.end() ? std::vector<std::uintptr_t>{} : it->second;
}

void host_order::host_accessed(const event::host_access& e) {
  const std::uintptr_t stack[] = {e.site};
  const work what = e.stream != event::kHostItself ? work::callback : work::host_code;
  if (e.kind == event::access_kind::write)
    detector_.fill(stream_of(e.stream), e.where.from, e.where.size, stack, what);
  else
    detector_.host_reads(stream_of(e.stream), e.where.from, e.where.size, stack, what);
}
void host_order::host_did_atomic(const event::host_atomic& e) {
  const int s = stream_of(e.stream);
  if (!e.late) {
    detector_.host_atomic(s, e.address, e.size, e.op, e.order, e.site);
  } else if (e.size != 0) {
    detector_.host_acquires(s, e.address, e.size, e.order);
  } else {
    detector_.host_fence(s, e.order);
  }
}
void host_order::host_fenced(int handle, order o) { detector_.host_fence(stream_of(handle), o); }

void host_order::callback_released(int handle, bool lock) {
  const detector::position here = detector_.record(stream_of(handle));
  if (lock) return detector_.wait(0, here);
  if (released_.size() < here.size()) released_.resize(here.size());
  for (std::size_t i = 0; i < here.size(); ++i) released_[i] = std::max(released_[i], here[i]);
}
void host_order::host_acquired() { detector_.wait(0, released_); }

}  // namespace simt::check
