// SPDX-License-Identifier: Apache-2.0
// Sum, largest and inclusive sums of an array through shuffles: a warp needs no shared memory for its own part.
//
// warp-reduce-racy leaves out the barrier between the warps' partial sums and the thread that adds them up,
// warp-scan-racy that after the first warp's part; warp-compact-racy reserves places without an atomic.
#include <numeric>

#include <simt/groups.hpp>
#include <simt/program.hpp>

namespace cg = simt::cg;

namespace {

template <bool Sync>
SIMT_DEVICE void warp_reduce(simt::thread t, simt::view<const int> x, simt::view<int> total) {
  auto& parts = t.shared<"parts", int[32]>();
  int sum = 0;
  for (auto i : t.grid_stride(x.size())) sum += x[i];
  for (unsigned step = 16; step > 0; step /= 2) sum += t.shuffle_down(simt::kFullMask, sum, step);
  if (t.lane() == 0) parts[t.warp()] = sum;
  if constexpr (Sync) t.sync();
  if (t.warp() != 0) return;
  const int warps = static_cast<int>(t.block_dim().volume()) / 32;
  sum = t.lane() < warps ? parts[t.lane()] : 0;
  sum = t.reduce_add(simt::kFullMask, sum);
  if (t.lane() == 0) t.atomic_add(total[0], sum);
}

std::vector<int> values(std::int64_t n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<int>(static_cast<unsigned>(i) * 2654435761u >> 22) - 512;
  return v;
}

void need_whole_warps(const simt::launch_config& c) {
  if (c.block.volume() % 32 != 0)
    throw simt::error(
        simt::error_kind::invalid_argument,
        "this program needs blocks of whole warps: a multiple of 32 threads, not " + std::to_string(c.block.volume()));
}

template <bool Sync>
void run_reduce(simt::run& r) {
  const auto v = values(r.size("n"));
  auto x = r.input("x", v);
  auto total = r.output("total", std::vector<int>(1, 0));
  const auto geometry = r.geometry<1>({.grid = 32, .block = 256});
  need_whole_warps(geometry);
  r.launch([&] { simt::launch<warp_reduce<Sync>>(r.stream(), geometry, x, total); });
  r.expect(total, std::vector<int>{std::accumulate(v.begin(), v.end(), 0)});
}

// Inclusive sums within each block: scans of the warps, a scan of their totals by the first warp, and an offset.
template <bool Sync>
SIMT_DEVICE void warp_scan(simt::thread t, simt::view<const int> x, simt::view<int> sums) {
  auto& totals = t.shared<"totals", int[32]>();
  const auto i = t.grid<1>();
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block(t));
  const int up_to = cg::inclusive_scan(tile, i < x.size() ? x[i] : 0);
  if (t.lane() == 31) totals[t.warp()] = up_to;
  t.sync();
  if (t.warp() == 0) {
    const int warps = static_cast<int>(t.block_dim().volume()) / 32;
    const int before = cg::exclusive_scan(tile, t.lane() < warps ? totals[t.lane()] : 0);
    totals[t.lane()] = before;
  }
  if constexpr (Sync) t.sync();
  if (i < sums.size()) sums[i] = totals[t.warp()] + up_to;
}

template <bool Sync>
void run_scan(simt::run& r) {
  const auto v = values(r.size("n"));
  auto x = r.input("x", v);
  auto sums = r.output<int>("sums", static_cast<std::int64_t>(v.size()));
  const auto geometry = r.cover(static_cast<std::int64_t>(v.size()), 256);
  need_whole_warps(geometry);
  r.launch([&] { simt::launch<warp_scan<Sync>>(r.stream(), geometry, x, sums); });
  std::vector<int> wanted(v.size());
  const auto block = static_cast<std::size_t>(geometry.block.x);
  int sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum = (i % block ? sum : 0) + v[i];
    wanted[i] = sum;
  }
  r.expect(sums, wanted);
}

