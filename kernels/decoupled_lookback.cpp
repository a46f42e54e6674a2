// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sum in one pass: a block that has scanned its tile looks back over the tiles before it until it
// finds one whose whole prefix is known (D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back", NVIDIA NVR-2016-002).
//
// Progress: a tile waits only for tiles before it, and tiles are numbered in the order in which blocks start, so the
// first unfinished one never waits. Order (PTX memory consistency model): a tile stores its sum, then its state with
// release at device scope; who reads that state with acquire may read the sum plainly. decoupled-lookback-racy
// announces the prefix with a relaxed store.
#include <algorithm>
#include <simt/program.hpp>

namespace {

// What is known about a tile. kSum: its own sum is in sums; kPrefix: the sum up to its end is in prefixes too.
enum tile_state : int { kNothing = 0, kSum = 1, kPrefix = 2 };

SIMT_DEVICE int sum_up_to(simt::thread t, int value, int* shared) {  // see scan.cpp
  const std::int64_t i = t.thread_idx().x, n = t.block_dim().x;
  int *from = shared, *to = shared + n;
  from[i] = value;
  for (std::int64_t distance = 1; distance < n; distance *= 2) {
    t.sync();
    value = from[i] + (i >= distance ? from[i - distance] : 0);
    to[i] = value;
    int* const last = from;
    from = to;
    to = last;
  }
  return value;
}

// Sum of everything before `tile`; waits for tiles that have not got that far.
SIMT_DEVICE int look_back(simt::thread t, std::int64_t tile, simt::view<const int> states, simt::view<const int> sums,
                          simt::view<const int> prefixes) {
  int before = 0;
  while (--tile >= 0) {
    int state = kNothing;
    while (state == kNothing) state = t.atomic_load(states[tile], simt::memory_order::acquire);
    if (state == kPrefix) return before + prefixes[tile];
    before += sums[tile];
  }
  return before;
}

template <bool Release>
SIMT_DEVICE void scan_with_lookback(simt::thread t, simt::view<const int> x, simt::view<int> y,
                                    simt::view<int> next_tile, simt::view<int> states, simt::view<int> sums,
                                    simt::view<int> prefixes) {
  auto& shared_tile = t.shared<"tile", int>();
  auto& shared_before = t.shared<"before", int>();
  const bool last_thread = t.thread_idx().x == t.block_dim().x - 1;
  if (t.thread_idx().x == 0) shared_tile = t.atomic_add(next_tile[0], 1);
  t.sync();
  const std::int64_t tile = shared_tile;
  const std::int64_t i = tile * t.block_dim().x + t.thread_idx().x;
  const int sum = sum_up_to(t, i < x.size() ? x[i] : 0, t.dynamic_shared<int>());

  if (last_thread) {  // its sum is the tile's
    sums[tile] = sum;
    t.atomic_store(states[tile], kSum, simt::memory_order::release);
    const int before = look_back(t, tile, states, sums, prefixes);
    prefixes[tile] = before + sum;
    t.atomic_store(states[tile], kPrefix, Release ? simt::memory_order::release : simt::memory_order::relaxed);
    shared_before = before;
  }
  t.sync();
  if (i < y.size()) y[i] = shared_before + sum;
}

template <bool Release>
void run_lookback(simt::run& r) {
  const std::int64_t n = r.size("n");
  std::vector<int> values(n), wanted(n);
  int sum = 0;
  for (std::int64_t i = 0; i < n; ++i) wanted[i] = sum += values[i] = static_cast<int>((i * 5 + i / 17) % 12) - 5;

  simt::launch_config config = r.cover<1>(n, 256);
  config = r.with_shared(config, 2 * config.block.x * static_cast<std::int64_t>(sizeof(int)));
  const std::int64_t tiles = std::max<std::int64_t>(config.grid.x, 1);
  auto x = r.input("x", values);
  auto y = r.output<int>("y", n);
  simt::buffer<int> next_tile(1, "next_tile"), states(tiles, "states"), sums(tiles, "sums"),
      prefixes(tiles, "prefixes");
  r.launch([&] {
    next_tile.fill_bytes(0, r.stream());
    states.fill_bytes(0, r.stream());
    simt::launch<scan_with_lookback<Release>>(r.stream(), config, x, y, next_tile, states, sums, prefixes);
  });
  r.expect(y, wanted);
}

const simt::program lookback{{.name = "decoupled-lookback",
                              .summary = "inclusive prefix sum in one pass: blocks look back at those before them",
                              .options = {{"n", "elements", 1 << 17, 1}},
                              .geometry = "covers --n with blocks of 256"},
                             run_lookback<true>};
const simt::program lookback_racy{{.name = "decoupled-lookback-racy",
                                   .summary = "the same, a tile's prefix announced with a relaxed store",
                                   .options = {{"n", "elements", 1 << 17, 1}},
                                   .geometry = "covers --n with blocks of 256",
                                   .findings = {{"race-global", "prefixes"}},
                                   .result_may_vary = true},
                                  run_lookback<false>};

}  // namespace
