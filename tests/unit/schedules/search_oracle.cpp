// SPDX-License-Identifier: Apache-2.0
// Small random programs, run by the search on the engine, against an enumeration of all their orders in plain C++: the
// search must reach every result that any order has (within its bound), and no other.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "cli/schedule_search.hpp"

#include <simt/session.hpp>
#include <simt/simt.hpp>

namespace {

enum op : int { kLoad, kStore, kAdd, kSwap, kPlainLoad, kPlainStore, kBarrier, kEnd };
constexpr int kCells = 3, kMostOps = 5;

// What a thread reads goes into one number; what it writes is made of that.
SIMT_DEVICE int next_state(int state, int read) { return (state * 31 + read * 7 + 1) & 0xffff; }

// codes: for each thread kMostOps pairs of an operation and a cell.
SIMT_DEVICE void interpret(simt::thread t, simt::view<const int> codes, simt::view<int> cells, simt::view<int> states) {
  const std::int64_t me = t.block_idx().x * t.block_dim().x + t.thread_idx().x;
  int state = static_cast<int>(me) + 1;
  for (int i = 0; i < kMostOps; ++i) {
    const int what = codes[(me * kMostOps + i) * 2];
    int& cell = cells[codes[(me * kMostOps + i) * 2 + 1]];
    if (what == kLoad) state = next_state(state, t.atomic_load(cell));
    if (what == kStore) t.atomic_store(cell, state);
    if (what == kAdd) state = next_state(state, t.atomic_add(cell, state & 7));
    if (what == kSwap) state = next_state(state, t.atomic_cas(cell, 0, state));
    if (what == kPlainLoad) state = next_state(state, cell);
    if (what == kPlainStore) cell = state;
    if (what == kBarrier) t.sync();
  }
  states[me] = state;
}

// Behind the barrier one thread takes three steps and ends the launch; the other reads what nothing has written.
SIMT_DEVICE void ends_early(simt::thread t, simt::view<int> cell, simt::view<const int> unwritten,
                            simt::view<int> out) {
  t.atomic_add(cell[0], 1);
  t.sync();
  if (t.rank() == 1) {
    for (int i = 0; i < 3; ++i) t.atomic_add(cell[0], 1);
    t.trap();
  }
  out[0] = unwritten[0];
  t.atomic_add(cell[0], 1);
}

struct program {
  int blocks = 1, threads = 2;
  std::vector<int> codes;
  int count() const { return blocks * threads; }
  int what(int thread, int i) const { return codes[static_cast<std::size_t>((thread * kMostOps + i) * 2)]; }
  int cell(int thread, int i) const { return codes[static_cast<std::size_t>((thread * kMostOps + i) * 2 + 1)]; }
};

using result = std::vector<int>;  // cells, then states

// Every order of every operation, also of those that nobody else sees. With `most` preemptions; -1: any number. With
// whole blocks, only one thread of each has the choice: the one that was last, else the first that can go on.
class enumeration {
 public:
  enumeration(const program& p, int most, bool whole_blocks = false) : p_(p), most_(most), whole_blocks_(whole_blocks) {
    world w;
    w.cells.assign(kCells, 0);
    for (int i = 0; i < p.count(); ++i) w.states.push_back(i + 1);
    w.at.assign(static_cast<std::size_t>(p.count()), 0);
    go_on(w, -1, 0);
  }
  std::set<result> results;
  std::int64_t worlds() const { return static_cast<std::int64_t>(seen_.size()); }

 private:
  struct world {
    std::vector<int> cells, states, at;
    auto operator<=>(const world&) const = default;
  };

  bool waits(const world& w, int thread) const {  // at a barrier that not all of its block have come to
    const int i = w.at[static_cast<std::size_t>(thread)];
    return i < kMostOps && p_.what(thread, i) == kBarrier;
  }
  // A barrier opens when every thread of the block that has not ended waits at one.
  void open_barriers(world& w) const {
    for (int b = 0; b < p_.blocks; ++b) {
      bool all = true, any = false;
      for (int i = 0; i < p_.threads; ++i) {
        const int t = b * p_.threads + i;
        if (w.at[static_cast<std::size_t>(t)] >= kMostOps) continue;
        all = all && waits(w, t), any = true;
      }
      if (!all || !any) continue;
      for (int i = 0; i < p_.threads; ++i) {
        const auto t = static_cast<std::size_t>(b * p_.threads + i);
        if (w.at[t] < kMostOps) ++w.at[t];
      }
      open_barriers(w);
    }
  }
  void skip_ends(world& w) const {
    for (int t = 0; t < p_.count(); ++t)
      while (w.at[static_cast<std::size_t>(t)] < kMostOps && p_.what(t, w.at[static_cast<std::size_t>(t)]) == kEnd)
        ++w.at[static_cast<std::size_t>(t)];
  }

