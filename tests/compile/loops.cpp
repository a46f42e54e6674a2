// SPDX-License-Identifier: Apache-2.0
// What runs as loops and what does not, with its reason; that both ways leave the same; how faults in loops are told.
// Long because: each thing that docs/loops.md names has a kernel of its own.
// Kernels that cannot be cut here are compiled, run on fibers, and are as right as before.
#include "both_executions.hpp"

namespace {

// ------------------------------------------------------------------------------------------------ what is cut
SIMT_DEVICE void uniform_branches(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t), b = static_cast<unsigned>(t.block_idx().x);
  s[me] = x[me];
  if (b == 1) {
    t.sync();
    out[gid_of(t)] = s[(me + 1) % n];
  } else if (b == 2) {
    for (unsigned i = 0; i < 3; ++i) {
      t.sync();
      const unsigned v = s[(me + 1) % n];
      t.sync();
      s[me] = v + i;
    }
    out[gid_of(t)] = s[me];
  }
}
// The loop ends by what threads have left in shared memory, which is uniform behind a barrier.
SIMT_DEVICE void ended_by_shared_memory(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t);
  s[me] = me == 0 ? x[3] : 0;
  t.sync();
  unsigned rounds = 0;
  while (s[0] > 1) {
    t.sync();
    if (me == 0) s[0] /= 2;
    ++rounds;
    t.sync();
  }
  out[gid_of(t)] = rounds + me;
}
// Which turn comes next is what all threads read at one place, behind the turn's last barrier.
SIMT_DEVICE void follows_a_list(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t);
  unsigned at = x[1] % n, sum = 0;
  for (unsigned i = 0; i < 5; ++i) {
    s[me] = me * at;
    t.sync();
    sum += s[(me + at) % n];
    t.sync();
    at = (x[at] + i) % n;
  }
  out[gid_of(t)] = sum + at;
}
SIMT_DEVICE void switches(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t);
  unsigned v = x[me];
  s[me] = v;
  switch (t.block_idx().x) {
    case 0:
      t.sync();
      v += s[(me + 1) % n];
      [[fallthrough]];
    case 1:
      t.sync();
      v += s[(me + 2) % n];
      break;
    default:
      v = 1;
  }
  t.sync();
  s[me] = v;
  t.sync();
  out[gid_of(t)] = s[n - 1 - me];
}
SIMT_DEVICE void private_arrays(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  unsigned p[5] = {me, x[me], 2, 3, 4};
  unsigned q[3] = {1, 2, 3};  // of one piece alone
  q[me % 3] += p[me % 5];
  p[(me + 1) % 5] += q[0] + q[1] * 3 + q[(me + 2) % 3];
  for (unsigned i = 0; i < 3; ++i) {
    t.sync();
    p[(me + i) % 5] ^= p[(me + 2 * i) % 5] + i;
  }
  out[gid_of(t)] = p[0] + 3 * p[1] + 5 * p[2] + 7 * p[3] + p[(me + 4) % 5];
}
// One piece between barriers fills an array in its first turns, and reads it in later ones.
SIMT_DEVICE void filled_in_turns(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  const unsigned turns = x[5];
  unsigned p[4], sum = 0;
  for (unsigned i = 0; i < turns; ++i) {
    if (i < 4)
      p[i ^ (me & 3)] = x[me] + i;
    else
      sum = 3 * sum + p[(i + me) & 3];
    t.sync();
  }
  out[gid_of(t)] = sum;
}
SIMT_DEVICE void votes(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  unsigned v = 0;
  for (int i = 0; i < 4; ++i) v = v * 5 + static_cast<unsigned>(t.sync_count((x[me] >> i & 1) != 0));
  if (t.sync_or(me == 5)) v += 1000;
  if (t.sync_and(me < 60)) v += 10000;
  out[gid_of(t)] = v;
}
SIMT_DEVICE void early_leaves(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t);
  s[me] = x[me];
  if (me >= threads_of(t) - 3) return;
  t.sync();
  if ((x[me] & 7) == 3 || me == 1) {
    out[gid_of(t)] = 5;
    return;
  }
  out[gid_of(t)] = s[me / 2];
  t.sync();
  out[gid_of(t)] += static_cast<unsigned>(t.sync_count(true));
}
// Nobody is left for the loop, whose condition nobody would compute.
SIMT_DEVICE void all_leave(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t);
  s[me] = 1;
  if (x[me] < 1000000) return;
  t.sync();
  while (s[0] + x[0] != 0) t.sync();
  out[gid_of(t)] = 1;
}
SIMT_DEVICE void swaps(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  unsigned a = x[me], b = me, c = 5;
  for (unsigned i = 0; i < x[2]; ++i) {
    const unsigned old = a;
    a = b;
    t.sync();
    b = c + i;
    c = old;
    t.sync();
  }
  out[gid_of(t)] = a + 3 * b + 7 * c;
}
// The value of the last round but one is needed behind the loop.
SIMT_DEVICE void lost_copies(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  unsigned now = x[me], before = 0;
  for (unsigned i = 0; i < x[1]; ++i) {
    before = now;
    t.sync();
    now = now * 3 + i + me;
  }
  t.sync();
  out[gid_of(t)] = before ^ (now << 1);
}
// One piece alone has the array, but runs again and finds what it has left.
SIMT_DEVICE void array_of_one_piece(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  unsigned p[4];
  for (unsigned i = 0; i < 5; ++i) {
    t.sync();
    if (i == 0)
      for (unsigned k = 0; k < 4; ++k) p[k] = me * k + x[k];
    p[(me + i) & 3] += p[(x[me] + i) & 3] * 3 + i;
    if (i == 4) out[gid_of(t)] = p[me & 3];
  }
}
// What all threads have loaded alike decides over the next round.
SIMT_DEVICE void loaded_by_all(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t);
  unsigned u = 1;
  for (unsigned i = 0; i < 4; ++i) {
    s[me] = x[me] + u * i;
    t.sync();
    u = s[u % n] % 5 + 1;
    t.sync();
    for (unsigned k = 0; k < u; ++k) {
      s[me] += k;
      t.sync();
    }
    out[gid_of(t)] = u + s[n - 1 - me];
    t.sync();
  }
}
// What a thread gets at the join is the same number on each way; only the way differs.
SIMT_DEVICE void joined_ways(simt::thread t, in_view x, out_view out) {
  const unsigned gid = gid_of(t);
  unsigned v = 0;
  switch (x[me_of(t)] % 5) {
    case 0:
      out[gid] = 3;
      v = 1;
      break;
    case 1:
      out[gid] += 4;
      v = 7;
      break;
    case 2:
      out[gid] -= x[0];
      v = 11;
      break;
    default:
      out[gid] *= 5;
      v = 100;
  }
  t.sync();
  out[gid] += v;
  t.sync();
  for (unsigned i = 0; i < v % 3; ++i) out[gid] += i;
}
// Every thread counts alike, but stops in a round of its own.
SIMT_DEVICE void rounds_differ(simt::thread t, in_view x, out_view out) {
  const unsigned gid = gid_of(t);
  unsigned i = 0;
  do {
    out[gid] += 1;
    ++i;
  } while ((out[gid] + x[me_of(t)]) % 7 != 0);
  t.sync();
  out[gid] += i;
  t.sync();
  out[gid] *= i + 1;
}
// Conditions on x alone, each around all of a piece: they become bounds of its loop.
SIMT_DEVICE void bounds(simt::thread t, in_view in, out_view out) {
  const std::int64_t x = t.thread_idx().x, n = t.block_dim().x, few = in[0];
  const unsigned gid = gid_of(t), small = static_cast<unsigned>(x);
  out[gid] = 1;
  t.sync();
  if (x == few) out[gid] += 2;
  t.sync();
  if (x <= few) out[gid] += 4;
  t.sync();
  if (x > few) out[gid] += 8;
  t.sync();
  if (x >= few + 2) out[gid] += 16;
  t.sync();
  if (x + few < n) out[gid] += 32;
  t.sync();
  if (x - few >= 1) out[gid] += 64;
  t.sync();
  if (small < in[9]) out[gid] += 128;
  t.sync();
  if (small <= in[4]) out[gid] += 256;
  t.sync();
  if (x >= 2 && x < n - 1) out[gid] += 512;
  t.sync();
  if (!(x < 1 || in[x] % 2 == 0)) out[gid] += 1024;
  t.sync();
  if (x < few - 100) out[gid] += 2048;
  t.sync();
  if (small < in[x & 1] * 1000) out[gid] += 4096;
}
SIMT_DEVICE void atomics(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[17]>();
  const unsigned me = me_of(t);
  for (auto i : t.block_stride(17)) s[i] = 0;
  t.sync();
  t.atomic_add(s[x[me] % 16], me);
  t.atomic_max(s[16], me);
  t.sync();
  out[gid_of(t)] = s[me % 17];
}
// Each thread draws a number, and has it still behind the barrier.
SIMT_DEVICE void tickets(simt::thread t, in_view, out_view out) {
  auto& s = t.shared<"s", unsigned[1]>();
  if (me_of(t) == 0) s[0] = 0;
  t.sync();
  const unsigned mine = t.atomic_add(s[0], 1u);
  t.sync();
  out[gid_of(t) - me_of(t) + mine] = mine;
}
SIMT_DEVICE void dynamic_shared(simt::thread t, in_view x, out_view out) {
  auto* s = t.dynamic_shared<unsigned>();
  const unsigned me = me_of(t);
  s[me] = x[me];
  t.sync();
  out[gid_of(t)] = s[threads_of(t) - 1 - me] + static_cast<unsigned>(t.dynamic_shared_bytes());
}
SIMT_DEVICE void divergent_loops(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t);
  unsigned v = 0, last = 0;
  for (unsigned i = 0; i < x[me] % 7; ++i) {
    v += i * me;
    last = i;
    if (v % 11 == 10) break;
  }
  s[me] = v + last;
  t.sync();
  out[gid_of(t)] = s[(me + 3) % threads_of(t)];
}

