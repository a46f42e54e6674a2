// SPDX-License-Identifier: Apache-2.0
#include "grouping.hpp"

#include <algorithm>
#include <cstddef>

namespace simt::cli {
namespace {

constexpr std::int64_t kNobody = -1;

// The lines of one function that a race lies between.
struct span_of_lines {
  const access* where = nullptr;  // null: a barrier would not help
  int low = 0, high = 0;
  int loop = 0;  // the barrier of the loop whose next turn one side belongs to; 0: no loop is crossed
};

bool same_function(const access& a, const access& b) { return a.file == b.file && a.function == b.function; }

span_of_lines lines_of(const finding& f) {
  const bool in_block = f.cause == cause::race_lanes || f.cause == cause::race_block;
  if (!in_block || f.facts.in_place || f.accesses.size() < 2) return {};
  const access &later = f.accesses[0], &earlier = f.accesses[1];
  if (later.line <= 0 || earlier.line <= 0 || !same_function(later, earlier)) return {};
  const auto [low, high] = std::minmax(later.line, earlier.line);
  const int barrier = f.facts.barrier_line;
  return {&later, low, high, barrier != 0 && low < barrier && barrier <= high ? barrier : 0};
}

class grouping {
 public:
  explicit grouping(std::vector<finding>& findings)
      : findings_(findings), leader_(findings.size(), kNobody), led_(findings.size(), false) {}

  void run() {
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      barrier_gone_around(i);
      write_out_of_bounds(i);
    }
    missing_barriers();
    for (std::size_t i = 0; i < findings_.size(); ++i) read_too_early(i);
    put_together();
  }

 private:
  bool is_free(std::size_t i) const { return leader_[i] == kNobody && !led_[i]; }

  void join(std::size_t member, std::size_t leader) {
    leader_[member] = static_cast<std::int64_t>(leader);
    led_[leader] = true;
  }

  void barrier_gone_around(std::size_t i) {
    const finding& f = findings_[i];
    if (f.cause != cause::barrier_skipped && f.cause != cause::barriers_differ) return;
    const auto waits = std::ranges::find_if(f.accesses, [](const access& a) { return a.deed == deed::waits_here; });
    if (waits == f.accesses.end() || waits->line <= 0) return;
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const span_of_lines s = lines_of(findings_[j]);
      if (s.where == nullptr || !same_function(*s.where, *waits) || !is_free(j)) continue;
      if (s.low <= waits->line && waits->line <= s.high) join(j, i);
    }
  }

  void write_out_of_bounds(std::size_t i) {
    const finding& f = findings_[i];
    if (f.rule != rule::out_of_bounds || f.accesses.empty()) return;
    const access& written = f.accesses[0];
    if (written.kind == access_kind::read || written.line <= 0) return;
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const finding& race = findings_[j];
      if (!is_race(race.rule) || race.object == f.object || !is_free(j)) continue;
      const bool it_is = std::ranges::any_of(race.accesses, [&](const access& a) {
        return a.kind != access_kind::read && a.line == written.line && same_function(a, written);
      });
      if (it_is) join(j, i);
    }
  }

  // The race with the fewest lines says best where the barrier is missing; then the next of those that are left.
  void missing_barriers() {
    for (;;) {
      std::size_t best = findings_.size();
      for (std::size_t i = 0; i < findings_.size(); ++i) {
        const span_of_lines s = lines_of(findings_[i]);
        if (s.where == nullptr || !is_free(i) || looked_at(i)) continue;
        if (best == findings_.size() || narrower(s, lines_of(findings_[best]))) best = i;
      }
      if (best == findings_.size()) return;
      seen_.push_back(best);
      const span_of_lines first = lines_of(findings_[best]);
      for (std::size_t j = 0; j < findings_.size(); ++j) {
        const span_of_lines s = lines_of(findings_[j]);
        if (j == best || s.where == nullptr || !is_free(j) || !same_function(*s.where, *first.where)) continue;
        const bool one_barrier = s.loop == first.loop && (s.loop != 0 || (s.low <= first.low && first.high <= s.high));
        if (one_barrier) join(j, best);
      }
    }
  }
  bool looked_at(std::size_t i) const { return std::ranges::find(seen_, i) != seen_.end(); }
  static bool narrower(const span_of_lines& a, const span_of_lines& b) { return a.high - a.low < b.high - b.low; }

  // Of an element that another thread has not written yet, for the same want of a barrier.
  void read_too_early(std::size_t i) {
    const finding& f = findings_[i];
    if (f.cause != cause::unwritten_shared || f.accesses.empty() || !is_free(i)) return;
    const access& read = f.accesses[0];
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const finding& race = findings_[j];
      if (!is_race(race.rule) || race.object != f.object || race.facts.in_place) continue;
      const bool it_is = std::ranges::any_of(race.accesses, [&](const access& a) {
        return a.kind == access_kind::read && a.line == read.line && same_function(a, read);
      });
      if (!it_is) continue;
      join(i, leader_[j] == kNobody ? j : static_cast<std::size_t>(leader_[j]));
      return;
    }
  }

  void put_together() {
    std::vector<finding> sorted;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (leader_[i] != kNobody) continue;
      const std::size_t at = sorted.size();
      sorted.push_back(std::move(findings_[i]));
      for (std::size_t j = 0; j < findings_.size(); ++j) {
        if (leader_[j] != static_cast<std::int64_t>(i)) continue;
        sorted[at].members.push_back(static_cast<std::int64_t>(sorted.size()));
        sorted.push_back(std::move(findings_[j]));
        sorted.back().part_of = static_cast<std::int64_t>(at);
      }
    }
    findings_ = std::move(sorted);
  }

  std::vector<finding>& findings_;
  std::vector<std::int64_t> leader_;  // of each, or kNobody
  std::vector<bool> led_;             // has members, so it is nobody's
  std::vector<std::size_t> seen_;     // have looked for members
};

}  // namespace

void group_findings(std::vector<finding>& findings) { grouping(findings).run(); }

}  // namespace simt::cli
