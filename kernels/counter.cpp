// SPDX-License-Identifier: Apache-2.0
// All threads count in one cell: with a plain increment that loses counts (counter-racy) and with an atomic one.
#include <simt/program.hpp>

namespace {

SIMT_DEVICE void counter_racy(simt::thread, simt::view<int> counter) { counter[0] += 1; }

SIMT_DEVICE void counter(simt::thread t, simt::view<int> counter) { t.atomic_add(counter[0], 1); }

template <auto Kernel>
void run_counter(simt::run& r) {
  const simt::launch_config config = r.geometry({.grid = 32, .block = 32});
  auto count = r.output("counter", std::vector<int>{0});
  r.launch([&] { simt::launch<Kernel>(r.stream(), config, count); });
  r.expect(count, std::vector<int>{static_cast<int>(config.grid.volume() * config.block.volume())});
}

const simt::program racy{{.name = "counter-racy",
                          .summary = "every thread adds one to a cell without an atomic: loses counts",
                          .group = "seed",
                          .geometry = "grid 32, block 32",
                          .findings = {{"race-global", "counter"}},
                          .result_may_vary = true},
                         run_counter<counter_racy>};

const simt::program atomic{{.name = "counter",
                            .summary = "every thread adds one to a cell with an atomic",
                            .group = "seed",
                            .geometry = "grid 32, block 32"},
                           run_counter<counter>};

}  // namespace
