// SPDX-License-Identifier: Apache-2.0
// Barriers of the grid in kernels that run as loops: each block waits in the middle of its loops. Against fibers, with
// one and several workers and more blocks than workers.
#include <simt/groups.hpp>

#include "both_executions.hpp"

namespace {

constexpr unsigned kBlocks = 9;

SIMT_DEVICE unsigned all_of(simt::thread t) { return static_cast<unsigned>(t.grid_dim().volume()) * threads_of(t); }

// Each round reads what other blocks wrote in the last one, and what this thread has kept.
SIMT_DEVICE void rounds(simt::thread t, in_view x, out_view out) {
  const unsigned i = gid_of(t), n = all_of(t);
  unsigned kept[3] = {x[i], i, 5}, sum = 0;
  for (unsigned round = 0; round < 4; ++round) {
    out[i] = kept[round % 3] + sum;
    t.sync_grid();
    sum += out[(i + 1 + round * 70) % n] * (round + 3);
    kept[(i + round) % 3] ^= sum;
    t.sync_grid();
  }
  out[i] = sum + kept[0];
}
// Both barriers, shared memory, and a value of the block that lives across all of them.
SIMT_DEVICE void sums_of_blocks(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t), b = static_cast<unsigned>(t.block_idx().x);
  s[me] = x[gid_of(t)];
  for (unsigned width = 1; width < n; width *= 2) {
    t.sync();
    const unsigned other = me >= width ? s[me - width] : 0;
    t.sync();
    s[me] += other;
  }
  t.sync();
  const unsigned total = s[n - 1];
  if (me == 0) out[4000 + b] = total;
  t.sync_grid();
  unsigned before = 0;
  for (unsigned k = 0; k < b; ++k) before += out[4000 + k];
  out[gid_of(t)] = before + s[me] + total;
}
// The rounds end by what all blocks have added up.
SIMT_DEVICE void until_enough(simt::thread t, in_view x, out_view out) {
  const unsigned i = gid_of(t), n = all_of(t);
  unsigned turns = 0;
  if (i == 0) out[4000] = 0;
  t.sync_grid();
  while (out[4000] < 5 * n) {
    t.sync_grid();
    t.atomic_add(out[4000], 1u + (x[i] & 1u));
    t.sync_grid();
    ++turns;
  }
  out[i] = turns * 100 + out[4000] % 7;
}
SIMT_DEVICE void some_leave(simt::thread t, in_view x, out_view out) {
  const unsigned i = gid_of(t), n = all_of(t);
  out[i] = x[i];
  if (me_of(t) >= threads_of(t) / 2 + 1) return;
  t.sync_grid();
  const unsigned other = out[(i + threads_of(t)) % n];
  t.sync_grid();
  out[i] = other + 1;
}
SIMT_DEVICE void warps(simt::thread t, in_view x, out_view out) {
  const unsigned i = gid_of(t);
  unsigned v = x[i];
  for (int d = 16; d > 0; d /= 2) v += t.shuffle_xor(simt::kFullMask, v, d);
  out[i] = v;
  t.sync_grid();
  v = out[(i + 40) % all_of(t)];
  out[2000 + i] = v + t.shuffle_up(simt::kFullMask, v, 1);
}
SIMT_DEVICE void nobody_waits_for_blocks(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  s[me_of(t)] = x[gid_of(t)];
  t.sync();
  out[gid_of(t)] = s[threads_of(t) - 1 - me_of(t)];
}
SIMT_DEVICE void only_some_wait(simt::thread t, in_view x, out_view out) {
  out[gid_of(t)] = x[me_of(t)];
  if (me_of(t) % 2 == 0) t.sync_grid();
  out[gid_of(t)] += 1;
  t.sync_grid();
}
SIMT_DEVICE void one_block_is_missing(simt::thread t, in_view x, out_view out) {
  out[gid_of(t)] = x[0];
  if (t.block_idx().x == 2) return;
  t.sync_grid();
  out[gid_of(t)] += 1;
}
SIMT_DEVICE void faults_behind(simt::thread t, in_view x, out_view out) {
  out[gid_of(t)] = x[0];
  t.sync_grid();
  t.expect(me_of(t) != 5 || t.block_idx().x != 3, "not five");
  t.sync_grid();
}

template <auto Kernel>
ran run_grid(unsigned threads, wanted_execution how, int workers, bool cooperative = true) {
  std::vector<unsigned> values(8192);
  std::iota(values.begin(), values.end(), 3u);
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<unsigned>(8192, 7u), "out");
  use(how, workers);
  simt::launch<Kernel>({.grid = kBlocks, .block = threads, .cooperative = cooperative}, x, out);
  ran r{out.to_host(), simt::sim::last_launch_execution()};
  use(wanted_execution::automatic);
  return r;
}

template <auto Kernel>
void same(const std::string& what, std::initializer_list<unsigned> blocks = {1, 37, 64, 256}) {
  for (const unsigned threads : blocks)
    for (const int workers : {1, 3}) {
      const ran loops = run_grid<Kernel>(threads, wanted_execution::automatic, workers);
      const ran fibers = run_grid<Kernel>(threads, wanted_execution::fibers, workers);
      CHECK_MESSAGE(loops.out == fibers.out, what, ", ", threads, " threads, ", workers, " workers");
      if (kCut) CHECK_MESSAGE(loops.how.how == execution::loops, what, ": ", loops.how.reason);
    }
}

template <auto Kernel>
std::string fault_of(wanted_execution how, int workers = 1, bool cooperative = true) {
  try {
    run_grid<Kernel>(32, how, workers, cooperative);
  } catch (const simt::error& e) {
    use(wanted_execution::automatic);
    return e.what();
  }
  return "no fault";
}

TEST_CASE("grid loops: leave what fibers leave") {
  same<rounds>("rounds");
  same<sums_of_blocks>("sums of blocks");
  same<until_enough>("until enough");
  same<some_leave>("some leave");
  same<warps>("warps", {32, 64, 96});
  same<nobody_waits_for_blocks>("nobody waits for blocks");
}

TEST_CASE("grid loops: a divergent barrier of the grid runs on fibers") {
  const ran r = run_grid<only_some_wait>(64, wanted_execution::automatic, 1);
  CHECK(r.how.how == execution::fibers);
  if (kCut) CHECK(r.how.reason.find("a barrier under a condition that differs between threads") != std::string::npos);
}

TEST_CASE("grid loops: a block that never comes is a deadlock, and the engine goes on") {
  for (const int workers : {1, 3})
    for (const auto how : {wanted_execution::automatic, wanted_execution::fibers}) {
      const std::string said = fault_of<one_block_is_missing>(how, workers);
      CHECK_MESSAGE(said.find("cannot go on") != std::string::npos, said);
      same<rounds>("rounds after a deadlock", {64});
    }
}

TEST_CASE("grid loops: faults") {
  const std::string said = fault_of<faults_behind>(wanted_execution::automatic, 3);
  CHECK_MESSAGE(said.find("thread (5,0,0) of block (3,0,0)") != std::string::npos, said);
  for (const auto how : {wanted_execution::automatic, wanted_execution::fibers}) {
    const std::string refused = fault_of<rounds>(how, 1, false);
    CHECK_MESSAGE(refused.find("not cooperative") != std::string::npos, refused);
  }
  same<rounds>("rounds after faults", {64});
}

}  // namespace
