// SPDX-License-Identifier: Apache-2.0
#include "sim/check/consumer.hpp"

#include "sim/check/agents.hpp"
#include "sim/check/barrier_rules.hpp"
#include "sim/check/batch_checker.hpp"
#include "sim/check/memory_rules.hpp"
#include "sim/check/block_state.hpp"

namespace simt::check {

namespace event = sim::event;

namespace {

static_assert(event::kMostBlocksJoined <= kMostJoined);

index3 to_check(const event::coordinates& c) { return {c.x, c.y, c.z}; }
address_range to_check(const event::bytes& b) { return {b.from, b.size}; }
object_info describe(const sim::allocation& a) { return {a.name, a.type, a.element_bytes, a.extents}; }
object_info describe(const event::shared_array& a) {
  return {a.name, a.type, a.element_bytes, {a.extents.begin(), a.extents.end()}};
}

block_state& state_of(const event::block& b) { return *static_cast<thread_state*>(b.states)->block; }
thread_state& state_of(sim::watched_thread* t) { return *static_cast<thread_state*>(t); }

}  // namespace

detector_consumer::detector_consumer(const options& o, bool barrier_rules, address_range device, address_range shared)
    : detector_(o, device, shared), host_(detector_), memory_rules_(o.memory), barrier_rules_(barrier_rules) {}

sim::batch_judge* detector_consumer::judge_of_batches() {
  return batches_ != nullptr ? batches_ : &batch_checker::of_this_thread();
}

// ---- launches and blocks ----

void detector_consumer::launch_begins(const event::launch& l) {
  if (l.child == 0) host_.before_work(l.stream);
  const bool clusters = l.cluster.x * l.cluster.y * l.cluster.z > 1;
  launch_ = &detector_.launch_begin(host_.stream_of(l.stream), l.kernel, to_check(l.grid), to_check(l.block), clusters,
                                    l.elements, l.child);
  launch_->cooperative = l.cooperative;
}
void detector_consumer::kernel_launched(const event::kernel_launch& e) {
  check::kernel_launched(state_of(e.thread), e.number, e.stream);
}
void detector_consumer::kernel_streams_meet(sim::watched_thread& t) { check::kernel_streams_meet(state_of(&t)); }
void detector_consumer::launch_ends() { detector_.launch_end(*launch_); }

void detector_consumer::cluster_begins(std::span<const event::bytes> shared) {
  std::vector<address_range> ranges;
  for (const event::bytes& b : shared) ranges.push_back(to_check(b));
  detector_.cluster_begin(ranges);
}
void detector_consumer::block_begins(event::block& b) {
  block_state& state =
      detector_.block_begin(*launch_, b.number, to_check(b.at), b.cluster, to_check(b.shared), b.joined);
  if (const std::uint32_t bytes = b.launch->dynamic_shared; bytes > 0)
    shared_array(state, b.shared.from, bytes, {"dynamic shared memory", "", 1, {}});
  b.states = &thread_of(state, 0);
}
void detector_consumer::block_ends(const event::block& b) { detector_.block_end(state_of(b)); }

void detector_consumer::shared_array_used(const event::block& b, const event::shared_array& a) {
  shared_array(state_of(b), a.where.from, a.where.size, describe(a));
}
void detector_consumer::dynamic_shared_named(const event::block& b, const event::shared_array& a) {
  name_shared_array(state_of(b), a.where.from, describe(a));
}

// ---- device threads ----

void detector_consumer::thread_exits(sim::watched_thread& t) { thread_exit(state_of(&t)); }

void detector_consumer::copy_issued(const event::async_copy& e) {
  e.start = begin_copy(state_of(e.issuer), {e.to, e.from, e.size, e.site});
}
void detector_consumer::copy_performed(const event::async_copy& e) {
  perform_copy(state_of(e.issuer), e.start, {e.to, e.from, e.size, e.site}, e.end);
}
void detector_consumer::copies_object_waited(sim::watched_thread& t) { wait_for_told_copies(state_of(&t)); }

void detector_consumer::accessed_foreign(const event::foreign_access& e) { judge_foreign_access(e); }
void detector_consumer::used_index_outside(const event::index_outside& e) { judge_index_outside(e); }
void detector_consumer::left_own_array(const event::own_array_outside& e) { judge_own_array(e); }
void detector_consumer::used_misplaced_object(const event::misplaced_object& e) {
  if (memory_rules_) judge_misplaced_object(e);
}
void detector_consumer::issued_misplaced_copy(const event::misplaced_copy& e) { judge_misplaced_copy(e); }

// ---- order ----

void detector_consumer::barrier_opens(const event::barrier& b) {
  if (barrier_rules_) judge_barrier(b, found_);
  block_state& block = state_of(*b.block);
  block.last_barrier = b.first.site;
  block_barrier(block);
}
void detector_consumer::left_before_grid_barrier(const event::barrier& b) {
  if (barrier_rules_) judge_barrier(b, found_, true);
}
void detector_consumer::warp_synced(const event::warp_sync& e) { warp_sync(state_of(*e.block), e.warp, e.mask); }
void detector_consumer::named_barrier_arrival(const event::block& b, std::int32_t rank, std::int32_t number) {
  arrive_at_named(thread_of(state_of(b), rank), number);
}
void detector_consumer::named_barrier_opens(const event::block& b, std::int32_t number,
                                            std::span<const std::int32_t> ranks) {
  named_barrier(state_of(b), number, ranks);
}
void detector_consumer::blocks_synced(std::span<const event::block* const> blocks) {
  std::vector<block_state*> states;
  for (const event::block* const b : blocks) {
    states.push_back(&state_of(*b));
    if (b->grid_site != 0) states.back()->last_barrier = states.back()->last_grid_barrier = b->grid_site;
  }
  blocks_sync(states);
}
void detector_consumer::lanes_absent(const event::absent_lanes& e) {
  if (barrier_rules_) judge_absent_lanes(e, found_);
}
void detector_consumer::source_absent(const event::absent_source& e) {
  if (barrier_rules_) judge_absent_source(e, found_);
}

// ---- memory ----

// What libraries write to memory of both sides is not seen: it counts as initialised.
void detector_consumer::allocated(const sim::allocation& a, std::span<const event::code_address> callers) {
  detector_.allocated({a.address, a.bytes, describe(a), {callers.begin(), callers.end()}},
                      a.home != sim::memory_home::device);
}
void detector_consumer::already_allocated(const sim::allocation& a) {
  detector_.allocated({a.address, a.bytes, describe(a), {}, true}, true);
}
void detector_consumer::freed(const sim::allocation& a) { detector_.freed(a.address); }
void detector_consumer::freed_badly(const event::bad_free& e) {
  if (memory_rules_) judge_bad_free(e, found_);
}
void detector_consumer::copied_badly(const event::bad_copy& e) {
  if (memory_rules_) judge_bad_copy(e, found_);
}
void detector_consumer::host_touched_device(const event::host_touch_of_device& e) { judge_host_touch(e, found_); }

}  // namespace simt::check
