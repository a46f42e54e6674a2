// SPDX-License-Identifier: Apache-2.0
// Runs of a search in several processes: what comes back of them, and what is made again in the first process.
#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cli/runs_ahead.hpp"

namespace {

using simt::cli::runs_ahead;
using simt::cli::schedule_runs;

// A run reads "cells" of its seed; it counts as one launch where a copy of this process made it.
class pretended final : public simt::module {
 public:
  int abi() const override { return simt::module_abi; }
  std::string variant() const override { return "check"; }
  std::vector<simt::program_info> programs() override { return {}; }
  std::vector<simt::device_summary> devices() override { return {}; }
  std::string unavailable() override { return {}; }
  void interrupt(int) override {}
  simt::run_result run(const simt::run_request& request) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    simt::run_result out;
    simt::run_report& r = out.report;
    const bool copy = ::getpid() != first_;
    r.judged.launches = copy ? 1 : 0;
    r.judged.accesses = static_cast<std::int64_t>(request.seed);
    r.steps.steps = 7;
    r.steps.threads = 2;
    if (request.steps.tells_others) r.steps.trail = {{.did = {.thread = static_cast<std::int64_t>(request.seed)}}};
    if (request.seed == other_result) r.result.outputs["cells"].sum = 1;
    if (request.seed == with_finding) r.findings.emplace_back();
    if (request.seed == with_new_place) r.steps.new_places = {4};
    if (request.seed == ends_copies && copy) ::raise(SIGKILL);
    return out;
  }

  std::uint64_t other_result = ~0ULL, with_finding = ~0ULL, with_new_place = ~0ULL, ends_copies = ~0ULL;

 private:
  pid_t first_ = ::getpid();
};

struct searched {
  std::vector<std::uint64_t> here;  // seeds of runs that were made when their turn came
  std::vector<std::size_t> trails;  // lengths, of those that were made ahead
  std::int64_t by_copies = 0, accesses = 0, count = 0;
};

// 41 runs, as a search makes them.
searched search(pretended& kernels, int processes) {
  runs_ahead ahead(kernels, processes);
  schedule_runs runs;
  searched out;
  const auto request_of = [](std::uint64_t seed) {
    simt::run_request r;
    r.seed = seed;
    r.steps.tells_others = seed % 2 == 0;
    return r;
  };
  for (std::uint64_t i = 0; i < 41; ++i) {
    ahead.make(
        41 - i, [&](std::size_t next) { return request_of(i + next); }, runs, 0);
    if (const auto made = ahead.take(runs)) {
      CHECK(made->steps.steps == 7);
      CHECK(made->steps.threads == 2);
      CHECK(made->tells_others == (i % 2 == 0));
      out.trails.push_back(made->steps.trail.size());
      if (made->tells_others) CHECK(made->steps.trail[0].did.thread == static_cast<std::int64_t>(i));
      continue;
    }
    out.here.push_back(i);
    runs.add(ahead.run(request_of(i)), "run", false);
  }
  CHECK(ahead.is_empty());
  out.by_copies = runs.report().judged.launches;
  out.accesses = runs.report().judged.accesses;
  out.count = runs.count();
  return out;
}

}  // namespace

TEST_CASE("one process makes nothing ahead") {
  pretended kernels;
  const searched s = search(kernels, 1);
  CHECK(s.here.size() == 41);
  CHECK(s.by_copies == 0);
}

TEST_CASE("copies make their part of the runs, and tell of them") {
  pretended kernels;
  const searched s = search(kernels, 3);
  CHECK(s.here == std::vector<std::uint64_t>{0});
  CHECK(s.by_copies > 0);
  CHECK(s.accesses == 41 * 40 / 2);
  CHECK(s.count == 41);
}

TEST_CASE("a run that went otherwise is made again") {
  pretended kernels;
  SUBCASE("its result differs") { kernels.other_result = 20; }
  SUBCASE("it found something") { kernels.with_finding = 20; }
  SUBCASE("it showed a new place") { kernels.with_new_place = 20; }
  const searched s = search(kernels, 3);
  CHECK(s.here == std::vector<std::uint64_t>{0, 20});
  CHECK(s.accesses == 41 * 40 / 2);
  CHECK(s.count == 41);
}

TEST_CASE("so is one whose process died") {
  pretended kernels;
  kernels.ends_copies = 20;
  const searched s = search(kernels, 2);
  for (const std::uint64_t seed : s.here) CHECK((seed == 0 || seed == 20));
  CHECK(s.accesses == 41 * 40 / 2);
  CHECK(s.count == 41);
}
