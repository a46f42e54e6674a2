// SPDX-License-Identifier: Apache-2.0
// Radix sort of unsigned integers in one cooperative launch: four bits a pass, one warp a block, each block a stretch
// of the array. A pass counts digits, adds the counts up over digits and blocks, and moves the keys in order: lanes
// with the same digit find each other with match_any.
//
// radix-sort-racy leaves out the warp's sync after the places have moved on: the votes of the next step bring the lanes
// together, but they order no memory.
#include <algorithm>

#include <simt/program.hpp>

namespace {

constexpr int kBits = 4, kDigits = 1 << kBits;

SIMT_DEVICE int lanes_in(std::uint32_t mask) {
  int n = 0;
  for (; mask != 0; mask &= mask - 1) ++n;
  return n;
}

// counts: kDigits rows of one number a block.
template <bool Sync>
SIMT_DEVICE void radix_sort(simt::thread t, simt::view<unsigned> a, simt::view<unsigned> b, simt::view<int, 2> counts) {
  auto& place = t.shared<"place", int[kDigits]>();
  const std::int64_t blocks = t.grid_dim().x, block = t.block_idx().x;
  const std::int64_t stretch = (a.size() + blocks - 1) / blocks;
  const std::int64_t first = block * stretch, end = first + stretch < a.size() ? first + stretch : a.size();
  for (int shift = 0; shift < 32; shift += kBits) {
    simt::view<unsigned>& from = shift / kBits % 2 ? b : a;
    simt::view<unsigned>& to = shift / kBits % 2 ? a : b;
    if (t.lane() < kDigits) place[t.lane()] = 0;
    t.sync_warp();
    for (std::int64_t i = first + t.lane(); i < end; i += 32) t.atomic_add(place[from[i] >> shift & (kDigits - 1)], 1);
    t.sync_warp();
    if (t.lane() < kDigits) counts(t.lane(), block) = place[t.lane()];
    t.sync_grid();
    if (t.lane() < kDigits) {  // keys with smaller digits, and with this digit in blocks before this one
      int before = 0;
      for (int d = 0; d <= t.lane(); ++d)
        for (std::int64_t other = 0; other < (d < t.lane() ? blocks : block); ++other) before += counts(d, other);
      place[t.lane()] = before;
    }
    t.sync_warp();
    for (std::int64_t base = first; base < end; base += 32) {
      const std::int64_t i = base + t.lane();
      const std::uint32_t here = t.ballot(simt::kFullMask, i < end);
      if (i < end) {
        const unsigned key = from[i];
        const unsigned digit = key >> shift & (kDigits - 1);
        const std::uint32_t same = t.match_any(here, digit);
        const int rank = lanes_in(same & t.lanemask_lt());
        to[place[digit] + rank] = key;
        t.sync_warp(here);
        if (rank == 0) place[digit] += lanes_in(same);
      }
      if constexpr (Sync) t.sync_warp();
    }
    t.sync_grid();
  }
}

template <bool Sync>
void run_sort(simt::run& r) {
  const auto n = static_cast<std::size_t>(r.size("n"));
  std::vector<unsigned> keys(n);
  unsigned state = 2463534242u;
  for (unsigned& k : keys) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    k = state;
  }
  auto a = r.output("keys", keys);
  auto b = r.scratch<unsigned>("other", static_cast<std::int64_t>(n));
  auto geometry = r.geometry<1>({.grid = 8, .block = 32});
  geometry.cooperative = true;
  if (geometry.block.volume() != 32)
    throw simt::error(simt::error_kind::invalid_argument, "this program needs blocks of one warp: 32 threads");
  simt::buffer<int> counts({kDigits, geometry.grid.x}, "counts");
  r.launch([&] { simt::launch<radix_sort<Sync>>(r.stream(), geometry, a, b, counts); });
  std::sort(keys.begin(), keys.end());
  r.expect(a, keys);
}

const simt::program sort_program{{.name = "radix-sort",
                                  .summary = "radix sort in one cooperative launch, digits matched within a warp",
                                  .group = "grids",
                                  .options = {{"n", "keys", 3000, 1}},
                                  .geometry = "grid 8, block 32, cooperative"},
                                 run_sort<true>};
const simt::program sort_racy{{.name = "radix-sort-racy",
                               .summary = "the sort without the warp's sync between two steps of 32 keys",
                               .group = "grids",
                               .options = {{"n", "keys", 3000, 1}},
                               .geometry = "grid 8, block 32, cooperative",
                               .findings = {{"race-shared", "place"}},
                               .result_may_vary = true},
                              run_sort<false>};

}  // namespace
