// SPDX-License-Identifier: Apache-2.0
// The module's programs: `simrun triple --module libconsumer.sim.so`, and one whose kernel has a barrier.
#include <algorithm>
#include <vector>

#include <simt/program.hpp>

#include "triple.hpp"

namespace {

void run_triple(simt::run& r) {
  const auto n = r.option<std::int64_t>("n");
  std::vector<int> values(static_cast<std::size_t>(n), 5);
  auto x = r.output("x", values);
  r.launch([&] { simt::launch<triple>(r.stream(), r.cover(n, 64), x); });
  for (int& v : values) v *= 3;
  r.expect(x, values);
}

const simt::program triple_program{
    {.name = "triple", .summary = "x *= 3", .options = {{"n", "elements", 1000}}, .geometry = "covers --n"},
    run_triple};

void run_reversed(simt::run& r) {
  std::vector<int> values(4 * 64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  auto x = r.output("x", values);
  r.launch([&] { simt::launch<reverse_blocks>(r.stream(), {4, 64}, x); });
  for (auto first = values.begin(); first != values.end(); first += 64) std::reverse(first, first + 64);
  r.expect(x, values);
}

const simt::program reversed_program{
    {.name = "reversed", .summary = "each 64 elements backwards", .geometry = "4 x 64"}, run_reversed};

}  // namespace
