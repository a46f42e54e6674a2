// SPDX-License-Identifier: Apache-2.0
// Defects that only a rare schedule shows, each with a clean twin (NAME-fixed) that differs in one place. All accesses
// that threads share are atomic, so there is no race to find: only the result tells.
//
// In each, one thread must stop between two of its steps while another one does all of a long piece of work. Threads
// that run one after the other, or all at the same pace, never do that, and one that is moved at every fourth access
// hardly ever does.
#include <simt/program.hpp>

namespace {

using simt::thread;
using simt::view;

constexpr int kLong = 80;  // accesses of the other thread

// What takes long and touches nothing that others touch.
SIMT_DEVICE void work(thread t, view<int> own) {
  for (int i = 0; i < kLong; ++i) t.atomic_add(own[t.rank() + t.block_idx().x], 1);
}

// The block that comes last adds up what all have stored: each takes a ticket before it has stored, or behind that.
template <bool Defect>
SIMT_DEVICE void last_block(thread t, view<int> cells, view<int> own, view<int> out) {
  const std::int64_t mine = t.block_idx().x;
  if (mine == 1) work(t, own);
  if constexpr (!Defect) t.atomic_store(cells[1 + mine], 10);
  const int ticket = t.atomic_add(cells[0], 1, simt::memory_order::acq_rel);
  if constexpr (Defect) t.atomic_store(cells[1 + mine], 10);
  if (ticket == 1) out[0] = t.atomic_load(cells[1]) + t.atomic_load(cells[2]);
}

// Two locks, taken in opposite orders.
SIMT_DEVICE void lock(thread t, int& l) {
  while (t.atomic_cas(l, 0, 1, simt::memory_order::acquire) != 0) continue;
}
SIMT_DEVICE void unlock(thread t, int& l) { t.atomic_store(l, 0, simt::memory_order::release); }

template <bool Defect>
SIMT_DEVICE void two_locks(thread t, view<int> cells, view<int> own, view<int> out) {
  const bool first = t.block_idx().x == 0;
  if (!first) work(t, own);
  const int outer = first || !Defect ? 0 : 1;
  lock(t, cells[outer]);
  lock(t, cells[1 - outer]);
  t.atomic_add(out[0], 10);
  unlock(t, cells[1 - outer]);
  unlock(t, cells[outer]);
}

// Who comes first makes the value and says that it is there: before, or behind.
template <bool Defect>
SIMT_DEVICE void made_once(thread t, view<int> cells, view<int> own, view<int> out) {
  if (t.block_idx().x == 1) work(t, own);
  if (t.atomic_cas(cells[0], 0, 1, simt::memory_order::acq_rel) == 0) {
    if constexpr (Defect) t.atomic_store(cells[1], 1, simt::memory_order::release);
    t.atomic_store(cells[2], 10);
    if constexpr (!Defect) t.atomic_store(cells[1], 1, simt::memory_order::release);
  }
  while (t.atomic_load(cells[1], simt::memory_order::acquire) == 0) continue;
  t.atomic_add(out[0], t.atomic_load(cells[2]));
}

// Whoever sees the count at one does what is to be done once: it looks again, or takes what its own addition gave.
template <bool Defect>
SIMT_DEVICE void count_of_one(thread t, view<int> cells, view<int> own, view<int> out) {
  if (t.block_idx().x == 1) work(t, own);
  const int before = t.atomic_add(cells[0], 1);
  const int now = Defect ? t.atomic_load(cells[0]) : before + 1;
  if (now == 1) t.atomic_add(out[0], 20);
}

// One task is left: its owner takes it from the bottom, a thief from the top. The owner looks and then takes, or takes
// it as the thief does.
template <bool Defect>
SIMT_DEVICE void stolen_task(thread t, view<int> cells, view<int> own, view<int> out) {
  int &top = cells[0], &bottom = cells[1];
  if (t.block_idx().x == 0) {
    t.atomic_store(bottom, 1, simt::memory_order::release);
    if (t.atomic_load(top) != 0) return;
    if constexpr (Defect)
      t.atomic_store(bottom, 0);
    else if (t.atomic_cas(top, 0, 1) != 0)
      return;
    t.atomic_add(out[0], 20);
  } else {
    work(t, own);
    if (t.atomic_load(top) < t.atomic_load(bottom, simt::memory_order::acquire) && t.atomic_cas(top, 0, 1) == 0)
      t.atomic_add(out[0], 20);
  }
}

// A stack of two nodes, 1 above 2. One thread pops: head and next are read, then the head is swapped. Meanwhile the
// other one pops both and pushes the first again: the head is what it was, but what comes next is not. The twin counts
// changes in the head's upper half.
template <bool Defect>
SIMT_DEVICE int pop(thread t, view<int> cells) {
  for (;;) {
    const int head = t.atomic_load(cells[0], simt::memory_order::acquire);
    if ((head & 15) == 0) return 0;
    const int next = t.atomic_load(cells[head & 15]);
    if (t.atomic_cas(cells[0], head, Defect ? next : ((head & ~15) + 16) | next, simt::memory_order::acq_rel) == head)
      return head & 15;
  }
}
template <bool Defect>
SIMT_DEVICE void push(thread t, view<int> cells, int node) {
  for (;;) {
    const int head = t.atomic_load(cells[0]);
    t.atomic_store(cells[node], head & 15);
    if (t.atomic_cas(cells[0], head, Defect ? node : ((head & ~15) + 16) | node, simt::memory_order::acq_rel) == head)
      return;
  }
}
template <bool Defect>
SIMT_DEVICE void stack_aba(thread t, view<int> cells, view<int> own, view<int> out) {
  if (t.block_idx().x == 0) {
    const int got = pop<Defect>(t, cells);
    if (got != 0) t.atomic_add(out[0], 1 << (4 * got));
  } else {
    work(t, own);
    const int a = pop<Defect>(t, cells), b = pop<Defect>(t, cells);
    work(t, own);
    if (b != 0) {
      push<Defect>(t, cells, a);
      t.atomic_add(out[0], 1 << (4 * b));
    } else if (a != 0) {
      t.atomic_add(out[0], 1 << (4 * a));
    }
  }
  // What is left is counted by who ends last.
  if (t.atomic_add(cells[3], 1, simt::memory_order::acq_rel) == 1)
    for (int left = pop<Defect>(t, cells); left != 0; left = pop<Defect>(t, cells))
      t.atomic_add(out[0], 1 << (4 * left));
}

// A queue of one: an element is put in by looking whether it is free and then storing, or by a swap.
template <bool Defect>
SIMT_DEVICE void queue_of_one(thread t, view<int> cells, view<int> own, view<int> out) {
  if (t.block_idx().x == 1) work(t, own);
  bool put = false;
  if constexpr (Defect) {
    if (t.atomic_load(cells[0]) == 0) {
      t.atomic_store(cells[0], 10);
      put = true;
    }
  } else {
    put = t.atomic_cas(cells[0], 0, 10) == 0;
  }
  if (!put) t.atomic_add(out[0], 10);  // kept for itself
  if (t.atomic_add(cells[1], 1, simt::memory_order::acq_rel) == 1) t.atomic_add(out[0], t.atomic_load(cells[0]));
}

// A barrier of two blocks that is used twice. Who comes last lets the other one go and sets the count back: in this
// order, the other one may have come to the second barrier before that, and its coming is forgotten. Or the other way.
template <bool Defect>
SIMT_DEVICE void barrier_of_two(thread t, view<int> cells, int round) {
  int &count = cells[0], &passed = cells[1];
  if (t.atomic_add(count, 1, simt::memory_order::acq_rel) == 1) {
    if constexpr (!Defect) t.atomic_store(count, 0);
    t.atomic_store(passed, round, simt::memory_order::release);
    if constexpr (Defect) t.atomic_store(count, 0);
  } else {
    while (t.atomic_load(passed, simt::memory_order::acquire) < round) continue;
  }
}
template <bool Defect>
SIMT_DEVICE void barrier_reuse(thread t, view<int> cells, view<int> own, view<int> out) {
  for (int round = 1; round <= 2; ++round) {
    work(t, own);
    barrier_of_two<Defect>(t, cells, round);
  }
  t.atomic_add(out[0], 10);
}

// A message with its data. No order of threads shows what is wrong here, only a load that reads an older value: the
// flag is read without an acquire, is stored without a release, or is volatile.
template <bool Defect>
SIMT_DEVICE void missing_acquire(thread t, view<int> cells, view<int>, view<int> out) {
  if (t.block_idx().x == 0) {
    t.atomic_store(cells[0], 20);
    t.atomic_store(cells[1], 1, simt::memory_order::release);
  } else {
    while (t.atomic_load(cells[1], Defect ? simt::memory_order::relaxed : simt::memory_order::acquire) == 0) continue;
    out[0] = t.atomic_load(cells[0]);
  }
}
template <bool Defect>
SIMT_DEVICE void early_message(thread t, view<int> cells, view<int>, view<int> out) {
  if (t.block_idx().x == 0) {
    t.atomic_store(cells[0], 20);
    t.atomic_store(cells[1], 1, Defect ? simt::memory_order::relaxed : simt::memory_order::release);
  } else {
    while (t.atomic_load(cells[1], simt::memory_order::acquire) == 0) continue;
    out[0] = t.atomic_load(cells[0]);
  }
}
template <bool Defect>
SIMT_DEVICE void volatile_message(thread t, view<int> cells, view<int>, view<int> out) {
  volatile int* const c = cells.data_handle();
  if (t.block_idx().x == 0) {
    c[0] = 20;
    if constexpr (!Defect) t.threadfence();
    c[1] = 1;
  } else {
    while (c[1] == 0) continue;
    if constexpr (!Defect) t.threadfence();
    out[0] = c[0];
  }
}
// Two blocks mark both places, each its own one first. Whoever finds that the other one came later steps back, so one
// of them stays: unless their stores reach the two places in different orders.
template <bool Defect>
SIMT_DEVICE void both_step_back(thread t, view<int> cells, view<int> own, view<int> out) {
  const std::int64_t me = t.block_idx().x, other = 1 - me;
  t.atomic_store(cells[me], 1);
  if constexpr (!Defect) t.threadfence();
  t.atomic_store(cells[other], 2);
  if (t.atomic_load(cells[other]) == 1 && t.atomic_add(own[0], 1) == 1) out[0] = 20;
}

// Two blocks look whether the other one is gone, then go. Whoever finds the other gone was the last, so one of them is
// at most: unless each reads what the other one stores later.
template <bool Defect>
SIMT_DEVICE void both_last(thread t, view<int> cells, view<int> own, view<int> out) {
  const std::int64_t me = t.block_idx().x, other = 1 - me;
  const int gone = t.atomic_load(cells[other]);
  if constexpr (!Defect) t.threadfence();
  t.atomic_store(cells[me], 1);
  if (gone == 1 && t.atomic_add(own[0], 1) == 1) out[0] = 20;
}

// Many threads with many steps, and nothing wrong.
SIMT_DEVICE void many_steps(thread t, view<int> cells, view<int>, view<int> out) {
  for (int i = 0; i < 20; ++i) t.atomic_add(cells[i % 2], 1);
  t.atomic_add(out[0], 1);
}

// Counts in a variable of the module, which holds its first value in every run.
SIMT_DEVICE_VARIABLE(visits, int) = 40;
SIMT_DEVICE void count_visits(thread t, view<int>, view<int>, view<int> out) {
  if (t.atomic_add(visits, 1) == 41) out[0] = t.atomic_load(visits);
}

template <auto Kernel>
void run_two(simt::run& r, const std::vector<int>& cells_at_first, int expected) {
  const simt::launch_config config = r.geometry({.grid = 2, .block = 1});
  auto cells = r.input("cells", cells_at_first);
  auto own = r.input("own", std::vector<int>(8, 0));
  auto out = r.output("out", std::vector<int>{0});
  r.launch([&] { simt::launch<Kernel>(r.stream(), config, cells, own, out); });
  r.expect(out, std::vector<int>{expected});
}

#define PAIR(kernel, title, expected, ...)                                                                       \
  const simt::program kernel##_defect{                                                                           \
      {.name = title, .summary = "a defect of schedules", .group = "schedule", .geometry = "grid 2, block 1"},   \
      [](simt::run& r) { run_two<kernel<true>>(r, {__VA_ARGS__}, expected); }};                                  \
  const simt::program kernel##_clean{                                                                            \
      {.name = title "-fixed", .summary = "its clean twin", .group = "schedule", .geometry = "grid 2, block 1"}, \
      [](simt::run& r) { run_two<kernel<false>>(r, {__VA_ARGS__}, expected); }};

