// SPDX-License-Identifier: Apache-2.0
// Pairs: barriers that do not meet, lanes that never come, blocks and spins that wait for ever.
#include "suite.hpp"

namespace {
using simt::buffer, simt::event, simt::kFullMask, simt::launch_config, simt::memory_order, simt::scope, simt::stream,
    simt::synchronize, simt::thread, simt::view;
using suite::zeros;

constexpr const char* kBarrier = "block barriers";
constexpr const char* kMask = "warp masks";
constexpr const char* kWait = "waits without end";

template <bool Defect>
SIMT_DEVICE void two_barriers(thread t, view<int> x) {
  if (t.rank() < 32) {
    x[t.rank()] = 1;
    if constexpr (Defect) t.sync();
  } else {
    x[t.rank()] = 2;
    if constexpr (Defect) t.sync();
  }
  if constexpr (!Defect) t.sync();
}
PAIR(barrier_in_both_branches, kBarrier, barrier_divergence, "") {
  auto x = zeros<int>(64);
  TWIN(two_barriers, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void uneven_trips(thread t, view<int> x) {
  const int trips = Defect && t.rank() >= 32 ? 2 : 3;
  for (int i = 0; i < trips; ++i) {
    x[t.rank()] += 1;
    t.sync();
  }
}
PAIR(uneven_number_of_barriers, kBarrier, barrier_divergence, "") {
  auto x = zeros<int>(64);
  TWIN(uneven_trips, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void continue_in_loop(thread t, view<int> x) {
  for (int i = 0; i < 4; ++i) {
    if (Defect && i == 3 && t.rank() > 40) continue;
    x[t.rank()] += 1;
    t.sync();
  }
}
PAIR(continue_before_a_barrier, kBarrier, barrier_divergence, "") {
  auto x = zeros<int>(64);
  TWIN(continue_in_loop, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void early_return(thread t, view<int> x) {
  if (Defect && t.rank() >= 50) return;
  if (t.rank() < 50) x[t.rank()] = 1;
  t.sync();
}
PAIR(return_before_the_barrier, kBarrier, barrier_early_exit, "") {
  auto x = zeros<int>(64);
  TWIN(early_return, (launch_config{1, 64}), x);
}

// Nobody waits at another barrier, and nobody has returned before this one.
template <bool Defect>
SIMT_DEVICE void barrier_in_one_branch(thread t, view<int> x) {
  if (!Defect || t.rank() < 16) t.sync();
  x[t.rank()] = 1;
}
PAIR(barrier_gone_around, kBarrier, barrier_divergence, "") {
  auto x = zeros<int>(64);
  TWIN(barrier_in_one_branch, (launch_config{1, 64}), x);
}

template <bool Defect>
SIMT_DEVICE void lanes_that_left(thread t, view<int> x) {
  if (Defect && t.lane() >= 16) return;
  x[t.lane()] = 1;
  t.sync_warp(kFullMask);
}
PAIR(mask_names_lanes_that_left, kMask, warp_mask, "") {
  auto x = zeros<int>(32);
  TWIN(lanes_that_left, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void other_branch(thread t, view<int> x) {
  if (t.lane() < 16)
    t.sync_warp(Defect ? kFullMask : 0x0000ffffu);
  else
    t.sync_warp(0xffff0000u);
  x[t.lane()] = 1;
}
PAIR_ONCE(lanes_in_another_branch, kMask, warp_mask, "") {
  auto x = zeros<int>(32);
  TWIN(other_branch, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void not_in_own_mask(thread t, view<int> x) {
  if (t.lane() < 2) t.sync_warp(Defect ? 0x1u : 0x3u);
  x[t.lane()] = 1;
}
PAIR_ONCE(caller_not_in_its_mask, kMask, warp_mask, "") {
  auto x = zeros<int>(32);
  TWIN(not_in_own_mask, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void flag_never_set(thread t, view<int> flag, view<int> x) {
  if (t.block_idx().x == 0) {
    if constexpr (!Defect) t.atomic_store(flag[0], 1, memory_order::release);
  } else {
    while (t.atomic_load(flag[0], memory_order::acquire) == 0) {
    }
  }
  x[t.grid<1>()] = 1;
}
PAIR_ONCE(flag_never_set, kWait, hang, "") {
  auto f = zeros<int>(1, "flag"), x = zeros<int>(2, "x");
  TWIN(::flag_never_set, (launch_config{2, 1}), f, x);
}

template <bool Defect>
SIMT_DEVICE void crossed_locks(thread t, view<int> lock, view<int> met, view<int> x) {
  const int first = Defect ? static_cast<int>(t.block_idx().x) : 0;
  while (t.atomic_cas(lock[first], 0, 1, memory_order::acquire) != 0) {
  }
  if constexpr (Defect) {
    t.atomic_add(met[0], 1);
    while (t.atomic_load(met[0]) < 2) {
    }
  }
  while (t.atomic_cas(lock[1 - first], 0, 1, memory_order::acquire) != 0) {
  }
  x[0] += 1;
  t.atomic_store(lock[1 - first], 0, memory_order::release);
  t.atomic_store(lock[first], 0, memory_order::release);
}
PAIR_ONCE(locks_taken_crosswise, kWait, hang, "") {
  auto l = zeros<int>(2, "lock"), m = zeros<int>(1, "met"), x = zeros<int>(1, "x");
  TWIN(crossed_locks, (launch_config{2, 1}), l, m, x);
}

template <bool Defect>
SIMT_DEVICE void lock_in_a_warp(thread t, view<int> lock, view<int> x) {
  if (Defect || t.lane() == 0) {
    if (Defect && t.lane() == 0) {
      t.atomic_exch(lock[0], 1);
      return;
    }
    while (t.atomic_cas(lock[0], 0, 1, memory_order::acquire) != 0) {
    }
    x[0] += 1;
    t.atomic_store(lock[0], 0, memory_order::release);
  }
}
PAIR_ONCE(lock_never_released, kWait, hang, "") {
  auto l = zeros<int>(1, "lock"), x = zeros<int>(1, "x");
  TWIN(lock_in_a_warp, (launch_config{1, 32}), l, x);
}

template <bool Defect>
SIMT_DEVICE void divides(thread t, view<const int> d, view<int> x) {
  x[t.rank()] = 100 / (d[t.rank()] + (Defect ? 0 : 1));
}
PAIR_ONCE(integer_division_by_zero, kWait, division_by_zero, "") {
  auto d = zeros<int>(32, "d"), x = zeros<int>(32, "x");
  TWIN(divides, (launch_config{1, 32}), d, x);
}

template <bool Defect>
SIMT_DEVICE void traps(thread t, view<int> x) {
  t.expect(!Defect || t.rank() != 5, "rank 5");
  x[t.rank()] = 1;
}
PAIR_ONCE(expectation_that_fails, kWait, device_trap, "") {
  auto x = zeros<int>(32);
  TWIN(traps, (launch_config{1, 32}), x);
}

}  // namespace
