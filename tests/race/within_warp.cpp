// SPDX-License-Identifier: Apache-2.0
// Pairs: threads of one warp.
#include "suite.hpp"

namespace {
using simt::kFullMask, simt::launch_config, simt::thread, simt::view;
using suite::zeros;

constexpr const char* kWarp = "within a warp";

template <bool Defect>
SIMT_DEVICE void lane_exchange(thread t, view<int> x) {
  auto& s = t.shared<"s", int[32]>();
  s[t.lane()] = t.lane();
  if constexpr (!Defect) t.sync_warp(0xffffffff);
  x[t.lane()] = s[(t.lane() + 1) % 32];
}
PAIR(warp_sync_missing, kWarp, race_shared, "s") {
  auto x = zeros<int>(32);
  TWIN(lane_exchange, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void half_mask(thread t, view<int> x) {
  auto& s = t.shared<"s", int[32]>();
  s[t.lane()] = t.lane();
  const bool low = t.lane() < 16;
  t.sync_warp(low ? 0x0000ffffu : 0xffff0000u);
  x[t.lane()] = s[Defect ? (t.lane() + 16) % 32 : t.lane() ^ 1];
}
PAIR(warp_mask_too_small, kWarp, race_shared, "s") {
  auto x = zeros<int>(32);
  TWIN(half_mask, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void chained_masks(thread t, view<int> x) {
  auto& s = t.shared<"s", int[1]>();
  if (t.lane() == 0) s[0] = 7;
  if (t.lane() < 2) t.sync_warp(0x3);
  if (t.lane() >= 1 && t.lane() < 3) t.sync_warp(0x6);
  if (t.lane() == (Defect ? 3 : 2)) x[0] = s[0];
}
PAIR(warp_masks_chain, kWarp, race_shared, "s") {
  auto x = zeros<int>(1);
  TWIN(chained_masks, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void shuffle_reduce(thread t, view<int> x) {
  auto& parts = t.shared<"parts", int[2]>();
  const int sum = t.reduce_add(kFullMask, t.rank());
  if (t.lane() == 0) parts[t.warp()] = sum;
  if constexpr (!Defect) t.sync();
  if (t.rank() == 0) x[0] = parts[0] + parts[1];
}
PAIR(warp_sums_without_barrier, kWarp, race_shared, "parts") {
  auto x = zeros<int>(1);
  TWIN(shuffle_reduce, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void lanes_one_cell(thread t, view<int> x) {
  if (Defect || t.lane() == 0) x[0] = t.lane() + 1;
}
PAIR(lanes_write_one_cell, kWarp, race_global, "x") {
  auto x = zeros<int>(1);
  TWIN(lanes_one_cell, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void warp_sync_not_block(thread t, view<int> x) {
  auto& s = t.shared<"s", int[64]>();
  s[t.rank()] = 1;
  if constexpr (Defect)
    t.sync_warp(kFullMask);
  else
    t.sync();
  x[t.rank()] = s[63 - t.rank()];
}
PAIR(warp_sync_where_block_is_needed, kWarp, race_shared, "s") {
  auto x = zeros<int>(64);
  TWIN(warp_sync_not_block, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void partial_last_warp(thread t, view<int> x) {
  auto& s = t.shared<"s", int[40]>();
  s[t.rank()] = t.rank();
  if constexpr (!Defect) t.sync_warp(kFullMask);
  const int first = t.warp() * 32, count = first + 32 <= 40 ? 32 : 8;
  x[t.rank()] = s[first + (t.lane() + 1) % count];
}
PAIR(partial_last_warp, kWarp, race_shared, "s") {
  auto x = zeros<int>(40);
  TWIN(::partial_last_warp, (launch_config{1, 40}), x);
}

// Lanes meet in shuffles, votes, matches and reductions, but none of these orders memory.
enum class meeting { shuffle, shuffle_up, shuffle_down, shuffle_xor, any, all, ballot, match_any, match_all, reduce };
template <bool Defect, meeting How>
SIMT_DEVICE void lanes_meet(thread t, view<int> x) {
  auto& s = t.shared<"s", int[32]>();
  s[t.lane()] = t.lane();
  if constexpr (!Defect) t.sync_warp(kFullMask);
  int met = 0;
  if constexpr (How == meeting::shuffle) met = t.shuffle(kFullMask, 1, 0);
  if constexpr (How == meeting::shuffle_up) met = t.shuffle_up(kFullMask, 1, 1);
  if constexpr (How == meeting::shuffle_down) met = t.shuffle_down(kFullMask, 1, 1);
  if constexpr (How == meeting::shuffle_xor) met = t.shuffle_xor(kFullMask, 1, 1);
  if constexpr (How == meeting::any) met = t.any(kFullMask, true);
  if constexpr (How == meeting::all) met = t.all(kFullMask, true);
  if constexpr (How == meeting::ballot) met = static_cast<int>(t.ballot(kFullMask, true));
  if constexpr (How == meeting::match_any) met = static_cast<int>(t.match_any(kFullMask, 1));
  if constexpr (How == meeting::match_all) met = static_cast<int>(t.match_all(kFullMask, 1));
  if constexpr (How == meeting::reduce) met = t.reduce_add(kFullMask, 1);
  x[t.lane()] = s[(t.lane() + 1) % 32] + met;
}
template <meeting How>
void run_lanes_meet(bool defect) {
  auto x = zeros<int>(32);
  suite::launch_twin<lanes_meet<suite::kRunsDefects, How>, lanes_meet<false, How>>(defect, launch_config{1, 32}, x);
}
PAIR(shuffle_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::shuffle>(defect); }
PAIR(shuffle_up_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::shuffle_up>(defect); }
PAIR(shuffle_down_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::shuffle_down>(defect); }
PAIR(shuffle_xor_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::shuffle_xor>(defect); }
PAIR(any_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::any>(defect); }
PAIR(all_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::all>(defect); }
PAIR(ballot_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::ballot>(defect); }
PAIR(match_any_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::match_any>(defect); }
PAIR(match_all_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::match_all>(defect); }
PAIR(reduce_is_no_sync, kWarp, race_shared, "s") { run_lanes_meet<meeting::reduce>(defect); }

// As warps summed before Volta: volatile, and no lane waits for another.
template <bool Defect>
SIMT_DEVICE void old_warp_sum(thread t, view<int> x) {
  auto& memory = t.shared<"s", int[64]>();
  volatile int* const s = memory;
  const auto lane = static_cast<int>(t.lane());
  s[lane] = lane;
  s[lane + 32] = 0;
  t.sync_warp(simt::kFullMask);
  for (int d = 16; d > 0; d /= 2) {
    const int sum = s[lane] + s[lane + d];
    if constexpr (!Defect) t.sync_warp(simt::kFullMask);
    s[lane] = sum;
    if constexpr (!Defect) t.sync_warp(simt::kFullMask);
  }
  if (lane == 0) x[0] = s[0];
}
PAIR(volatile_keeps_no_lanes_in_step, kWarp, race_shared, "s") {
  auto x = zeros<int>(1);
  TWIN(old_warp_sum, (launch_config{1, 32}), x);
}

// A volatile variable that lanes of one warp poll is a flag, not data; what it announces is data.
template <bool Defect>
SIMT_DEVICE void polled_flag(thread t, view<int> x) {
  auto& data = t.shared<"data", int>();
  auto& flag_memory = t.shared<"flag", int>();
  volatile int& flag = flag_memory;
  if (t.rank() == 0) flag = 0;
  t.sync();
  if (t.rank() == 3) {
    data = 7;
    if constexpr (!Defect) t.threadfence_block();
    flag = 1;
  } else {
    while (flag == 0) t.yield();
    t.threadfence_block();
    if (data == 7) x[t.rank()] = 1;
  }
}
PAIR(flag_of_a_warp_without_fence, kWarp, race_shared, "data") {
  auto x = zeros<int>(40);
  TWIN(polled_flag, (launch_config{1, 40}), x);
}

}  // namespace
