// SPDX-License-Identifier: Apache-2.0
#include <backends/sim/faults.hpp>

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include <sim/memory/device_memory.hpp>
#include <simt/error.hpp>

namespace simt::sim {

namespace {

std::mutex kept_mutex;
std::vector<finding> kept;

index3 position(std::int64_t linear, const extent3& in) {
  return {linear % in.x, linear / in.x % in.y, linear / (in.x * in.y)};
}
std::string text(const index3& i) { return fmt::format("({},{},{})", i.x, i.y, i.z); }

std::string who(const launch_request& request, std::int64_t block, std::int64_t thread) {
  if (block < 0) return "a thread";
  if (thread < 0) return "a thread of block " + text(position(block, request.grid));
  return "thread " + text(position(thread, request.block)) + " of block " + text(position(block, request.grid));
}

std::string_view waits_for(const fault_record::waiter& w) {
  switch (w.kind) {
    case wait_kind::spin: return "spins in a loop on memory";
    case wait_kind::warp: return "waits for lanes of its warp";
    case wait_kind::object: return w.what;
    default: return "waits at a block barrier";
  }
}

void describe_memory_fault(const fault_record& fault, finding& f) {
  bool live = false;
  const auto owner = find_allocation(fault.address, &live);
  if (owner && !live) {
    f.rule = rule::use_after_free;
    f.object = owner->name;
    f.why = "the memory had been freed";
    f.fix = "free the buffer after the last kernel that uses it";
    return;
  }
  const std::uintptr_t a = fault.address;
  if (device_range().contains(a) || shared_range().contains(a)) {
    f.rule = rule::out_of_bounds;
    f.space = shared_range().contains(a) ? memory_space::shared : memory_space::global;
    f.why = "the address belongs to no allocation";
    f.fix = "guard the index with the array's extent";
  } else if (a < 65536) {
    f.rule = rule::host_memory;
    f.space = memory_space::host;
    f.why = "the address is a null pointer, or an offset from one";
    f.fix = "pass device memory to the kernel";
  } else {
    f.rule = rule::out_of_bounds;
    f.why = "the address is neither device nor shared memory";
    f.fix = "check the index; `--check memory` names the array";
  }
}

}  // namespace

namespace {
// What the thread did at the place that a finding names; empty: the access says it.
const char* deed(fault_kind kind) {
  switch (kind) {
    case fault_kind::misaligned: return "makes it here";
    case fault_kind::division_by_zero: return "divides here";
    case fault_kind::stack_overflow: return "ran out of stack here";
    case fault_kind::trap: return "trapped here";
    case fault_kind::exception: return "was last seen here before the exception";
    case fault_kind::timeout: return "was here when the time was up";
    default: return "";
  }
}
}  // namespace

finding describe_fault(const launch_request& request, const fault_record& fault) {
  finding f;
  f.kernel = request.name;
  const std::string actor = who(request, fault.block, fault.thread);
  switch (fault.kind) {
    case fault_kind::none: break;
    case fault_kind::memory:
      describe_memory_fault(fault, f);
      f.message = fmt::format("{} of kernel {} accessed invalid address {:#x}", actor, request.name, fault.address);
      break;
    case fault_kind::misaligned:
      f.rule = rule::misaligned;
      f.message = fmt::format("{} of kernel {} made a vector access at an address that is no multiple of its size", actor, request.name);
      f.why = "an aligned type was loaded or stored there; this CPU traps as a GPU does";
      f.fix = "align the data, or access it by its members' own type; `--check memory` names the array";
      break;
    case fault_kind::division_by_zero:
      f.rule = rule::division_by_zero;
      f.message = fmt::format("{} of kernel {} divided an integer by zero", actor, request.name);
      f.why = "the result is unspecified on a GPU and a trap on this CPU";
      f.fix = "guard the divisor";
      break;
    case fault_kind::stack_overflow:
      f.rule = rule::stack_overflow;
      f.space = memory_space::local;
      f.message = fmt::format("{} of kernel {} used up its stack of {} bytes", actor, request.name, fault.stack_bytes);
      f.why = "local arrays and calls of the thread need more than one thread's stack holds";
      f.fix = fmt::format("make local arrays smaller or the recursion shallower, or raise the stack: --stack {} (environment SIMT_STACK)",
                          fault.stack_bytes * 4);
      break;
    case fault_kind::trap:
      f.rule = rule::device_trap;
      f.message = fmt::format("{} of kernel {} trapped: {}", actor, request.name, fault.text.empty() ? "illegal instruction" : fault.text);
      f.why = "a trap ends the launch; the results of all its threads are lost";
      f.fix = "find out why the condition does not hold for this thread";
      break;
    case fault_kind::exception:
      f.rule = rule::device_exception;
      f.message = fmt::format("{} of kernel {} threw an exception: {}", actor, request.name, fault.text);
      f.why = "there are no exceptions on a GPU: this kernel would not compile there";
      f.fix = "write an error code to memory instead of throwing";
      break;
    case fault_kind::deadlock:
      f.rule = rule::deadlock;
      f.message = fmt::format("kernel {} cannot go on: {}", request.name, fault.text);
      f.why = "no thread that could end the wait is left";
      f.fix = "make every thread that is waited for arrive";
      break;
    case fault_kind::hang:
      f.rule = rule::hang;
      f.message = fmt::format("kernel {} does not end: {}", request.name, fault.text);
      f.why = "the flag or lock that they wait for is never set; a kernel runs where it is launched, so what its host thread sets after the launch comes too late";
      f.fix = "look at what should have set it: a thread that left, a block that was never resident, a missing store";
      break;
    case fault_kind::timeout:
      f.rule = rule::hang;
      f.message = fmt::format("kernel {} did not end within the time limit", request.name);
      f.why = "given up by --timeout";
      f.fix = "look at the loop shown: one that waits for another thread must read by an atomic or volatile; raise --timeout if the kernel is only slow";
      break;
    case fault_kind::warp_mask:
      f.rule = rule::warp_mask;
      f.message = fmt::format("{} of kernel {}: {}", actor, request.name, fault.text);
      f.why = "every lane that a mask names, and no other, must execute the same warp operation with the same mask";
      f.fix = "name the lanes that take part: compute the mask before the branch, with ballot(active, condition)";
      break;
    case fault_kind::launch_limit:
      f.rule = rule::device_trap;
      f.message = fault.text;
      break;
  }
  access side;
  side.pc = fault.pc;
  side.state = deed(fault.kind);
  side.callers.assign(fault.callers, fault.callers + fault.caller_count);
  side.block = fault.block >= 0 ? position(fault.block, request.grid) : index3{};
  side.thread = fault.thread >= 0 ? position(fault.thread, request.block) : index3{};
  side.kind = fault.write ? access_kind::write : access_kind::read;
  if (fault.pc != 0 || fault.block >= 0 || fault.caller_count > 0) f.accesses.push_back(side);
  for (const auto& w : fault.waiters) {
    access a;
    a.pc = w.pc;
    a.block = position(w.block, request.grid);
    a.thread = position(w.thread, request.block);
    a.state = waits_for(w);
    f.accesses.push_back(std::move(a));
  }
  f.count = std::max<std::int64_t>(1, fault.waiting);
  return f;
}

void throw_fault(const launch_request& request, const fault_record& fault) {
  finding f = describe_fault(request, fault);
  const std::string message = f.message + (f.fix.empty() ? "" : "; " + f.fix);
  if (fault.kind == fault_kind::launch_limit) throw error(error_kind::launch_limit, message);
  {
    std::lock_guard lock(kept_mutex);
    kept.push_back(std::move(f));
  }
  throw error(error_kind::device_fault, message);
}

std::vector<finding> take_faults() {
  std::lock_guard lock(kept_mutex);
  return std::exchange(kept, {});
}

}  // namespace simt::sim
