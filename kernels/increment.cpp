// SPDX-License-Identifier: Apache-2.0
// One more in every element: with enough threads (inc) and with a grid that is too small (inc-partial).
#include <simt/program.hpp>

namespace {

SIMT_DEVICE void increment(simt::thread t, simt::view<float> x) {
  const std::int64_t i = t.grid<1>();
  if (i < x.size()) x[i] += 1;  // the last block has threads to spare
}

void run_increment(simt::run& r, bool whole) {
  const std::int64_t n = r.size("n");
  auto x = r.output("x", std::vector<float>(n, 0.f));
  r.launch([&] {
    simt::launch<increment>(r.stream(), whole ? r.cover<1>(n, 256) : r.geometry<1>({.grid = 100, .block = 64}), x);
  });
  r.expect(x, std::vector<float>(n, 1.f));
}

const simt::program whole{{.name = "inc",
                           .summary = "one more in every element, a thread an element",
                           .group = "seed",
                           .options = {{"n", "elements", 1'000'000, 1}},
                           .geometry = "covers --n with blocks of 256"},
                          [](simt::run& r) { run_increment(r, true); }};

const simt::program partial{{.name = "inc-partial",
                             .summary = "the same with too few threads: most elements stay as they were",
                             .group = "seed",
                             .options = {{"n", "elements", 1'000'000, 1}},
                             .geometry = "grid 100, block 64, whatever the size",
                             .findings = {{"unwritten-output", "x", true}},
                             .result = simt::result_status::mismatch},
                            [](simt::run& r) { run_increment(r, false); }};

}  // namespace
