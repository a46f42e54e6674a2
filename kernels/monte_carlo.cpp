// SPDX-License-Identifier: Apache-2.0
// Pi from random points, with a counter-based generator: Philox4x32-10 (Salmon et al., Parallel random numbers: as easy
// as 1, 2, 3, 2011). The number of a point is its whole state, so host and device, in any order, draw the same points.
#include <simt/program.hpp>

namespace {

struct four {
  std::uint32_t x[4];
};

SIMT_HOST_DEVICE four philox(four counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * counter.x[0], p1 = std::uint64_t{0xCD9E8D57u} * counter.x[2];
    counter = {{static_cast<std::uint32_t>(p1 >> 32) ^ counter.x[1] ^ key0, static_cast<std::uint32_t>(p1),
                static_cast<std::uint32_t>(p0 >> 32) ^ counter.x[3] ^ key1, static_cast<std::uint32_t>(p0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

// How many of the two points that draw i gives lie in the quarter circle. Integer arithmetic: exact everywhere.
SIMT_HOST_DEVICE int hits_of(std::int64_t i) {
  const four r = philox({{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), 0, 0}}, 42, 0);
  int hits = 0;
  for (int p = 0; p < 4; p += 2) {
    const std::uint64_t x = r.x[p] >> 1, y = r.x[p + 1] >> 1;
    hits += x * x + y * y < std::uint64_t{1} << 62;
  }
  return hits;
}

SIMT_DEVICE void monte_carlo(simt::thread t, simt::view<long long> hits, std::int64_t draws) {
  long long mine = 0;
  for (auto i : t.grid_stride(draws)) mine += hits_of(i);
  mine = t.reduce_add(simt::kFullMask, mine);
  if (t.lane() == 0) t.atomic_add(hits[0], mine);
}

void run_pi(simt::run& r) {
  const auto points = r.option("points"), draws = (points + 1) / 2;
  auto hits = r.output("hits", std::vector<long long>(1, 0));
  r.launch([&] { simt::launch<monte_carlo>(r.stream(), r.geometry<1>({.grid = 32, .block = 128}), hits, draws); });
  long long wanted = 0;
  for (std::int64_t i = 0; i < draws; ++i) wanted += hits_of(i);
  r.expect(hits, std::vector<long long>{wanted});
}

// First known answer of the generator's authors (Random123, kat_vectors): counter and key 0.
SIMT_DEVICE void known_answer(simt::thread t, simt::view<unsigned> words) {
  const four r = philox({{0, 0, 0, 0}}, 0, 0);
  if (t.rank() < 4) words[t.rank()] = r.x[t.rank()];
}
void run_known_answer(simt::run& r) {
  auto words = r.output<unsigned>("words", 4);
  r.launch([&] { simt::launch<known_answer>(r.stream(), r.geometry<1>({.grid = 1, .block = 4}), words); });
  r.expect(words, std::vector<unsigned>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u});
}

const simt::program pi_program{
    {.name = "monte-carlo",
     .summary = "pi from points of a counter-based generator; equals the host's count exactly",
     .group = "warps",
     .options = {{"points", "points", 200'000, 1}},
     .geometry = "grid 32, block 128; grid-stride"},
    run_pi};
const simt::program philox_program{{.name = "philox",
                                    .summary = "known answer of the Philox generator",
                                    .group = "warps",
                                    .geometry = "grid 1, block 4"},
                                   run_known_answer};

}  // namespace