TEST_CASE("loops: control flow around barriers") {
  RUNS_AS_LOOPS(uniform_branches);
  RUNS_AS_LOOPS(ended_by_shared_memory);
  RUNS_AS_LOOPS(follows_a_list);
  RUNS_AS_LOOPS(switches);
  RUNS_AS_LOOPS(votes);
  RUNS_AS_LOOPS(divergent_loops);
  RUNS_AS_LOOPS(bounds);
}
TEST_CASE("loops: values that live across barriers") {
  RUNS_AS_LOOPS(private_arrays);
  RUNS_AS_LOOPS(filled_in_turns);
  RUNS_AS_LOOPS(swaps);
  RUNS_AS_LOOPS(lost_copies);
  RUNS_AS_LOOPS(array_of_one_piece);
  RUNS_AS_LOOPS(loaded_by_all);
  RUNS_AS_LOOPS(joined_ways);
  RUNS_AS_LOOPS(rounds_differ);
}
TEST_CASE("loops: threads that leave") {
  RUNS_AS_LOOPS(early_leaves);
  RUNS_AS_LOOPS(all_leave);
}
TEST_CASE("loops: memory of the block") {
  RUNS_AS_LOOPS(atomics);
  RUNS_AS_LOOPS(tickets);
  RUNS_AS_LOOPS(dynamic_shared);
}

