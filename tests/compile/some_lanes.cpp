// SPDX-License-Identifier: Apache-2.0
// Operations of warps that some lanes take part in, in loops: both ways leave the same, and wrong masks are faults.
#include <bit>

#include <simt/check.hpp>

#include "both_executions.hpp"

namespace {

constexpr std::uint32_t kAllLanes = simt::kFullMask;

SIMT_DEVICE void some_lanes(simt::thread t, in_view x, out_view out) {
  const std::uint32_t mask = t.ballot(kAllLanes, t.lane() < 9);
  unsigned v = x[me_of(t)];
  if (t.lane() < 9) v += t.reduce_add(mask, v) + 3u * t.shuffle_down(mask, v, 2) + t.match_any(mask, v % 3u);
  out[gid_of(t)] = v;
}
SIMT_DEVICE void mask_of_data(simt::thread t, in_view x, out_view out) {
  const std::uint32_t mask = x[0] == 3 ? 0xffffffffu : 1u;
  out[gid_of(t)] = t.shuffle_xor(mask, x[me_of(t)], 1);
}
SIMT_DEVICE void active(simt::thread t, in_view x, out_view out) {
  out[gid_of(t)] = t.activemask();
  if (x[me_of(t)] % 3u == 1) return;
  const std::uint32_t left = t.activemask();
  out[gid_of(t)] = left + t.shuffle(left, x[me_of(t)], std::countr_zero(left));
}
SIMT_DEVICE void of_one_key(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  const std::uint32_t peers = t.match_any(kAllLanes, x[me] * 7u % 5u);
  unsigned v = t.reduce_add(peers, x[me]) + t.shuffle_xor(peers, me, 5) + t.shuffle(peers, me, std::countr_zero(peers));
  v ^= t.ballot(peers, x[me] % 2u == 0) + (t.any(peers, me == 7) ? 64u : 0u) + (t.all(peers, me > 3) ? 128u : 0u);
  out[gid_of(t)] = v + t.match_any(peers, x[me] % 2u) + t.match_all(peers, x[me] % 2u);
}

TEST_CASE("warps: some lanes take part") {
  RUNS_AS_LOOPS(some_lanes);
  RUNS_AS_LOOPS(mask_of_data);
  RUNS_AS_LOOPS(active);
  RUNS_AS_LOOPS(of_one_key);
}

// ------------------------------------------------------------------------------------------------ wrong masks
// A mask of data, so that nobody knows it before it runs.
template <unsigned Lane, std::uint32_t Mask>
SIMT_DEVICE void wrong(simt::thread t, in_view x, out_view out) {
  const std::uint32_t mask = me_of(t) % 32u == Lane ? Mask + (x[0] - 3u) : kAllLanes;
  out[gid_of(t)] = t.shuffle_xor(mask, x[me_of(t)], 1);
}
template <auto Kernel>
std::string fault_of() {
  try {
    run(launch<Kernel>, {.grid = 2, .block = 64}, wanted_execution::automatic);
  } catch (const simt::error& e) {
    use(wanted_execution::automatic);
    return e.what();
  }
  return "no error";
}

TEST_CASE("warps: wrong masks of some lanes are faults") {
  const std::string own = fault_of<wrong<5, 0xffffffdfu>>(), others = fault_of<wrong<5, 0x20u>>();
  CHECK_MESSAGE(own.find("lane 5 called with mask 0xffffffdf, which does not name it") != std::string::npos, own);
  CHECK_MESSAGE(others.find("a shuffle with mask 0xffffffff waits for lane 5, which never comes") != std::string::npos,
                others);
}

}  // namespace
