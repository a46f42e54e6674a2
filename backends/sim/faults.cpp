// SPDX-License-Identifier: Apache-2.0
#include <backends/sim/faults.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include <sim/exec/outlives_exit.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/report/phrasebook.hpp>

namespace simt::sim {

namespace {

std::mutex kept_mutex;
constinit outlives_exit<std::vector<finding>> all_kept;
constinit std::vector<finding>& kept = all_kept.value;

index3 position(std::int64_t linear, const extent3& in) {
  if (linear < 0) return kUnknownPosition;
  return {linear % in.x, linear / in.x % in.y, linear / (in.x * in.y)};
}

struct diagnosis {
  simt::rule rule;
  simt::cause cause;
  simt::deed deed = deed::none;
};

diagnosis diagnose(const fault_record& fault) {
  switch (fault.kind) {
    case fault_kind::none:
    case fault_kind::no_loops:
    case fault_kind::departed:  // no fault of the kernel: launch_and_report throws
    case fault_kind::memory:
    case fault_kind::static_limit:
    case fault_kind::shared_limit:
      break;
    case fault_kind::misaligned:
      return {rule::misaligned, cause::fault_misaligned, deed::accesses};
    case fault_kind::division_by_zero:
      return {rule::division_by_zero, cause::fault_division, deed::divides};
    case fault_kind::stack_overflow:
      return {rule::stack_overflow, cause::fault_stack, deed::ran_out_of_stack};
    case fault_kind::instruction:
      return {rule::device_trap, cause::fault_instruction, deed::trapped};
    case fault_kind::trap:
      return {rule::device_trap, cause::fault_trap, deed::trapped};
    case fault_kind::expectation:
      return {rule::device_trap, cause::fault_expect, deed::trapped};
    case fault_kind::assertion:
      return {rule::device_trap, cause::fault_assert, deed::trapped};
    case fault_kind::not_cooperative:
      return {rule::device_trap, cause::fault_not_cooperative, deed::trapped};
    case fault_kind::map_rank:
      return {rule::device_trap, cause::fault_map_rank, deed::trapped};
    case fault_kind::map_address:
      return {rule::device_trap, cause::fault_map_address, deed::trapped};
    case fault_kind::exception:
      return {rule::device_exception, cause::fault_exception, deed::last_seen};
    case fault_kind::deadlock:
      return {rule::deadlock, cause::fault_deadlock};
    case fault_kind::hang:
      return {rule::hang, cause::fault_hang};
    case fault_kind::endless:
      return {rule::hang, cause::fault_endless, deed::goes_round};
    case fault_kind::timeout:
      return {rule::hang, cause::fault_timeout, deed::still_ran};
    case fault_kind::own_lane:
      return {rule::warp_mask, cause::fault_own_lane, deed::takes_part};
    case fault_kind::lanes_missing:
      return {rule::warp_mask, cause::fault_lanes_missing};
  }
  return {rule::out_of_bounds, cause::fault_no_device};
}

constexpr std::uintptr_t kNearNull = 65536;

void describe_memory_fault(const fault_record& fault, finding& f) {
  const auto is = [&f](simt::rule r, simt::cause c) { f.rule = r, f.cause = c; };
  f.facts.address = fault.address;
  bool live = false;
  const auto owner = find_allocation(fault.address, &live);
  if (owner && !live) {
    is(rule::use_after_free, cause::fault_freed);
    f.object = owner->name;
  } else if (owner && owner->constant && fault.write) {
    is(rule::constant_write, cause::fault_constant);
    f.object = owner->name;
    f.index = {static_cast<std::int64_t>((fault.address - owner->address) / owner->element_bytes)};
  } else if (device_range().contains(fault.address) || shared_range().contains(fault.address)) {
    is(rule::out_of_bounds, cause::fault_no_allocation);
    f.space = shared_range().contains(fault.address) ? memory_space::shared : memory_space::global;
  } else if (fault.address < kNearNull) {
    is(rule::host_memory, cause::fault_null);
    f.space = memory_space::host;
  } else {
    is(rule::out_of_bounds, cause::fault_no_device);
  }
}

deed deed_of(wait_kind k) {
  switch (k) {
    case wait_kind::none:
      break;
    case wait_kind::block_barrier:
      return deed::waits_at_block_barrier;
    case wait_kind::cluster_barrier:
      return deed::waits_at_cluster_barrier;
    case wait_kind::grid_barrier:
      return deed::waits_at_grid_barrier;
    case wait_kind::named_barrier:
      return deed::waits_at_named_barrier;
    case wait_kind::warp:
      return deed::waits_for_lanes;
    case wait_kind::spin:
      return deed::spins;
  }
  return deed::waits_at_block_barrier;
}

access side_of(const launch_request& request, const fault_record::waiter& w) {
  access a;
  a.pc = w.pc;
  a.kernel = request.name;
  a.block = position(w.block, request.grid);
  a.thread = position(w.thread, request.block);
  a.deed = w.kind == wait_kind::none ? deed::exited : deed_of(w.kind);
  a.named = {w.barrier, w.arrived, w.expected};
  return a;
}

// Why a deadlock came about: a barrier that not all come to.
std::optional<finding> describe_divergence(const launch_request& request, const fault_record& fault) {
  finding f;
  f.rule = rule::barrier_divergence;
  f.kernel = request.name;
  if (fault.kind != fault_kind::deadlock) return {};
  if (!fault.parted.empty()) {
    f.cause = cause::barriers_differ;
    for (const fault_record::waiter& w : fault.parted) {
      f.accesses.push_back(side_of(request, w));
      f.facts.of_grid |= w.kind == wait_kind::grid_barrier;
    }
    return f;
  }
  if (fault.blocks_left == 0) return {};
  f.cause = cause::blocks_missing;
  f.facts.count = fault.blocks_left;
  f.facts.size = request.grid.volume();
  f.accesses = {side_of(request, fault.waiters.front()), side_of(request, fault.first_left)};
  return f;
}

static_assert(static_cast<int>(warp_op_kind::reduction) == static_cast<int>(warp_operation::reduction));

[[noreturn]] void throw_limit(const fault_record& fault) {
  throw error(
      error_kind::launch_limit,
      fault.kind == fault_kind::static_limit
          ? fmt::format("static shared memory of the kernel is over the limit: array '{}' of {} bytes makes {} of {}; "
                        "use dynamic shared memory for more",
                        fault.text, fault.asked, fault.used, fault.limit)
          : fmt::format("shared memory of the kernel is over the limit: {} dynamic and {} static bytes (with array "
                        "'{}') of {} in all",
                        fault.asked, fault.used, fault.text, fault.limit));
}

}  // namespace

finding describe_fault(const launch_request& request, const fault_record& fault) {
  finding f;
  f.kernel = request.name;
  const diagnosis what = diagnose(fault);
  f.rule = what.rule;
  f.cause = what.cause;
  if (fault.kind == fault_kind::memory) describe_memory_fault(fault, f);
  if (fault.kind == fault_kind::hang && fault.blocks_left > 0) {
    f.cause = cause::fault_hang_blocks;
    f.facts.count = fault.blocks_left;
  }
  if (fault.kind == fault_kind::stack_overflow) f.space = memory_space::local;
  f.facts.text = fault.text;
  f.facts.size = f.cause == cause::fault_hang_blocks ? request.grid.volume() : fault.limit;
  f.facts.mask = fault.mask;
  f.facts.lanes = fault.lanes;
  f.facts.operation = static_cast<simt::warp_operation>(fault.operation);
  f.facts.warp = static_cast<std::int32_t>(std::max<std::int64_t>(fault.thread, 0) / 32);
  f.facts.lane = static_cast<std::int32_t>(fault.kind == fault_kind::map_rank ? fault.asked : fault.thread % 32);
  access side;
  side.pc = fault.pc;
  side.kernel = request.name;
  side.deed = what.deed;
  side.callers.assign(fault.callers, fault.callers + fault.caller_count);
  side.block = position(fault.block, request.grid);
  side.thread = position(fault.thread, request.block);
  side.kind = fault.write ? access_kind::write : access_kind::read;
  if (fault.pc != 0 || fault.block >= 0 || fault.caller_count > 0) f.accesses.push_back(side);
  for (const auto& w : fault.waiters) f.accesses.push_back(side_of(request, w));
  if (f.rule != rule::warp_mask) f.count = std::max<std::int64_t>(1, fault.waiting);
  return f;
}

void throw_fault(const launch_request& request, const fault_record& fault) {
  if (fault.kind == fault_kind::static_limit || fault.kind == fault_kind::shared_limit) throw_limit(fault);
  finding f = describe_fault(request, fault);
  const phrases said = phrase(f, dialect::api);
  const simt::cause why = f.cause;
  {
    std::lock_guard lock(kept_mutex);
    if (std::optional<finding> why_so = describe_divergence(request, fault)) kept.push_back(*std::move(why_so));
    kept.push_back(std::move(f));
  }
  throw kernel_fault(why, said.message + "; " + said.fix);
}

std::vector<finding> take_faults() {
  std::lock_guard lock(kept_mutex);
  return std::exchange(kept, {});
}

}  // namespace simt::sim
