// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/warp.hpp>

#include <cstdio>
#include <cstring>
#include <string>

#include <sim/exec/observer.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/exec/warp_reductions.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

constexpr int kMostTurns = 256;  // of a lane that waits for others to come to its activemask

struct active_site {
  const char* file;
  int line;
  std::uintptr_t pc;
  std::uint32_t arrived;
  active_site* next;
};

namespace {

// By a table of the first lane of each value, because there may be as many values as lanes.
void match(std::uint32_t lanes, const std::uint64_t* in, std::uint64_t* out) {
  constexpr std::uint32_t kPlaces = 64;
  constexpr std::uint8_t kNone = 0xff;
  std::uint8_t first[kPlaces], first_of[kLanes];
  std::uint32_t same[kLanes];
  std::memset(first, kNone, sizeof first);
  for_lanes(lanes, [&](int l) {
    std::uint32_t at = in[l] * 0x9e3779b97f4a7c15u >> 58;
    while (first[at] != kNone && in[first[at]] != in[l]) at = (at + 1) % kPlaces;
    if (first[at] == kNone) first[at] = static_cast<std::uint8_t>(l), same[l] = 0;
    first_of[l] = first[at];
    same[first_of[l]] |= 1u << l;
  });
  for_lanes(lanes, [&](int l) { out[l] = same[first_of[l]]; });
}

// Matches and reductions: what each of `lanes` gets.
void give(warp_op op, lane_type type, std::uint32_t lanes, const std::uint64_t* in, std::uint64_t* out) {
  switch (op) {
    case warp_op::match_any:
      match(lanes, in, out);
      break;
    case warp_op::match_all: {
      const std::uint64_t value = in[std::countr_zero(lanes)];
      bool same = true;
      for_lanes(lanes, [&](int l) { same = same && in[l] == value; });
      for_lanes(lanes, [&](int l) { out[l] = same ? lanes : 0; });
      break;
    }
    default: {
      const std::uint64_t common = reduce(in, lanes, op, type);
      for_lanes(lanes, [&](int l) { out[l] = common; });
    }
  }
}

}  // namespace

warp_op_kind kind_of(warp_op op) {
  switch (op) {
    case warp_op::sync:
      return warp_op_kind::sync;
    case warp_op::shuffle:
    case warp_op::shuffle_up:
    case warp_op::shuffle_down:
    case warp_op::shuffle_xor:
      return warp_op_kind::shuffle;
    case warp_op::any:
    case warp_op::all:
    case warp_op::ballot:
      return warp_op_kind::vote;
    case warp_op::match_any:
    case warp_op::match_all:
      return warp_op_kind::match;
    default:
      return warp_op_kind::reduction;
  }
}

void announce_meeting(block_context& b, std::int32_t warp, warp_op op, std::uint32_t mask, std::uint32_t arrived,
                      const std::uint32_t* sources, std::uintptr_t pc) {
  observer* const o = current_observer();
  if (o == nullptr) return;
  // Shuffles, votes, matches and reductions do not order memory (CUDA C++ Programming Guide, at each of them).
  if (op == warp_op::sync) o->warp_synced(b, warp, arrived);
  const std::int32_t speaker = warp * kLanes + std::countr_zero(arrived);
  if (const std::uint32_t missing = mask & ~arrived & existing_lanes(b, warp); missing != 0)
    o->warp_lanes_left(b, speaker, mask, missing, kind_of(op), pc);
  if (op >= warp_op::shuffle && op <= warp_op::shuffle_xor)
    for_lanes(arrived, [&](int l) {
      if (!(arrived >> sources[l] & 1))
        o->shuffle_from_absent_lane(b, warp * kLanes + l, mask, static_cast<int>(sources[l]), pc);
    });
}

void start_warps(block_context& b) {
  const uninterrupted lists(b.queue->owner);
  if (b.warps != nullptr) return;  // another lane did, while a signal had suspended this one on its way here
  const std::int32_t warps = (b.threads + kLanes - 1) / kLanes;
  if (b.warp_capacity < warps) {
    delete[] b.warp_storage;
    b.warp_storage = new warp_state[static_cast<std::size_t>(warps)];
    b.warp_capacity = warps;
  }
  b.warps = b.warp_storage;
  for (std::int32_t i = 0; i < warps; ++i) {  // all free already, unless a launch was abandoned
    warp_state& w = b.warps[i];
    for (warp_meeting& m : w.meeting) m.arrived = 0, m.waiters = {};
    w.strays = w.meetings = w.releases = w.active_ready = 0;
    while (active_site* s = w.sites) {
      w.sites = s->next;
      delete s;
    }
  }
}

