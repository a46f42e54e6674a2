// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sum, y[i] = x[0] + ... + x[i], in three launches: every block scans its part and leaves its total,
// one block scans the totals, every block adds what comes before it.
#include <algorithm>
#include <simt/program.hpp>

namespace {

// Hillis and Steele: after the step with distance d, every value holds the sum of itself and the 2 d - 1 before it.
// Two arrays take turns, so that one barrier a step is enough. Gives the sum up to and including this thread's value;
// ends without a barrier.
SIMT_DEVICE int scan_in_block(simt::thread t, int value, int* shared) {
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

SIMT_DEVICE void scan_parts(simt::thread t, simt::view<const int> x, simt::view<int> y, simt::view<int> totals) {
  const std::int64_t i = t.grid<1>();
  const int sum = scan_in_block(t, i < x.size() ? x[i] : 0, t.dynamic_shared<int>());
  if (i < y.size()) y[i] = sum;
  if (t.thread_idx().x == t.block_dim().x - 1) totals[t.block_idx().x] = sum;
}

// One block, piece after piece; the last thread carries the sum so far over to the next piece.
SIMT_DEVICE void scan_totals(simt::thread t, simt::view<int> totals) {
  auto& carry = t.shared<"carry", int>();
  if (t.thread_idx().x == 0) carry = 0;
  for (std::int64_t first = 0; first < totals.size(); first += t.block_dim().x) {
    const std::int64_t i = first + t.thread_idx().x;
    const int sum = scan_in_block(t, i < totals.size() ? totals[i] : 0, t.dynamic_shared<int>());
    t.sync();  // carry is set; nobody still reads the arrays of the scan
    const int before = carry;
    if (i < totals.size()) totals[i] = before + sum;
    t.sync();  // everybody has read carry
    if (t.thread_idx().x == t.block_dim().x - 1) carry = before + sum;
  }
}

SIMT_DEVICE void add_before(simt::thread t, simt::view<const int> totals, simt::view<int> y) {
  const std::int64_t i = t.grid<1>();
  if (t.block_idx().x > 0 && i < y.size()) y[i] += totals[t.block_idx().x - 1];
}

void run_scan(simt::run& r) {
  const std::int64_t n = r.size("n");
  std::vector<int> values(n), wanted(n);
  int sum = 0;
  for (std::int64_t i = 0; i < n; ++i) wanted[i] = sum += values[i] = static_cast<int>((i * 7 + i / 11) % 10) - 4;

  simt::launch_config config = r.cover<1>(n, 256);
  config = r.with_shared(config, 2 * config.block.x * static_cast<std::int64_t>(sizeof(int)));
  simt::launch_config one_block = config;
  one_block.grid = 1;
  auto x = r.input("x", values);
  auto y = r.output<int>("y", n);
  simt::buffer<int> totals(std::max<std::int64_t>(config.grid.x, 1), "totals");
  r.launch([&] {
    simt::launch<scan_parts>(r.stream(), config, x, y, totals);
    simt::launch<scan_totals>(r.stream(), one_block, totals);
    simt::launch<add_before>(r.stream(), config, totals, y);
  });
  r.expect(y, wanted);
}

const simt::program scan{{.name = "scan",
                          .summary = "inclusive prefix sum in three launches",
                          .options = {{"n", "elements", 1 << 17, 1}},
                          .geometry = "covers --n with blocks of 256; one block for the totals"},
                         run_scan};

}  // namespace