// ------------------------------------------------------------------------------------------------ what is refused
SIMT_DEVICE void divergent_barrier(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  if (x[me] % 2 == 0) t.sync();
  out[gid_of(t)] = me;
  t.sync();
}
SIMT_DEVICE void divergent_loop_of_barriers(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  for (unsigned i = 0; i < x[me] % 3; ++i) t.sync();
  out[gid_of(t)] = me;
}
SIMT_DEVICE void waits_on_volatile(simt::thread t, in_view x, out_view out) {
  volatile unsigned* flag = &t.shared<"flag", unsigned[1]>()[0];
  if (me_of(t) == 0) *flag = 0;
  t.sync();
  if (me_of(t) == threads_of(t) - 1) *flag = x[0];
  while (*flag == 0) {
  }
  t.sync();
  out[gid_of(t)] = *flag;
}
SIMT_DEVICE void waits_on_atomic(simt::thread t, in_view x, out_view out) {
  auto& flag = t.shared<"flag", unsigned[1]>();
  if (me_of(t) == 0) flag[0] = 0;
  t.sync();
  if (me_of(t) == threads_of(t) - 1) t.atomic_store(flag[0], x[0]);
  while (t.atomic_load(flag[0]) == 0) t.yield();
  t.sync();
  out[gid_of(t)] = flag[0];
}
SIMT_DEVICE void locks(simt::thread t, in_view x, out_view out) {
  auto& lock = t.shared<"lock", unsigned[2]>();
  if (me_of(t) == 0) lock[0] = lock[1] = 0;
  t.sync();
  while (t.atomic_cas(lock[0], 0u, 1u) != 0u) {
  }
  lock[1] += x[me_of(t)];
  t.atomic_exch(lock[0], 0u);
  t.sync();
  out[gid_of(t)] = lock[1];
}
}  // namespace
unsigned (*through_pointer)(unsigned) = nullptr;  // of another file, for all the compiler knows
namespace {
SIMT_DEVICE void calls_through_pointers(simt::thread t, in_view x, out_view out) {
  const unsigned v = through_pointer(x[me_of(t)]);
  t.sync();
  out[gid_of(t)] = v;
}
unsigned recursive(unsigned n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2) * 3; }
SIMT_DEVICE void recursion(simt::thread t, in_view x, out_view out) {
  const unsigned v = recursive(x[me_of(t)] % 9);
  t.sync();
  out[gid_of(t)] = v;
}
SIMT_DEVICE void exceptions(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  if (x[me] == 1'000'000) throw 5;
  t.sync();
  out[gid_of(t)] = me;
}

