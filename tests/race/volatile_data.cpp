// SPDX-License-Identifier: Apache-2.0
// Pairs: data and its flag in volatile variables, and the fence between them.
#include "suite.hpp"

namespace {
using simt::launch_config, simt::thread, simt::view;
using suite::zeros;

constexpr const char* kVolatile = "volatile data and its flag";

enum class mistake { writer_none, reader_none, writer_block_scope, writer_behind, writer_before };

// Block 0 hands one number to block 1.
template <mistake Mistake, bool Defect>
SIMT_DEVICE void hand_over(thread t, int* data_at, int* flag_at, view<int> out) {
  volatile int *data = data_at, *flag = flag_at;
  if (t.block_idx().x == 0) {
    if constexpr (Mistake == mistake::writer_before && Defect) t.threadfence();
    *data = 42;
    if constexpr (Mistake == mistake::writer_block_scope && Defect)
      t.threadfence_block();
    else if constexpr (Mistake == mistake::reader_none || !Defect)
      t.threadfence();
    *flag = 1;
    if constexpr (Mistake == mistake::writer_behind && Defect) t.threadfence();
  } else {
    while (*flag == 0) {
    }
    if constexpr (Mistake != mistake::reader_none || !Defect) t.threadfence();
    out[0] = *data;
  }
}
template <mistake Mistake>
void hand_over_twins(bool defect) {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  suite::launch_twin<hand_over<Mistake, suite::kRunsDefects>, hand_over<Mistake, false>>(defect, launch_config{2, 1}, d,
                                                                                         f, o);
}
PAIR(volatile_data_without_writer_fence, kVolatile, missing_fence, "data") {
  hand_over_twins<mistake::writer_none>(defect);
}
PAIR(volatile_data_without_reader_fence, kVolatile, missing_fence, "data") {
  hand_over_twins<mistake::reader_none>(defect);
}
PAIR(volatile_data_with_block_fence, kVolatile, missing_fence, "data") {
  hand_over_twins<mistake::writer_block_scope>(defect);
}
PAIR(volatile_data_fence_behind_the_flag, kVolatile, missing_fence, "data") {
  hand_over_twins<mistake::writer_behind>(defect);
}
PAIR(volatile_data_fence_before_the_data, kVolatile, missing_fence, "data") {
  hand_over_twins<mistake::writer_before>(defect);
}

// All threads of a block write an array; one tells, one of the other block is told.
template <bool Defect>
SIMT_DEVICE void hand_over_array(thread t, int* data_at, int* flag_at, view<int> out) {
  volatile int *data = data_at, *flag = flag_at;
  if (t.block_idx().x == 0) {
    data[t.rank()] = t.rank();
    if constexpr (!Defect) t.threadfence();
    t.sync();
    if (t.rank() == 0) *flag = 1;
  } else {
    if (t.rank() == 0)
      while (*flag == 0) {
      }
    t.sync();
    t.threadfence();
    out[t.rank()] = data[63 - t.rank()];
  }
}
PAIR(volatile_array_without_fence, kVolatile, missing_fence, "data") {
  auto d = zeros<int>(64, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(64, "out");
  TWIN(hand_over_array, (launch_config{2, 64}), d, f, o);
}

// The last block adds up what all blocks have left.
template <bool Defect>
SIMT_DEVICE void sum_of_the_last(thread t, int* sums_at, view<unsigned> ticket, view<int> total) {
  volatile int* sums = sums_at;
  auto& last = t.shared<"last", bool[1]>();
  if (t.rank() == 0) {
    sums[t.block_idx().x] = t.block_idx().x;
    if constexpr (!Defect) t.threadfence();
    last[0] = t.atomic_inc(ticket[0], static_cast<unsigned>(t.grid_dim().x - 1)) == t.grid_dim().x - 1;
  }
  t.sync();
  if (last[0] && t.rank() < t.grid_dim().x) t.atomic_add(total[0], static_cast<int>(sums[t.rank()]));
}
PAIR(volatile_sums_and_a_ticket, kVolatile, missing_fence, "sums") {
  auto s = zeros<int>(4, "sums"), o = zeros<int>(1, "total");
  auto k = zeros<unsigned>(1, "ticket");
  TWIN(sum_of_the_last, (launch_config{4, 32}), s, k, o);
}

// Block 0 hands over to block 1, which adds to it and hands over to block 2.
template <bool Defect>
SIMT_DEVICE void chain(thread t, int* first_at, int* second_at, int* flags_at, int* flags_too, view<int> out) {
  volatile int *first = first_at, *second = second_at, *one = flags_at, *two = flags_too;
  if (t.block_idx().x == 0) {
    *first = 20;
    t.threadfence();
    *one = 1;
  } else if (t.block_idx().x == 1) {
    while (*one == 0) {
    }
    t.threadfence();
    *second = *first + 22;
    if constexpr (!Defect) t.threadfence();
    *two = 1;
  } else {
    while (*two == 0) {
    }
    t.threadfence();
    out[0] = *second;
  }
}
PAIR(volatile_chain_without_its_second_fence, kVolatile, missing_fence, "second") {
  auto a = zeros<int>(1, "first"), b = zeros<int>(1, "second"), f = zeros<int>(1, "one"), g = zeros<int>(1, "two"),
       o = zeros<int>(1, "out");
  TWIN(chain, (launch_config{3, 1}), a, b, f, g, o);
}

// One warp hands over to another of its block; the flag lies in shared memory.
template <bool Defect>
SIMT_DEVICE void shared_flag(thread t, int* data_at, view<int> out) {
  volatile int* data = data_at;
  auto& flag_of_block = t.shared<"ready", int[1]>();
  volatile int* flag = flag_of_block;
  if (t.rank() == 0) *flag = 0;
  t.sync();
  if (t.rank() == 0) {
    *data = 42;
    if constexpr (!Defect) t.threadfence_block();
    *flag = 1;
  } else if (t.rank() == 32) {
    while (*flag == 0) {
    }
    t.threadfence_block();
    out[0] = *data;
  }
}
PAIR(volatile_data_and_a_flag_in_shared_memory, kVolatile, missing_fence, "data") {
  auto d = zeros<int>(1, "data"), o = zeros<int>(1, "out");
  TWIN(shared_flag, (launch_config{1, 64}), d, o);
}

// One allocation holds fourteen numbers and, behind them, their flag.
template <bool Defect>
SIMT_DEVICE void box_and_flag(thread t, int* box_at, view<int> out) {
  volatile int* box = box_at;
  if (t.block_idx().x == 0) {
    for (int i = 0; i < 14; ++i) box[i] = i;
    if constexpr (!Defect) t.threadfence();
    box[14] = 1;
  } else {
    while (box[14] == 0) {
    }
    t.threadfence();
    int sum = 0;
    for (int i = 0; i < 14; ++i) sum += box[i];
    out[0] = sum;
  }
}
PAIR(volatile_data_and_its_flag_in_one_array, kVolatile, missing_fence, "box") {
  auto b = zeros<int>(15, "box"), o = zeros<int>(1, "out");
  TWIN(box_and_flag, (launch_config{2, 1}), b, o);
}

// Each block waits for its neighbour's state, then looks at the states before: no order is needed between them.
template <bool Defect>
SIMT_DEVICE void states_and_sums(thread t, int* table_at, view<int> out) {
  volatile int *sums = table_at, *states = table_at + t.grid_dim().x;
  const auto b = t.block_idx().x;
  sums[b] = b;
  if constexpr (!Defect) t.threadfence();
  states[b] = 1;
  int sum = 0;
  for (auto i = b - 1; i >= 0; --i) {
    while (states[i] == 0) {
    }
    t.threadfence();
    sum += sums[i];
  }
  out[b] = sum;
}
PAIR(volatile_sums_and_states_in_one_array, kVolatile, missing_fence, "table") {
  auto table = zeros<int>(8, "table"), o = zeros<int>(4, "out");
  TWIN(states_and_sums, (launch_config{4, 1}), table, o);
}

// A lock: who has it changes the number that it guards.
template <bool Defect>
SIMT_DEVICE void locked(thread t, int* number_at, view<int> lock) {
  volatile int* number = number_at;
  while (t.atomic_cas(lock[0], 0, 1) != 0) {
  }
  t.threadfence();
  *number = *number + 1;
  if constexpr (!Defect) t.threadfence();
  t.atomic_exch(lock[0], 0);
}
PAIR(volatile_data_under_a_lock, kVolatile, missing_fence, "number") {
  auto n = zeros<int>(1, "number"), l = zeros<int>(1, "lock");
  TWIN(locked, (launch_config{4, 1}), n, l);
}

// A grid barrier of flags: the blocks' own, and those of the first block. The data goes round by two flags.
template <bool Defect>
SIMT_DEVICE void flag_barrier(thread t, int* data_at, int* arrived_at, int* go_at, view<int> out) {
  volatile int *data = data_at, *arrived = arrived_at, *go = go_at;
  const auto b = t.block_idx().x, blocks = t.grid_dim().x;
  data[b] = b;
  if constexpr (!Defect) t.threadfence();
  arrived[b] = 1;
  if (b == 0) {
    for (std::int64_t i = 0; i < blocks; ++i)
      while (arrived[i] == 0) {
      }
    t.threadfence();
    for (std::int64_t i = 0; i < blocks; ++i) go[i] = 1;
  }
  while (go[b] == 0) {
  }
  t.threadfence();
  out[b] = data[(b + 1) % blocks];
}
PAIR(volatile_data_and_a_barrier_of_flags, kVolatile, missing_fence, "data") {
  auto d = zeros<int>(4, "data"), a = zeros<int>(4, "arrived"), g = zeros<int>(4, "go"), o = zeros<int>(4, "out");
  TWIN(flag_barrier, (launch_config{4, 1}), d, a, g, o);
}

}  // namespace
