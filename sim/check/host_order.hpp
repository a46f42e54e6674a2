// SPDX-License-Identifier: Apache-2.0
// What the host's events mean to the detector: streams and their events, copies and fills, callbacks, and what host
// code does to memory of both sides.
//
// Legacy default stream: it and blocking streams wait for each other (CUDA Programming Guide, "Default Stream").
#pragma once

#include <map>
#include <vector>

#include "sim/check/detector.hpp"
#include "sim/instrument/events.hpp"

namespace simt::check {

class host_order {
 public:
  explicit host_order(detector& d);

  // The detector's stream for the handle of one; of kHostItself, the host's own.
  int stream_of(int handle) const;
  // Work of a stream is about to be announced: what it waits for by itself.
  void before_work(int handle);

  void stream_created(int handle, bool blocking);
  void event_recorded(int event, int handle);
  void stream_waits(int handle, int event);
  void host_waits_event(int event);
  void host_waits_stream(int handle);
  void host_waits_device();
  void copied(const sim::event::copy& e);
  void filled(const sim::event::fill& e);
  void memory_begins(const sim::event::stream_memory& e);
  void memory_ends(const sim::event::stream_memory& e);
  void host_accessed(const sim::event::host_access& e);
  void host_did_atomic(const sim::event::host_atomic& e);
  void host_fenced(int handle, order o);
  void callback_released(int handle, bool lock);
  void host_acquired();

  // The calls around an allocation or a free that a stream orders, by the code address that findings show; innermost
  // first. Empty: none is known.
  std::vector<std::uintptr_t> callers_of(std::uintptr_t site) const;

 private:
  struct stream_record {
    int detector_stream = 0;
    bool blocking = true;
  };

  detector& detector_;
  const int default_stream_;
  std::map<int, stream_record> streams_;
  std::map<int, detector::position> events_;
  std::map<std::uintptr_t, std::vector<std::uintptr_t>> callers_;
  detector::position released_;  // by callbacks
};

}  // namespace simt::check
