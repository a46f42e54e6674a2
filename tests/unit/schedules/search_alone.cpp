// SPDX-License-Identifier: Apache-2.0
// The search alone: runs are made here, of small random programs that only read and write, so thousands of them take a
// second. Within a bound on preemptions the search must reach each result that any order within the bound has.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

#include "cli/schedule_search.hpp"

namespace {

struct instruction {
  std::uint64_t cell = 0;
  bool writes = false;
};
using threads_code = std::vector<std::vector<instruction>>;
using result = std::vector<int>;  // what each read has read, by thread

class world {
 public:
  explicit world(const threads_code& code) : code_(&code), at_(code.size()), read_(code.size()) {}

  bool can(std::size_t t) const { return at_[t] < (*code_)[t].size(); }
  const instruction& next(std::size_t t) const { return (*code_)[t][at_[t]]; }
  void step(std::size_t t) {
    const instruction& i = next(t);
    int& cell = cells_[i.cell];
    if (i.writes)
      cell = static_cast<int>(t * 10 + at_[t] + 1);
    else
      read_[t].push_back(cell);
    ++at_[t];
  }
  result outcome() const {
    result out;
    for (const auto& each : read_) out.insert(out.end(), each.begin(), each.end());
    for (const auto& [cell, value] : cells_) out.push_back(value);
    return out;
  }

 private:
  const threads_code* code_;
  std::vector<std::size_t> at_;
  std::vector<std::vector<int>> read_;
  std::map<std::uint64_t, int> cells_;
};

constexpr std::size_t kNobody = ~std::size_t{0};

// All orders within the bound.
void enumerate(const world& w, std::size_t last, int left, std::set<result>& out) {
  bool any = false;
  for (std::size_t t = 0; t < 4; ++t) {
    if (!w.can(t)) continue;
    any = true;
    const int cost = last != kNobody && w.can(last) && t != last ? 1 : 0;
    if (cost > left) continue;
    world next = w;
    next.step(t);
    enumerate(next, t, left - cost, out);
  }
  if (!any) out.insert(w.outcome());
}

simt::step_choice choice(const world& w, std::size_t t) {
  simt::step_choice out;
  out.thread = static_cast<std::int64_t>(t);
  out.place = w.next(t).cell + 1;
  out.kind = w.next(t).writes ? simt::step_kind::write : simt::step_kind::read;
  return out;
}

// One run, as sim/exec/scheduler/explore.cpp makes it.
simt::step_record run(world& w, const std::vector<simt::schedule_departure>& departures, bool tells_others) {
  simt::step_record record;
  std::size_t last = kNobody, next_departure = 0;
  for (;; ++record.steps) {
    std::vector<std::size_t> ready;
    for (std::size_t t = 0; t < 4; ++t)
      if (w.can(t)) ready.push_back(t);
    if (ready.empty()) return record;
    const bool goes_on = last != kNobody && w.can(last);
    std::size_t chosen = goes_on ? last : ready.front();
    const bool departs = next_departure < departures.size() && departures[next_departure].step == record.steps;
    if (departs) chosen = static_cast<std::size_t>(departures[next_departure++].thread);
    REQUIRE(w.can(chosen));
    simt::explored_step s{choice(w, chosen), goes_on ? static_cast<std::int64_t>(last) : -1};
    if (!departs && next_departure == departures.size())
      for (const std::size_t t : ready)
        if (t != chosen) s.others.push_back(choice(w, t));
    if (tells_others) record.trail.push_back(std::move(s));
    w.step(chosen);
    last = chosen;
  }
}

struct searched {
  std::set<result> results;
  std::int64_t runs = 0;
  bool left_out = false;
  bool operator==(const searched&) const = default;
};

searched search(const threads_code& code, int most, const simt::cli::trail_limits& limits) {
  searched out;
  simt::cli::schedule_search search({.preemptions = most}, limits);
  while (!search.is_done()) {
    const simt::cli::planned_run next = search.take();
    world w(code);
    const simt::step_record record = run(w, next.departures, next.tells_others);
    if (next.again)
      CHECK(out.results.contains(w.outcome()));
    else
      out.results.insert(w.outcome());
    search.learn(next, record);
  }
  out.runs = search.runs();
  out.left_out = search.left_out();
  return out;
}

}  // namespace

TEST_CASE("the search alone reaches each result within a bound, and no other") {
  std::mt19937 random(3);
  const auto number = [&](unsigned below) { return random() % below; };
  for (int round = 0; round < 3000; ++round) {
    threads_code code(4);
    for (auto& thread : code)
      for (unsigned i = 0, n = number(4); i < n; ++i) thread.push_back({number(3), number(2) == 0});
    const int most = static_cast<int>(number(3));
    std::set<result> all;
    enumerate(world(code), kNobody, most, all);
    CAPTURE(round);
    const searched found = search(code, most, {});
    CHECK(found.results == all);
    // Runs that are made again to tell of their followers change nothing.
    CHECK(search(code, most, {.longest = 0, .kept = 0}) == found);
    CHECK(search(code, most, {.longest = 1000, .kept = 10}) == found);
  }
}