PAIR(last_block, "last-block", 20, 0, 0, 0)
PAIR(two_locks, "two-locks", 20, 0, 0)
PAIR(made_once, "made-once", 20, 0, 0, 0)
PAIR(count_of_one, "count-of-one", 20, 0)
PAIR(stolen_task, "stolen-task", 20, 0, 0)
PAIR(stack_aba, "stack-aba", (1 << 4) + (1 << 8), 1, 2, 0, 0)
PAIR(queue_of_one, "queue-of-one", 20, 0, 0)
PAIR(barrier_reuse, "barrier-reuse", 20, 0, 0)
PAIR(missing_acquire, "missing-acquire", 20, 0, 0)
PAIR(early_message, "early-message", 20, 0, 0)
PAIR(volatile_message, "volatile-message", 20, 0, 0)
PAIR(both_step_back, "both-step-back", 0, 0, 0)
PAIR(both_last, "both-last", 0, 0, 0)

const simt::program counted{
    {.name = "counted", .summary = "a variable of the module", .group = "schedule", .geometry = "grid 2, block 1"},
    [](simt::run& r) { run_two<count_visits>(r, {0}, 42); }};

const simt::program many{{.name = "many-steps",
                          .summary = "64 threads with 20 steps each, clean",
                          .group = "schedule",
                          .geometry = "grid 1, block 64"},
                         [](simt::run& r) {
                           const simt::launch_config config = r.geometry({.grid = 1, .block = 64});
                           auto cells = r.input("cells", std::vector<int>(2, 0));
                           auto out = r.output("out", std::vector<int>{0});
                           r.launch([&] { simt::launch<many_steps>(r.stream(), config, cells, cells, out); });
                           r.expect(out, std::vector<int>{static_cast<int>(config.block.volume())});
                         }};

}  // namespace
