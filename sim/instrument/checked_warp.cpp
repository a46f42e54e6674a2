// SPDX-License-Identifier: Apache-2.0
// Warp operations of the check variant: out of the instrumented code, with call sites.
#include <sim/exec/scheduler/scheduler.hpp>
#include <sim/exec/warp.hpp>
#include <sim/instrument/access_cursor.hpp>
#include <sim/instrument/checked_calls.hpp>

namespace simt::sim {

[[gnu::noinline]] std::uint64_t checked_warp_meet(block_context& b, std::uint32_t mask, warp_op op, lane_type type,
                                                  std::uint64_t value, std::uint32_t param) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  run_queue& q = *b.queue;
  catch_up();
  fiber& self = *q.current;
  const std::int32_t warp = self.thread.rank / kLanes, lane = self.thread.rank % kLanes;
  if (!(mask >> lane & 1)) raise_own_lane_missing(b, self.thread.rank, b.index, mask, pc);
  if (cursor.switches()) schedule_point();
  if (!self.thread.has_stack) detach(b, self.thread.rank, b.index);
  if (b.warps == nullptr) start_warps(b);
  warp_state& w = b.warps[warp];
  w.in[lane] = value;
  w.param[lane] = param;
  warp_meeting& m = find_meeting(w, mask, op, type);
  if (m.arrived == 0) m.pc = pc;
  m.arrived |= 1u << lane;
  self.thread.wait_pc = pc;
  if (((m.arrived | b.exited[warp]) & mask) == mask) {
    finish_meeting(b, warp, m);
    open_meeting<false>(b, w, m);
    const std::uint64_t result = w.out[lane];
    begin_segment(self);  // as those who have waited do, so that its accesses are like theirs
    if (cursor.switches() && b.launch->scheduler->keeps_step()) schedule_point();
    return result;
  }
  self.thread.waits = wait_kind::warp;
  self.thread.lane_mask = mask;
  m.waiters.push_back(&self);
  run_next(q);
  restore_cursor(self);
  self.thread.waits = wait_kind::none;
  return w.out[lane];
}

std::uint32_t checked_active_lanes(block_context& b, const char* file, int line) {
  catch_up();
  fiber& self = *b.queue->current;
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const std::uint32_t lanes = active_lanes(b, self.thread.rank, b.index, file, line, pc);
  restore_cursor(self);
  return lanes;
}

}  // namespace simt::sim