  std::vector<int> one_of_each_block(const std::vector<int>& ready, int last) const {
    std::map<int, int> first;
    for (const int t : ready)
      if (const auto [at, added] = first.emplace(t / p_.threads, t); !added && t == last) at->second = t;
    std::vector<int> out;
    for (const auto& [block, t] : first) out.push_back(t);
    return out;
  }

  void go_on(world w, int last, int spent) {
    skip_ends(w);
    open_barriers(w);
    skip_ends(w);
    const auto key = std::pair(w, last);
    const auto known = seen_.find(key);
    if (known != seen_.end() && known->second <= spent) return;
    seen_[key] = spent;
    std::vector<int> ready;
    for (int t = 0; t < p_.count(); ++t)
      if (w.at[static_cast<std::size_t>(t)] < kMostOps && !waits(w, t)) ready.push_back(t);
    if (ready.empty()) {
      result r = w.cells;
      r.insert(r.end(), w.states.begin(), w.states.end());
      results.insert(r);
      return;
    }
    if (whole_blocks_) ready = one_of_each_block(ready, last);
    const auto unit = [&](int t) { return whole_blocks_ ? t / p_.threads : t; };
    const bool last_could = last >= 0 && std::ranges::find(ready, unit(last), unit) != ready.end();
    for (const int t : ready) {
      const int cost = spent + (last_could && unit(t) != unit(last) ? 1 : 0);
      if (most_ >= 0 && cost > most_) continue;
      world next = w;
      int& i = next.at[static_cast<std::size_t>(t)];
      int& state = next.states[static_cast<std::size_t>(t)];
      int& cell = next.cells[static_cast<std::size_t>(p_.cell(t, i))];
      const int read = cell;
      switch (p_.what(t, i)) {
        case kLoad:
        case kPlainLoad:
          state = next_state(state, read);
          break;
        case kStore:
        case kPlainStore:
          cell = state;
          break;
        case kAdd:
          cell += state & 7;
          state = next_state(state, read);
          break;
        case kSwap:
          if (read == 0) cell = state;
          state = next_state(state, read);
          break;
        default:
          break;
      }
      ++i;
      go_on(std::move(next), t, cost);
    }
  }

  const program& p_;
  int most_;
  bool whole_blocks_;
  std::map<std::pair<world, int>, int> seen_;
};

struct explored {
  std::set<result> results;
  std::int64_t runs = 0;
};

explored explore(const program& p, int most, const simt::cli::trail_limits& limits = {},
                 simt::schedule_unit unit = simt::schedule_unit::thread) {
  explored out;
  simt::cli::schedule_search search({.preemptions = most}, limits);
  while (!search.is_done()) {
    const simt::cli::planned_run next = search.take();
    simt::run_request request;
    request.checks.races = true;
    request.schedule = "explore";
    request.steps = {next.departures, search.places(), 0, 0};
    request.steps.tells_others = next.tells_others;
    request.steps.unit = unit;
    simt::backend::begin_run(request);
    result r(kCells, 0), states(static_cast<std::size_t>(p.count()), 0);
    simt::run_report report;
    {
      simt::buffer<int> codes(static_cast<std::int64_t>(p.codes.size())), cells(kCells), end(p.count());
      codes.copy_from(p.codes);
      cells.copy_from(r);
      end.copy_from(states);
      simt::launch<interpret>({.grid = {p.blocks}, .block = {p.threads}}, codes, cells, end);
      cells.copy_to(r);
      end.copy_to(states);
    }
    simt::backend::end_run(report);
    REQUIRE(report.error == "");
    CHECK(!report.steps.missed);
    CHECK(!report.steps.disturbed);
    r.insert(r.end(), states.begin(), states.end());
    if (!next.again) out.results.insert(r);  // a run that is made again shows what its first one has
    search.learn(next, report.steps);
  }
  out.runs = search.runs();
  return out;
}

program random_program(std::mt19937& random, int blocks, int threads, bool barriers) {
  program p{blocks, threads, {}};
  const auto number = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  std::vector<int> lengths;
  for (int t = 0; t < p.count(); ++t) {
    const int length = p.count() > 2 ? 1 + number(3) : 2 + number(4);
    for (int i = 0; i < kMostOps; ++i) {
      int what = number(kBarrier);
      if (i >= length) what = kEnd;
      if (barriers && i == 2) what = kBarrier;  // of all threads
      p.codes.insert(p.codes.end(), {what, number(kCells)});
    }
  }
  return p;
}

}  // namespace