void free_warps(block_context& b) {
  for (std::int32_t i = 0; i < b.warp_capacity; ++i)
    while (active_site* s = b.warp_storage[i].sites) {
      b.warp_storage[i].sites = s->next;
      delete s;
    }
  delete[] b.warp_storage;
  b.warp_storage = b.warps = nullptr;
  b.warp_capacity = 0;
}

warp_meeting& find_stray_meeting(warp_state& w, std::uint32_t mask, warp_op op, lane_type type) {
  warp_meeting* free_entry = nullptr;
  for (warp_meeting& m : w.meeting) {
    if (m.arrived != 0 && m.mask == mask && m.op == op && m.type == type) return m;
    if (m.arrived == 0 && (free_entry == nullptr || &m == &w.meeting[std::countr_zero(mask)])) free_entry = &m;
  }
  if (free_entry == nullptr) {
    std::fprintf(stderr, "simt: 32 meetings of one warp and one more: a lane is in two\n");
    std::abort();
  }
  if (free_entry != &w.meeting[std::countr_zero(mask)]) ++w.strays;
  free_entry->mask = mask;
  free_entry->op = op;
  free_entry->type = type;
  return *free_entry;
}

void finish_meeting(block_context& b, std::int32_t warp, warp_meeting& m) {
  warp_state& w = b.warps[warp];
  ++w.releases;
  const std::uint32_t lanes = m.arrived;
  std::uint64_t common = 0;
  switch (m.op) {
    case warp_op::sync:
      break;
    case warp_op::shuffle:
    case warp_op::shuffle_up:
    case warp_op::shuffle_down:
    case warp_op::shuffle_xor:
      // A lane that is not here has no value to give: the result is undefined on a GPU, 0 here.
      for_lanes(lanes, [&](int l) { w.out[l] = lanes >> w.param[l] & 1 ? w.in[w.param[l]] : 0; });
      break;
    case warp_op::any:
    case warp_op::all:
    case warp_op::ballot:
      for_lanes(lanes, [&](int l) { common |= (w.in[l] != 0 ? 1u : 0u) << l; });
      if (m.op == warp_op::any) common = common != 0;
      if (m.op == warp_op::all) common = common == lanes;
      for_lanes(lanes, [&](int l) { w.out[l] = common; });
      break;
    default:
      give(m.op, m.type, lanes, w.in, w.out);
  }
  announce_meeting(b, warp, m.op, m.mask, m.arrived, w.param, m.pc);
}

namespace {
// Whether each of `live` names itself, and all of them whom it names name the same ones.
bool name_each_other(std::uint32_t live, const std::uint32_t* masks) {
  const std::uint32_t one = masks[std::countr_zero(live)];  // of all of them, mostly
  std::uint32_t others = live & ~one;
  for (int l = 0; l < kLanes; ++l) others |= (masks[l] ^ one) & (0 - (live >> l & 1));
  if (others == 0) return true;
  // Else meetings are told apart by their first lane: nobody is in two, and each names what its first one does.
  std::uint32_t wrong = 0, taken = 0;
  for (std::uint32_t left = live; left != 0; left &= left - 1) {
    const int l = std::countr_zero(left);
    const std::uint32_t mask = masks[l] & live;
    if (!(mask >> l & 1)) return false;
    const int leader = std::countr_zero(mask);
    wrong |= masks[l] ^ masks[leader];
    if (leader != l) continue;
    wrong |= mask & taken;
    taken |= mask;
  }
  return wrong == 0;
}
}  // namespace

void simt_loop_warp(std::uint32_t op, std::uint32_t type, std::uint32_t live, std::uint32_t tile,
                    const std::uint64_t* in, std::uint64_t* out) {
  const std::uint32_t first_tile = tile == kLanes ? ~0u : (1u << tile) - 1;
  for (std::uint32_t first = 0; first < kLanes; first += tile)
    if (const std::uint32_t lanes = live & first_tile << first; lanes != 0)
      give(static_cast<warp_op>(op), static_cast<lane_type>(type), lanes, in, out);
}

void simt_loop_warp_of_masks(std::uint32_t op, std::uint32_t type, std::uint32_t live, const std::uint32_t* masks,
                             const std::uint64_t* in, std::uint64_t* out) {
  const auto reduction = static_cast<warp_op>(op);
  if (reduction >= warp_op::reduce_add)
    return with_reduction(reduction, static_cast<lane_type>(type), [&](auto sample, const auto& f) {
      reduce_meetings<decltype(sample)>(live, masks, in, out, f);
    });
  for (std::uint32_t left = live; left != 0;) {
    const std::uint32_t lanes = masks[std::countr_zero(left)] & live;
    give(static_cast<warp_op>(op), static_cast<lane_type>(type), lanes, in, out);
    left &= ~lanes;
  }
}

