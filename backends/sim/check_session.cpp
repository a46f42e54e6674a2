// SPDX-License-Identifier: Apache-2.0
#include <backends/sim/check_session.hpp>

#include <backends/sim/stream_facts.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>

namespace simt::sim {

namespace {

check::options detector_options(const check_settings& s) {
  check::options o;
  o.races = s.checks.races;
  o.memory = s.checks.memory;
  o.uninit = s.checks.uninit;
  o.volatile_is_plain = s.volatile_is_plain;
  o.read_only_arrays = s.may_doubt;
  o.readers_by_place = s.names_places;
  o.workers = s.workers;
  o.call_stack = &calls_of_access;
  o.host_may_access = &host_may_access;
  o.constants = &live_constants;
  return o;
}
check::address_range to_check(address_range r) { return {r.base, r.bytes}; }

}  // namespace

check_session::check_session(const check_settings& settings)
    : settings_(settings),
      detector_(detector_options(settings), settings.checks.barrier, to_check(device_range()),
                to_check(shared_range())),
      dispatcher_(std::in_place, dispatcher::options{settings.checks.memory, settings.checks.barrier,
                                                     settings.checks.any(), &backend::stream_is_blocking}) {
  if (settings.profile) counter_ = count_run(settings.checks.any());
  for (const allocation& a : live_allocations()) detector_.already_allocated(a);
  dispatcher_->add_judge(detector_);
  if (!settings.checks.any()) detector_.leave_batches_to(all_batches_);
  if (counter_) dispatcher_->add(counter_->listener());
}

check_session::~check_session() = default;

std::int64_t check_session::unwritten(const void* device, std::size_t element_bytes, std::int64_t count) {
  if (!settings_.checks.any()) return -1;  // nobody has followed the writes
  const host_turn turn;
  dispatcher_->flush_host();
  return detector_.core().unwritten_elements(reinterpret_cast<std::uintptr_t>(device), element_bytes, count);
}

std::int64_t check_session::uninitialised(const void* device, std::size_t bytes) {
  if (!settings_.checks.uninit) return -1;
  if (bytes == 0) return 0;  // who asks whether anybody looks, at each launch and copy
  const host_turn turn;
  dispatcher_->flush_host();
  return static_cast<std::int64_t>(
      detector_.core().uninitialised_bytes(reinterpret_cast<std::uintptr_t>(device), bytes));
}

}  // namespace simt::sim