TEST_CASE("loops: what is refused runs on fibers, and says why") {
  RUNS_ON_FIBERS(divergent_loop_of_barriers, "a barrier under a condition that differs between threads");
  RUNS_ON_FIBERS(waits_on_volatile, "a loop that may wait for another thread");
  RUNS_ON_FIBERS(waits_on_atomic, "a yield, which loops do not know");
  RUNS_ON_FIBERS(locks, "a loop that may wait for another thread");
  RUNS_ON_FIBERS(exceptions, "an exception");
  through_pointer = [](unsigned v) { return v + 1; };
  RUNS_ON_FIBERS(calls_through_pointers, "a call through a pointer, which may wait");
  const auto how = run(launch<divergent_barrier>, {.grid = 1, .block = 1}, wanted_execution::automatic).how;
  if (kCut) CHECK(how.reason.find("a barrier under a condition that differs between threads") == 0);
  const auto deep = run(launch<recursion>, {.grid = 2, .block = 64}, wanted_execution::automatic);
  CHECK(deep.out == run(launch<recursion>, {.grid = 2, .block = 64}, wanted_execution::fibers).out);
}

// ------------------------------------------------------------------------------------------------ asking, faults
SIMT_DEVICE void nobody_waits(simt::thread t, in_view x, out_view out) { out[gid_of(t)] = x[me_of(t)]; }

TEST_CASE("loops: asked for where they cannot be") {
  const auto direct = run(launch<nobody_waits>, {.grid = 2, .block = 64}, wanted_execution::automatic).how;
  CHECK(direct.how == execution::direct);
  CHECK(direct.reason == "no thread waited");
  std::string said;
  try {
    run(launch<divergent_barrier>, {.grid = 1, .block = 4}, wanted_execution::loops);
  } catch (const simt::error& e) {
    said = e.what();
  }
  use(wanted_execution::automatic);
  CHECK(said.find("divergent_barrier cannot run as loops, which were asked for: ") != std::string::npos);
  if (kCut) CHECK(run(launch<votes>, {.grid = 1, .block = 64}, wanted_execution::loops).how.how == execution::loops);
}

SIMT_DEVICE void expects(simt::thread t, in_view x, out_view out) {
  t.sync();
  t.expect(t.thread_idx().x != 9 || t.block_idx().x != 1, "not nine");
  out[gid_of(t)] = x[me_of(t)];
  t.sync();
}
SIMT_DEVICE void divides(simt::thread t, in_view x, out_view out) {
  t.sync();
  out[gid_of(t)] = 100u / (x[me_of(t)] - 12u);  // thread 9
  t.sync();
}

template <auto Kernel>
std::string fault_of() {
  try {
    run(launch<Kernel>, {.grid = 2, .block = 64}, wanted_execution::automatic);
  } catch (const simt::error& e) {
    return e.what();
  }
  return "no fault";
}

TEST_CASE("loops: faults name the block, and what calls us the thread") {
  CHECK_MESSAGE(fault_of<expects>().find("thread (9,0,0) of block (1,0,0)") != std::string::npos, fault_of<expects>());
  // The processor tells of a division no more than the line: simrun runs such a program again, on fibers.
  CHECK_MESSAGE(fault_of<divides>().find("block (0,0,0)") != std::string::npos, fault_of<divides>());
  CHECK(run(launch<votes>, {.grid = 2, .block = 64}, wanted_execution::automatic).out ==
        run(launch<votes>, {.grid = 2, .block = 64}, wanted_execution::fibers).out);  // the engine goes on
}

}  // namespace
