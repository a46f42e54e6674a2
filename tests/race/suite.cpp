// SPDX-License-Identifier: Apache-2.0
// Runs every pair under every schedule and judges: found, missed, false. Writes the table with --table FILE.
//
// In the sim and cuda variants only the clean twins run, to the end.
#include "suite.hpp"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include <sim/report/phrasebook.hpp>
#include <simt/session.hpp>

namespace {

struct run_setting {
  std::string schedule;
  std::uint64_t seed = 0;
  int workers = 1;
  const char* execution = "fibers";
  std::string text() const {
    return schedule + (schedule == "random" ? " " + std::to_string(seed) : "") + (workers > 1 ? ", 2 workers" : "") +
           (std::strcmp(execution, "auto") == 0 ? ", as loops" : "");
  }
};

std::vector<run_setting> settings(bool single) {
  std::vector<run_setting> all = {{"natural", 0, 1}};
#if defined(SIMT_LOOPS)
  all.push_back({"natural", 0, 1, "auto"});
#endif
  if (single) return all;
  all.push_back({"natural", 0, 2});
#if defined(SIMT_LOOPS)
  all.push_back({"natural", 0, 2, "auto"});
#endif
  all.push_back({"lockstep", 0, 1});
  all.push_back({"reverse", 0, 1});
  for (std::uint64_t seed = 1; seed <= 8; ++seed) all.push_back({"random", seed, 1});
  return all;
}

std::vector<simt::finding> judge(const suite::pair& p, bool defect, const run_setting& s) {
  simt::check_options o;
  o.schedule = s.schedule;
  o.seed = s.seed;
  o.workers = s.workers;
  o.leaks = p.leaks;
  o.timeout_seconds = 60;
  o.execution = s.execution;
  return simt::check(o, [&] { p.run(defect); });
}

struct tally {
  int pairs = 0, runs = 0, found = 0, missed = 0, wrong = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const char* table = nullptr;
  const char* only = "";
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--table") == 0 && i + 1 < argc)
      table = argv[++i];
    else
      only = argv[i];
  }
  if (const std::string why = simt::backend::unavailable(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  const bool check = simt::backend::variant() == "check";
  std::map<std::string, tally> by_mechanism;
  int passed = 0, failed = 0;
  for (const suite::pair& p : suite::pairs()) {
    if (std::strstr(p.name, only) == nullptr) continue;
    tally& t = by_mechanism[p.mechanism];
    ++t.pairs;
    bool good = true;
    if (!check) {
      try {
        p.run(false);
      } catch (const std::exception& e) {
        good = false;
        std::printf("FAIL %s: %s\n", p.name, e.what());
      }
      good ? ++passed : ++failed;
      continue;
    }
    for (const run_setting& s : settings(p.single_schedule)) {
      ++t.runs;
      bool hit = false;
      std::string got;
      for (const simt::finding& f : judge(p, true, s)) {
        hit = hit || (f.rule == p.wanted && f.object.find(p.object) != std::string::npos);
        got += " " + std::string(simt::name(f.rule)) + "(" + f.object + ")";
      }
      if (hit) {
        ++t.found;
      } else {
        ++t.missed;
        good = false;
        std::printf("MISSED %s under %s: wanted %s; got%s\n", p.name, s.text().c_str(),
                    std::string(simt::name(p.wanted)).c_str(), got.empty() ? " nothing" : got.c_str());
      }
      for (const simt::finding& f : judge(p, false, s)) {
        ++t.wrong;
        good = false;
        std::printf("FALSE %s under %s: %s: %s\n", p.name, s.text().c_str(), std::string(simt::name(f.rule)).c_str(),
                    simt::phrase(f, simt::dialect::api).message.c_str());
      }
    }
    good ? ++passed : ++failed;
    std::fflush(stdout);
  }
  std::string text = "| mechanism | pairs | runs of each twin | found | missed | false |\n|---|--:|--:|--:|--:|--:|\n";
  tally sum;
  for (const auto& [name, t] : by_mechanism) {
    char line[256];
    std::snprintf(line, sizeof line, "| %s | %d | %d | %d | %d | %d |\n", name.c_str(), t.pairs, t.runs, t.found,
                  t.missed, t.wrong);
    text += line;
    sum.pairs += t.pairs;
    sum.runs += t.runs;
    sum.found += t.found;
    sum.missed += t.missed;
    sum.wrong += t.wrong;
  }
  char line[256];
  std::snprintf(line, sizeof line, "| **all** | %d | %d | %d | %d | %d |\n", sum.pairs, sum.runs, sum.found, sum.missed,
                sum.wrong);
  text += line;
  if (check) std::printf("%s", text.c_str());
  if (table != nullptr) std::ofstream(table) << text;
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
