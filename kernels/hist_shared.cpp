// SPDX-License-Identifier: Apache-2.0
// Histogram with bins of its own in the shared memory of every block: many cheap atomics there, few in global memory.
#include <algorithm>
#include <simt/program.hpp>

namespace {

SIMT_DEVICE void histogram_shared(simt::thread t, simt::view<const std::uint8_t> x, simt::view<int> bins) {
  int* mine = t.dynamic_shared<int>();
  for (auto b : t.block_stride(bins.size())) mine[b] = 0;
  t.sync();
  for (auto i : t.grid_stride(x))
    t.atomic_add(mine[x[i] % bins.size()], 1, simt::memory_order::relaxed, simt::scope::block);
  t.sync();
  for (auto b : t.block_stride(bins.size())) t.atomic_add(bins[b], mine[b]);
}

void run_histogram(simt::run& r) {
  const std::int64_t n = r.size("samples"), bins = r.size("bins");
  std::vector<std::uint8_t> values(n);
  std::vector<int> wanted(bins);
  for (std::int64_t i = 0; i < n; ++i) {
    values[i] = static_cast<std::uint8_t>((i * i + i / 7) % 251);
    ++wanted[values[i] % bins];
  }
  const std::int64_t bytes = bins * static_cast<std::int64_t>(sizeof(int));
  const simt::launch_config config = r.with_shared(r.geometry<1>({.grid = 64, .block = 256}), bytes);
  auto x = r.input("x", std::move(values));
  auto counts = r.output("bins", std::vector<int>(bins));
  r.launch([&] { simt::launch<histogram_shared>(r.stream(), config, x, counts); });
  r.expect(counts, wanted);
}

const simt::program hist_shared{
    {.name = "hist-shared",
     .summary = "histogram of bytes with bins in shared memory",
     .options = {{"samples", "bytes", 1'000'000, 1}, {"bins", "bins; a byte counts in byte % bins", 256, 1}},
     .geometry = "grid 64, block 256; grid-stride"},
    run_histogram};

}  // namespace
