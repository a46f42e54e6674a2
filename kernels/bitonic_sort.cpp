// SPDX-License-Identifier: Apache-2.0
// Bitonic sort, a launch for each step of the network. Every exchange puts the smaller value first: the first step of
// a stage mirrors the halves of each run instead of sorting every other run downwards. So a ragged size needs no
// padding: elements past the end would be the largest, and they would never move.
#include <algorithm>
#include <random>
#include <simt/program.hpp>

namespace {

// Compares elements i and i ^ flip; the lower thread of a pair does it.
SIMT_DEVICE void exchange(simt::thread t, std::int64_t flip, simt::view<int> x) {
  const std::int64_t i = t.grid<1>(), partner = i ^ flip;
  if (partner <= i || partner >= x.size()) return;
  const int a = x[i], b = x[partner];
  if (b < a) {
    x[i] = b;
    x[partner] = a;
  }
}

void run_bitonic_sort(simt::run& r) {
  const std::int64_t n = r.size("n");
  std::mt19937 engine(5);
  std::vector<int> values(n);
  for (int& v : values) v = static_cast<int>(engine());
  auto x = r.output("x", values);
  const simt::launch_config config = r.cover<1>(n, 256);
  r.launch([&] {
    for (std::int64_t run = 2; run / 2 < n; run *= 2) {
      simt::launch<exchange>(r.stream(), config, run - 1, x);
      for (std::int64_t distance = run / 4; distance > 0; distance /= 2)
        simt::launch<exchange>(r.stream(), config, distance, x);
    }
  });
  std::sort(values.begin(), values.end());
  r.expect(x, values);
}

const simt::program bitonic_sort{{.name = "bitonic-sort",
                                  .summary = "sorting network over global memory, a launch a step",
                                  .options = {{"n", "elements", 1 << 14, 1}},
                                  .geometry = "covers --n with blocks of 256"},
                                 run_bitonic_sort};

}  // namespace
