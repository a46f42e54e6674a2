// SPDX-License-Identifier: Apache-2.0
// What a launch costs that does nothing, against an empty tbb::parallel_for.
#include <benchmark/benchmark.h>
#include <oneapi/tbb/parallel_for.h>

#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void nothing(simt::thread) {}

void empty_simt(benchmark::State& state) {
  for (auto _ : state) simt::launch<nothing>({.grid = 4096, .block = 256});
}
void empty_onetbb(benchmark::State& state) {
  for (auto _ : state) tbb::parallel_for(0, 4096, [](int i) { benchmark::DoNotOptimize(i); });
}
BENCHMARK(empty_simt)->Name("empty_launch_4096x256/simt")->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(empty_onetbb)->Name("empty_launch_4096x256/onetbb")->MeasureProcessCPUTime()->UseRealTime();

// A grid of 65,535 x 655 blocks of one thread that leave at once, for what one block costs.
SIMT_DEVICE void leaves(simt::thread t, simt::view<int> x) {
  if (t.block_index() < 1'000'000'000) return;
  x[0] = 1;
}
void many_blocks(benchmark::State& state) {
  simt::buffer<int> x(1, "x");
  const std::int64_t blocks = std::int64_t{65535} * 655;
  for (auto _ : state) simt::launch<leaves>({.grid = {65535, 655}, .block = 1}, x);
  state.SetItemsProcessed(state.iterations() * blocks);
}
BENCHMARK(many_blocks)
    ->Name("block_that_leaves/simt")
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
