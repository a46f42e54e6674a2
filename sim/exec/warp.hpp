// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp that meet: sync, shuffles, votes, matches, reductions. The inline part is the hot path of the sim
// variant; sim/exec/warp.cpp has the rest.
//
// A lane brings (mask, operation, value). Lanes with the same mask and the same operation form one meeting; it is
// complete when every lane of the mask has arrived, has left the kernel, or never existed (CUDA Programming Guide,
// "Warp Vote/Shuffle/Reduce Functions": all non-exited threads named in mask must execute the same intrinsic with
// the same mask). The last to arrive works out every lane's result and goes on; each of the others was switched away
// from once and is switched to once.
//
// Invariants
// - A lane is in at most one meeting; a forming meeting has at least one lane, so 32 entries a warp are enough.
// - in[l] is read only by the lane that completes the meeting of lane l, out[l] only by lane l before its next
//   operation: nothing needs a second buffer.
// - A meeting forms in the entry of its mask's lowest lane unless another mask's meeting is there (a stray).
#pragma once

#include <bit>
#include <cstdint>

#include <sim/exec/executors/fiber_calls.hpp>

#include <sim/exec/warp_op_kind.hpp>

namespace simt::sim {

enum class warp_op : std::uint8_t {
  sync,
  shuffle,  // value of lane `param`
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  any,
  all,
  ballot,
  match_any,
  match_all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
};
// How reductions read their values.
enum class lane_type : std::uint8_t { u32, s32, u64, s64, f32, f64 };

inline constexpr int kLanes = 32;

struct warp_meeting {
  std::uint32_t mask = 0;
  std::uint32_t arrived = 0;  // 0: the entry is free
  warp_op op = warp_op::sync;
  lane_type type = lane_type::u32;
  std::uintptr_t pc = 0;  // call site of the first to arrive (check variant)
  fiber_list waiters;
};

struct active_site;
struct fault_record;

struct warp_state {
  std::uint64_t in[kLanes];
  std::uint64_t out[kLanes];
  std::uint32_t param[kLanes];
  warp_meeting meeting[kLanes];
  std::uint32_t strays = 0;        // meetings that form in another entry than their own
  std::uint32_t meetings = 0;      // completed
  std::uint32_t releases = 0;      // how often lanes that waited for others could go on
  std::uint32_t active_ready = 0;  // lanes whose activemask is known
  active_site* sites = nullptr;    // activemask calls in progress
};

// Makes b.warps usable: first warp operation of a block. Engine, after detach().
void start_warps(block_context& b);
void free_warps(block_context& b);

// Results of a complete meeting for all its lanes, and the observer's event.
void finish_meeting(block_context& b, std::int32_t warp, warp_meeting& m);
// The entry of a meeting that is not where it should be.
warp_meeting& find_stray_meeting(warp_state& w, std::uint32_t mask, warp_op op, lane_type type);
[[noreturn]] void raise_own_lane_missing(block_context& b, std::int32_t rank, std::int64_t block_index,
                                         std::uint32_t mask, std::uintptr_t pc);

[[gnu::always_inline]] inline void mark_exited(block_context& b, std::int32_t rank) {
  const auto r = static_cast<std::uint32_t>(rank);
  b.exited[r / kLanes] |= 1u << r % kLanes;
}
// Thread `rank` has exited the kernel, which may complete meetings.
void lane_exited(block_context& b, std::int32_t rank);

[[gnu::always_inline]] inline warp_meeting& find_meeting(warp_state& w, std::uint32_t mask, warp_op op,
                                                         lane_type type) {
  warp_meeting& m = w.meeting[std::countr_zero(mask)];
  if (m.arrived == 0 && w.strays == 0) [[likely]] {
    m.mask = mask;
    m.op = op;
    m.type = type;
    return m;
  }
  if (m.arrived != 0 && m.mask == mask && m.op == op && m.type == type) [[likely]]
    return m;
  return find_stray_meeting(w, mask, op, type);
}

// Wakes the waiters of a complete meeting. First: they come next, so that a warp's stacks stay in the cache; every so
// often they go to the end of the queue all the same, so that a warp that polls memory does not starve the others.
template <bool First>
[[gnu::always_inline]] inline void open_meeting(block_context& b, warp_state& w, warp_meeting& m) {
  constexpr std::uint32_t kFairness = 64;
  if (&m != &w.meeting[std::countr_zero(m.mask)]) --w.strays;
  m.arrived = 0;
  ++b.warp_meetings;
  fiber_list& ready = b.queue->ready;
  if (First && ++w.meetings % kFairness != 0) {
    m.waiters.splice_back(ready);
    ready = m.waiters;
    m.waiters = {};
  } else {
    ready.splice_back(m.waiters);
  }
}

SIMT_WAIT inline std::uint64_t warp_meet(block_context& b, std::int32_t rank, std::int64_t block_index,
                                         std::uint32_t mask, warp_op op, lane_type type, std::uint64_t value,
                                         std::uint32_t param) {
  run_queue& q = *b.queue;
  const std::int32_t warp = rank / kLanes, lane = rank % kLanes;
  if (!(mask >> lane & 1)) [[unlikely]]
    raise_own_lane_missing(b, rank, block_index, mask, 0);
  if (!q.current->thread.has_stack) [[unlikely]]
    detach(b, rank, block_index);
  if (b.warps == nullptr) [[unlikely]]
    start_warps(b);
  warp_state& w = b.warps[warp];
  fiber& self = *q.current;
  begin_step(q);
  self.thread.waits = wait_kind::warp;
  w.in[lane] = value;
  w.param[lane] = param;
  warp_meeting& m = find_meeting(w, mask, op, type);
  m.arrived |= 1u << lane;
  if (((m.arrived | b.exited[warp]) & mask) == mask) {
    if (op != warp_op::sync) finish_meeting(b, warp, m);
    open_meeting<true>(b, w, m);
    self.thread.waits = wait_kind::none;
    end_step(q);
    return w.out[lane];
  }
  self.thread.lane_mask = mask;
  m.waiters.push_back(&self);
  run_next(q);
  self.thread.waits = wait_kind::none;
  return w.out[lane];
}

// Lanes of warp `warp` that exist.
[[gnu::always_inline]] inline std::uint32_t existing_lanes(const block_context& b, std::int32_t warp) {
  const std::int32_t n = b.threads - warp * kLanes;
  return n >= kLanes ? ~0u : (1u << n) - 1;
}

warp_op_kind kind_of(warp_op op);

// For loops over the lanes of a warp that the compiler pass has made (sim/compile/warp_operations.cpp knows the names
// and numbers): what each of the lanes `live` gets of an operation among the tiles of `tile` lanes. Shuffles and votes
// are not among the operations.
static_assert(static_cast<int>(warp_op::shuffle) == 1 && static_cast<int>(warp_op::shuffle_xor) == 4 &&
              static_cast<int>(warp_op::any) == 5 && static_cast<int>(warp_op::match_all) == 9);
extern "C" void simt_loop_warp(std::uint32_t op, std::uint32_t type, std::uint32_t live, std::uint32_t tile,
                               const std::uint64_t* in, std::uint64_t* out);

// The same where lanes name others by masks of their own.
extern "C" void simt_loop_warp_of_masks(std::uint32_t op, std::uint32_t type, std::uint32_t live,
                                        const std::uint32_t* masks, const std::uint64_t* in, std::uint64_t* out);
// The lanes `live` of the warp that begins at thread `first` have come to `op` with these masks. A fault if a lane does
// not name itself, or one that it names names others: that one never comes to the same meeting.
extern "C" void simt_loop_masks(block_context& b, std::uint32_t first, std::uint32_t live, const std::uint32_t* masks,
                                std::uint32_t op);

// To the observer, if there is one: the lanes `arrived` of a warp have done `op` together, which names `mask`. sources:
// of shuffles, whose value each lane asked for.
void announce_meeting(block_context& b, std::int32_t warp, warp_op op, std::uint32_t mask, std::uint32_t arrived,
                      const std::uint32_t* sources, std::uintptr_t pc);

// A launch that cannot go on, with lanes among the waiting: makes it a fault of their masks, which says who never came.
void blame_warp_masks(const worker& w, fault_record& fault);

}  // namespace simt::sim
