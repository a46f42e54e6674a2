// SPDX-License-Identifier: Apache-2.0
// Pairs: blocks of one launch; locks, tickets and chains between them.
#include "suite.hpp"

namespace {
using simt::launch_config, simt::memory_order, simt::thread, simt::view;
using suite::zeros;

constexpr const char* kBlocks = "between blocks";
constexpr const char* kLock = "locks, tickets, chains";

template <bool Defect>
SIMT_DEVICE void overlap(thread t, view<int> x) {
  x[t.grid<1>()] = t.rank() + 1;
  if constexpr (Defect) {
    if (t.rank() == 0) x[(t.grid<1>() + 32) % 64] = 9;
  }
}
PAIR(blocks_write_one_cell, kBlocks, race_global, "x") {
  auto x = zeros<int>(64);
  TWIN(overlap, (launch_config{2, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void neighbour_cell(thread t, view<const int> x, view<int> y) {
  const auto i = t.grid<1>();
  y[i] = x[i];
  if constexpr (Defect)
    y[i] += y[(i + 1) % 64];
  else
    y[i] += x[(i + 1) % 64];
}
PAIR(stencil_in_place_across_blocks, kBlocks, race_global, "y") {
  auto x = zeros<int>(64, "x"), y = zeros<int>(64, "y");
  TWIN(neighbour_cell, (launch_config{4, 16}), x, y);
}

template <bool Defect>
SIMT_DEVICE void total(thread t, view<int> x) {
  if constexpr (Defect)
    x[0] += t.rank() + 1;
  else
    t.atomic_add(x[0], t.rank() + 1);
}
PAIR(counter, kBlocks, race_global, "x") {
  auto x = zeros<int>(1);
  TWIN(total, (launch_config{4, 1}), x);
}

// The guess of another thread behind a barrier takes nothing away from the first read (docs/decisions/0069).
template <bool Defect>
SIMT_DEVICE void read_then_guess(thread t, view<int> x, view<int> y) {
  if (t.block_idx().x == 1) {
    if (t.rank() == 0) t.atomic_add(x[0], 1);
    return;
  }
  if (t.rank() == 0) {
    if constexpr (Defect)
      y[0] = x[0];
    else
      y[0] = t.atomic_add(x[0], 0);
  }
  t.sync();
  if (t.rank() == 40) {
    int seen = x[0];
    for (int wanted = seen - 1; wanted != seen;) {
      wanted = seen;
      seen = t.atomic_cas(x[0], wanted, wanted + 1);
    }
  }
}
PAIR(a_read_before_a_guess, kBlocks, race_global, "x") {
  auto x = zeros<int>(1, "x"), y = zeros<int>(1, "y");
  TWIN(read_then_guess, (launch_config{2, 64}), x, y);
}

template <bool Defect>
SIMT_DEVICE void mixed_sizes(thread t, view<int> x) {
  if (t.block_idx().x == 0)
    t.atomic_add(x[0], 1);
  else if constexpr (Defect)
    t.atomic_add(*reinterpret_cast<long long*>(&x[0]), 1LL);
  else
    t.atomic_add(x[0], 1);
}
PAIR(atomics_of_two_sizes, kBlocks, race_global, "x") {
  auto x = zeros<int>(2);
  TWIN(mixed_sizes, (launch_config{2, 1}), x);
}

template <bool Defect>
SIMT_DEVICE void spin_lock(thread t, view<int> lock, view<int> x) {
  if (t.rank() != 0) return;
  while (t.atomic_cas(lock[0], 0, 1, memory_order::acquire) != 0) {
  }
  x[0] += 1;
  if constexpr (Defect)
    t.atomic_exch(lock[0], 0);
  else
    t.atomic_store(lock[0], 0, memory_order::release);
}
PAIR(lock_without_release, kLock, race_global, "x") {
  auto l = zeros<int>(1, "lock"), x = zeros<int>(1, "x");
  TWIN(spin_lock, (launch_config{4, 32}), l, x);
}

template <bool Defect>
SIMT_DEVICE void unlocked_read(thread t, view<int> lock, view<int> x, view<int> y) {
  while (t.atomic_cas(lock[0], 0, 1, memory_order::acquire) != 0) {
  }
  x[0] += 1;
  if constexpr (!Defect) y[t.block_idx().x] = x[0];
  t.atomic_store(lock[0], 0, memory_order::release);
  if constexpr (Defect) y[t.block_idx().x] = x[0];
}
PAIR(read_after_unlock, kLock, race_global, "x") {
  auto l = zeros<int>(1, "lock"), x = zeros<int>(1, "x"), y = zeros<int>(4, "y");
  TWIN(unlocked_read, (launch_config{4, 1}), l, x, y);
}

template <bool Defect>
SIMT_DEVICE void last_block(thread t, view<int> parts, view<int> ticket, view<int> out) {
  auto& last = t.shared<"last", int[1]>();
  if (t.rank() == 0) parts[t.block_idx().x] = static_cast<int>(t.block_idx().x);
  if constexpr (!Defect) t.threadfence();
  if (t.rank() == 0) last[0] = t.atomic_add(ticket[0], 1) == t.grid_dim().x - 1;
  t.sync();
  if (last[0] && t.rank() == 0) {
    t.threadfence();
    int sum = 0;
    for (int i = 0; i < t.grid_dim().x; ++i) sum += parts[i];
    out[0] = sum;
  }
}
PAIR(last_block_done_without_fence, kLock, race_global, "parts") {
  auto p = zeros<int>(4, "parts"), k = zeros<int>(1, "ticket"), o = zeros<int>(1, "out");
  TWIN(last_block, (launch_config{4, 32}), p, k, o);
}

template <bool Defect>
SIMT_DEVICE void look_back(thread t, view<int> sum, view<int> ready, view<int> out) {
  const auto b = t.block_idx().x;
  int before = 0;
  if (b > 0) {
    while (t.atomic_load(ready[b - 1], memory_order::acquire) == 0) {
    }
    before = sum[b - 1];
  }
  sum[b] = before + 1;
  t.atomic_store(ready[b], 1, Defect ? memory_order::relaxed : memory_order::release);
  out[b] = before;
}
PAIR(look_back_chain, kLock, race_global, "sum") {
  auto s = zeros<int>(8, "sum"), r = zeros<int>(8, "ready"), o = zeros<int>(8, "out");
  TWIN(look_back, (launch_config{8, 1}), s, r, o);
}

template <bool Defect>
SIMT_DEVICE void transitive(thread t, view<int> data, view<int> flag, view<int> out) {
  const auto b = t.block_idx().x;
  if (b == 0) {
    data[0] = 1;
    t.atomic_store(flag[0], 1, memory_order::release);
  } else if (b == 1) {
    while (t.atomic_load(flag[0], Defect ? memory_order::relaxed : memory_order::acquire) == 0) {
    }
    t.atomic_store(flag[1], 1, memory_order::release);
  } else {
    while (t.atomic_load(flag[1], memory_order::acquire) == 0) {
    }
    out[0] = data[0];
  }
}
PAIR(order_through_a_third_block, kLock, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(2, "flag"), o = zeros<int>(1, "out");
  TWIN(transitive, (launch_config{3, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void barrier_passes_on(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[t.rank()] = 1;
    t.sync();
    if (t.rank() == 0) {
      t.threadfence();
      t.atomic_exch(flag[0], 1);
    }
  } else {
    if (t.rank() == 0) {
      while (t.atomic_load(flag[0]) == 0) {
      }
      t.threadfence();
    }
    if constexpr (!Defect) t.sync();
    out[t.rank()] = data[t.rank()];
  }
}
PAIR(barrier_passes_knowledge_on, kLock, race_global, "data") {
  auto d = zeros<int>(64, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(64, "out");
  TWIN(barrier_passes_on, (launch_config{2, 64}), d, f, o);
}

}  // namespace