TEST_CASE("the search reaches every result that any order has, and no other") {
  std::mt19937 random(4);
  std::int64_t runs = 0, worlds = 0;
  for (int round = 0; round < 24; ++round) {
    const bool three = round % 3 == 2;
    const program p = random_program(random, three ? 3 : 1 + round % 2, three ? 1 : 2 - round % 2, round % 4 == 0);
    CAPTURE(round);
    const enumeration all(p, -1);
    const explored found = explore(p, -1);
    CHECK(found.results == all.results);
    if (round % 3 == 0) {  // with runs that do not tell who else could have gone on
      const explored again = explore(p, -1, {.longest = 0, .kept = 0});
      CHECK(again.results == all.results);
      CHECK(again.runs == found.runs);
    }
    runs += found.runs;
    worlds += all.worlds();
  }
  MESSAGE(runs << " runs instead of " << worlds << " states");
  CHECK(runs < worlds);  // it is a reduction
}

TEST_CASE("within a bound on preemptions, too") {
  std::mt19937 random(9);
  for (int round = 0; round < 40; ++round) {
    const program p = random_program(random, 3, 1, false);
    CAPTURE(round);
    for (const int most : {0, 1, 2}) {
      if (most != 1 && round >= 5) continue;
      CAPTURE(most);
      CHECK(explore(p, most).results == enumeration(p, most).results);
    }
  }
}

// Here each operation is a step: all are of one cell, which threads of both blocks change.
TEST_CASE("whole blocks take turns, and of each the first thread that can go on does") {
  std::mt19937 random(3);
  std::size_t fewer = 0;
  for (int round = 0; round < 12; ++round) {
    program p = random_program(random, 2, 2 + round % 2, round % 2 == 0);
    // Behind a barrier the thread that did the last step goes on, though another one of its block could.
    if (round % 2 == 0)
      for (int t = 0; t < p.count(); ++t)
        p.codes[static_cast<std::size_t>((t * kMostOps + 3) * 2)] = t % 2 == 0 ? kStore : kAdd;
    for (std::size_t i = 0; i < p.codes.size(); i += 2) {
      p.codes[i + 1] = 0;
      if (p.codes[i] < kBarrier) p.codes[i] %= kPlainLoad;
    }
    for (int block = 0; block < 2; ++block) p.codes[static_cast<std::size_t>(block * p.threads * kMostOps * 2)] = kAdd;
    CAPTURE(round);
    for (const int most : {0, 1, -1}) {
      if (most < 0 && (p.threads > 2 || round >= 6)) continue;
      CAPTURE(most);
      const std::set<result> whole = enumeration(p, most, true).results;
      CHECK(explore(p, most, {}, simt::schedule_unit::block).results == whole);
      if (most < 0 && enumeration(p, most).results.size() > whole.size()) ++fewer;
    }
    if (round == 0)  // these blocks have one warp
      CHECK(explore(p, 1, {}, simt::schedule_unit::warp).results == enumeration(p, 1, true).results);
  }
  CHECK(fewer > 0);
}

TEST_CASE("what no two threads share needs one run") {
  program p{2, 1, {}};
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < kMostOps; ++i) p.codes.insert(p.codes.end(), {kAdd, t});
  const explored found = explore(p, -1);
  CHECK(found.runs == 1);
  CHECK(found.results.size() == 1);
}

// Whoever comes from a barrier is sent to its next step before anybody takes one, also in a run that tells of nobody.
TEST_CASE("what a run finds does not depend on whether it tells who else could have gone on") {
  const auto findings = [](bool tells_others, std::shared_ptr<const std::vector<std::uint64_t>> places) {
    simt::run_request request;
    request.checks.uninit = true;
    request.schedule = "explore";
    request.steps = {{}, std::move(places), 0, 0};
    request.steps.tells_others = tells_others;
    simt::backend::begin_run(request);
    simt::run_report report;
    {
      simt::buffer<int> cell(1), unwritten(1), out(1);
      cell.copy_from(std::vector<int>{0});
      try {
        simt::launch<ends_early>({.grid = {1}, .block = {2}}, cell, unwritten, out);
        simt::synchronize();
      } catch (const simt::error& e) {
        CHECK(e.kind() == simt::error_kind::device_fault);
      }
    }
    simt::backend::end_run(report);
    return std::pair(report.findings.size(), report.steps.new_places);
  };
  const auto [first, places] = findings(true, nullptr);
  const auto known = std::make_shared<const std::vector<std::uint64_t>>(places);
  CHECK(!places.empty());
  const auto [told, none] = findings(true, known);
  CHECK(none.empty());
  CHECK(told == 2);  // what nothing has written, and the trap
  CHECK(findings(false, known).first == told);
}