// The positive elements without gaps, in any order: the lanes that have one reserve their places with one atomic.
template <bool Atomic>
SIMT_DEVICE void compact(simt::thread t, simt::view<const int> x, simt::view<int> kept, simt::view<int> count) {
  for (auto i : t.grid_stride(x.size())) {
    if (x[i] <= 0) continue;
    const auto here = cg::coalesced_threads(t);
    int first = 0;
    if (here.thread_rank() == 0) {
      if constexpr (Atomic) {
        first = t.atomic_add(count[0], static_cast<int>(here.num_threads()));
      } else {
        first = count[0];
        count[0] = first + static_cast<int>(here.num_threads());
      }
    }
    kept[here.shfl(first, 0) + static_cast<int>(here.thread_rank())] = x[i];
  }
}

template <bool Atomic>
void run_compact(simt::run& r) {
  const auto v = values(r.size("n"));
  std::vector<int> positive;
  for (const int e : v)
    if (e > 0) positive.push_back(e);
  auto x = r.input("x", v);
  auto kept = r.output("kept", std::vector<int>(v.size(), 0));
  auto count = r.output("count", std::vector<int>(1, 0));
  r.launch(
      [&] { simt::launch<compact<Atomic>>(r.stream(), r.geometry<1>({.grid = 16, .block = 128}), x, kept, count); });
  r.expect(count, std::vector<int>{static_cast<int>(positive.size())});
  auto got = r.result(kept);
  got.resize(positive.size());
  std::sort(got.begin(), got.end());
  std::sort(positive.begin(), positive.end());
  r.expect(got == positive, "kept: not the positive elements of x");
}

const simt::program reduce_program{{.name = "warp-reduce",
                                    .summary = "sum of an array: shuffles in each warp, one atomic a block",
                                    .group = "warps",
                                    .options = {{"n", "elements", 100'000, 1}},
                                    .geometry = "grid 32, block 256; grid-stride"},
                                   run_reduce<true>};
const simt::program reduce_racy{{.name = "warp-reduce-racy",
                                 .summary = "the sum without the barrier between the warps and the last step",
                                 .group = "warps",
                                 .options = {{"n", "elements", 100'000, 1}},
                                 .geometry = "grid 32, block 256; grid-stride",
                                 .findings = {{"race-shared", "parts"}, {"uninitialized-read", "parts"}},
                                 .result_may_vary = true},
                                run_reduce<false>};
const simt::program scan_program{{.name = "warp-scan",
                                  .summary = "inclusive sums within each block, from scans of its warps",
                                  .group = "warps",
                                  .options = {{"n", "elements", 10'000, 1}},
                                  .geometry = "covers --n with blocks of 256"},
                                 run_scan<true>};
const simt::program scan_racy{{.name = "warp-scan-racy",
                               .summary = "the scan without the barrier after the first warp's part",
                               .group = "warps",
                               .options = {{"n", "elements", 10'000, 1}},
                               .geometry = "covers --n with blocks of 256",
                               .findings = {{"race-shared", "totals"}},
                               .result_may_vary = true},
                              run_scan<false>};
const simt::program compact_program{
    {.name = "warp-compact",
     .summary = "the positive elements without gaps: one atomic for the lanes of a warp",
     .group = "warps",
     .options = {{"n", "elements", 20'000, 1}},
     .geometry = "grid 16, block 128; grid-stride"},
    run_compact<true>};
const simt::program compact_racy{
    {.name = "warp-compact-racy",
     .summary = "the same, the places reserved without an atomic",
     .group = "warps",
     .options = {{"n", "elements", 20'000, 1}},
     .geometry = "grid 16, block 128; grid-stride",
     .findings = {{"race-global", "count"},
                  // where two warps reserve the same places: both write there, and other places stay empty
                  {.rule = "race-global", .object = "kept", .may_be_missing = true},
                  {.rule = "unwritten-output", .object = "kept", .warning = true, .may_be_missing = true}},
     .result_may_vary = true},
    run_compact<false>};

}  // namespace
