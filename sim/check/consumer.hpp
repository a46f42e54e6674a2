// SPDX-License-Identifier: Apache-2.0
// The detector as a consumer of events: what each of them means to it. Its accesses come the direct way
// (access_judge.hpp).
#pragma once

#include "sim/check/detector.hpp"
#include "sim/check/host_order.hpp"
#include "sim/check/rule_findings.hpp"
#include "sim/instrument/consumer.hpp"
#include "sim/memory/device_memory.hpp"

namespace simt::check {

class detector_consumer final : public sim::consumer {
 public:
  // `barrier_rules`: judge barriers and warp operations; what else is to be found, the options say.
  detector_consumer(const options& o, bool barrier_rules, address_range device, address_range shared);

  detector& core() { return detector_; }
  const rule_findings& findings_of_rules() const { return found_; }
  const host_order& host() const { return host_; }
  // From here on `judge` says which accesses are gathered into batches: where nothing is checked, all of them.
  void leave_batches_to(sim::batch_judge& judge) { batches_ = &judge; }
  // Memory that was there before the run.
  void already_allocated(const sim::allocation& a);

  sim::batch_judge* judge_of_batches() override;
  void launch_begins(const sim::event::launch&) override;
  void launch_ends() override;
  void kernel_launched(const sim::event::kernel_launch&) override;
  void kernel_streams_meet(sim::watched_thread&) override;
  void cluster_begins(std::span<const sim::event::bytes> shared) override;
  void block_begins(sim::event::block&) override;
  void block_ends(const sim::event::block&) override;
  void shared_array_used(const sim::event::block&, const sim::event::shared_array&) override;
  void dynamic_shared_named(const sim::event::block&, const sim::event::shared_array&) override;
  void copy_issued(const sim::event::async_copy&) override;
  void copy_performed(const sim::event::async_copy&) override;
  void copies_object_waited(sim::watched_thread&) override;
  void thread_exits(sim::watched_thread&) override;
  void accessed_foreign(const sim::event::foreign_access&) override;
  void used_index_outside(const sim::event::index_outside&) override;
  void left_own_array(const sim::event::own_array_outside&) override;
  void used_misplaced_object(const sim::event::misplaced_object&) override;
  void issued_misplaced_copy(const sim::event::misplaced_copy&) override;
  void barrier_opens(const sim::event::barrier&) override;
  void left_before_grid_barrier(const sim::event::barrier&) override;
  void warp_synced(const sim::event::warp_sync&) override;
  void named_barrier_arrival(const sim::event::block&, std::int32_t rank, std::int32_t number) override;
  void named_barrier_opens(const sim::event::block&, std::int32_t number, std::span<const std::int32_t> ranks) override;
  void blocks_synced(std::span<const sim::event::block* const>) override;
  void lanes_absent(const sim::event::absent_lanes&) override;
  void source_absent(const sim::event::absent_source&) override;
  void allocated(const sim::allocation&, std::span<const sim::event::code_address> callers) override;
  void freed(const sim::allocation&) override;
  void freed_badly(const sim::event::bad_free&) override;
  void copied_badly(const sim::event::bad_copy&) override;
  void copied(const sim::event::copy& e) override { host_.copied(e); }
  void filled(const sim::event::fill& e) override { host_.filled(e); }
  void memory_begins(const sim::event::stream_memory& e) override { host_.memory_begins(e); }
  void memory_ends(const sim::event::stream_memory& e) override { host_.memory_ends(e); }
  void stream_created(int stream, bool blocking) override { host_.stream_created(stream, blocking); }
  void event_recorded(int event, int stream) override { host_.event_recorded(event, stream); }
  void stream_waits(int stream, int event) override { host_.stream_waits(stream, event); }
  void host_waits_event(int event) override { host_.host_waits_event(event); }
  void host_waits_stream(int stream) override { host_.host_waits_stream(stream); }
  void host_waits_device() override { host_.host_waits_device(); }
  void callback_begins(int stream) override { host_.before_work(stream); }
  void host_accessed(const sim::event::host_access& e) override { host_.host_accessed(e); }
  void host_did_atomic(const sim::event::host_atomic& e) override { host_.host_did_atomic(e); }
  void host_fenced(int stream, order o) override { host_.host_fenced(stream, o); }
  void host_touched_device(const sim::event::host_touch_of_device&) override;
  void callback_released(int stream, bool lock) override { host_.callback_released(stream, lock); }
  void host_acquired() override { host_.host_acquired(); }

 private:
  detector detector_;
  host_order host_;
  rule_findings found_;
  const bool memory_rules_, barrier_rules_;
  launch_state* launch_ = nullptr;
  sim::batch_judge* batches_ = nullptr;
};

}  // namespace simt::check
