// SPDX-License-Identifier: Apache-2.0
// Runs every kernel of `random_races.py SEED COUNT list` under check, as loops and on fibers, in one process, and
// compares what is found as compare_loops.py does: whether anything is, and which arrays have races or absent lanes.
#include "random_races.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include <sim/exec/launch.hpp>
#include <simt/check.hpp>

namespace {

struct outcome {
  bool anything = false;
  std::set<std::string> races;
  bool operator==(const outcome&) const = default;
};

std::string words(const outcome& o) {
  std::string all = o.anything ? "findings" : "nothing";
  for (const std::string& race : o.races) all += ", " + race;
  return all;
}

outcome run(const random_races::launcher& kernel, const char* execution) {
  simt::check_options options;
  options.execution = execution;
  options.timeout_seconds = 60;
  outcome found;
  for (const simt::finding& f : simt::check(options, kernel.run)) {
    found.anything = true;
    const std::string rule(simt::name(f.rule));
    if (rule.starts_with("race") || rule == "warp-mask") found.races.insert(rule + " on " + f.object);
  }
  return found;
}

TEST_CASE("random races: the same findings as loops and on fibers") {
  int as_loops = 0, with_findings = 0;
  for (const auto& kernel : random_races::all()) {
    const outcome wanted = run(kernel, "fibers");
    const outcome got = run(kernel, "auto");
    const bool loops = simt::sim::last_launch_execution().how == simt::sim::execution::loops;
    as_loops += loops;
    with_findings += wanted.anything;
    CHECK_MESSAGE(got == wanted, std::string(kernel.name), std::string(loops ? ", loops: " : ", no loops: "),
                  words(got), std::string("; fibers: "), words(wanted));
  }
  MESSAGE(as_loops, " of ", random_races::all().size(), " kernels ran as loops; ", with_findings, " have findings");
}

}  // namespace
