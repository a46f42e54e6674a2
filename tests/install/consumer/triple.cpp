// SPDX-License-Identifier: Apache-2.0
// The module's program: `simrun triple --module libconsumer.sim.so`.
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

}  // namespace