void simt_loop_masks(block_context& b, std::uint32_t first, std::uint32_t live, const std::uint32_t* masks,
                     std::uint32_t op) {
  if (name_each_other(live, masks)) return;
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  for_lanes(live, [&](int l) {
    if (!(masks[l] >> l & 1)) raise_own_lane_missing(b, static_cast<std::int32_t>(first) + l, b.index, masks[l], pc);
  });
  for (std::uint32_t left = live; left != 0;) {
    const int lane = std::countr_zero(left);
    const std::uint32_t mask = masks[lane];
    const auto rank = static_cast<std::int32_t>(first) + lane;
    std::uint32_t absent = mask & live & ~left;  // those that are in a meeting without this lane
    for_lanes(mask & left, [&](int l) { absent |= (masks[l] != mask ? 1u : 0u) << l; });
    if (absent != 0) {
      fault_record fault{.kind = fault_kind::lanes_missing, .pc = pc, .block = b.index, .thread = rank};
      fault.operation = kind_of(static_cast<warp_op>(op));
      fault.mask = mask;
      fault.lanes = absent;
      raise_fault(b, std::move(fault));
    }
    left &= ~mask;
  }
}

void raise_own_lane_missing(block_context& b, std::int32_t rank, std::int64_t block_index, std::uint32_t mask,
                            std::uintptr_t pc) {
  fault_record fault{.kind = fault_kind::own_lane, .pc = pc, .block = block_index, .thread = rank};
  fault.mask = mask;
  raise_fault(b, std::move(fault));
}

void lane_exited(block_context& b, std::int32_t rank) {
  mark_exited(b, rank);
  const std::int32_t warp = rank / kLanes;
  if (b.warps == nullptr) return;
  warp_state& w = b.warps[warp];
  for (warp_meeting& m : w.meeting)
    if (m.arrived != 0 && ((m.arrived | b.exited[warp]) & m.mask) == m.mask) {
      finish_meeting(b, warp, m);
      open_meeting<false>(b, w, m);
    }
}

void blame_warp_masks(const worker& w, fault_record& fault) {
  for (const block_context* b : w.residents.active()) {
    if (b->warps == nullptr) continue;
    for (std::int32_t warp = 0; warp * kLanes < b->threads; ++warp)
      for (const warp_meeting& m : b->warps[warp].meeting) {
        if (m.arrived == 0) continue;
        const std::uint32_t absent = m.mask & ~m.arrived & ~b->exited[warp];
        fault.kind = fault_kind::lanes_missing;
        fault.operation = kind_of(m.op);
        fault.mask = m.mask;
        fault.lanes = absent;
        fault.pc = m.pc;
        fault.block = b->index;
        fault.thread = warp * kLanes + std::countr_zero(m.arrived);
        return;
      }
  }
}

std::uint32_t active_lanes(block_context& b, std::int32_t rank, std::int64_t block_index, const char* file, int line,
                           std::uintptr_t pc) {
  if (pc == 0) pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  run_queue& q = *b.queue;
  if (!q.current->thread.has_stack) detach(b, rank, block_index);
  if (b.warps == nullptr) start_warps(b);
  warp_state& w = b.warps[rank / kLanes];
  const std::uint32_t self = 1u << rank % kLanes;
  active_site* s;
  {
    const uninterrupted lists(q.owner);
    s = w.sites;
    while (s != nullptr && !(s->pc == pc && s->line == line && (s->file == file || std::strcmp(s->file, file) == 0)))
      s = s->next;
    if (s == nullptr) s = w.sites = new active_site{file, line, pc, 0, w.sites};
    s->arrived |= self;
    w.active_ready &= ~self;
  }
  // When this lane's turn comes again, every other lane of the warp has run until it waits or leaves. Where some could
  // go on meanwhile, they may be on their way here: one more turn. The bound is for lanes that meet again and again.
  std::uint32_t released = 0;
  for (int turn = 0; turn == 0 || (turn < kMostTurns && w.releases != released && !(w.active_ready & self)); ++turn) {
    released = w.releases;
    // Looking whether there is another belongs to the step: while a signal has suspended this one, the rest may end.
    begin_step(q);
    if (q.ready.empty()) {
      end_step(q);
      break;
    }
    q.ready.push_back(q.current);
    run_next(q);
  }
  const uninterrupted lists(q.owner);
  if (!(w.active_ready & self)) {  // the first to come back settles the mask for all
    const std::uint32_t lanes = s->arrived;
    for_lanes(lanes, [&](int l) { w.out[l] = lanes; });
    w.active_ready |= lanes;
    ++w.releases;
    for (active_site** at = &w.sites; *at != nullptr; at = &(*at)->next)
      if (*at == s) {
        *at = s->next;
        break;
      }
    delete s;
  }
  return static_cast<std::uint32_t>(w.out[rank % kLanes]);
}

}  // namespace simt::sim
