// SPDX-License-Identifier: Apache-2.0
#include "loop_exits.hpp"

#include <algorithm>

#include "parting_lines.hpp"
#include "verdict.hpp"

namespace simt {
namespace {

// Is `race` between the condition of a loop and its body, and the barrier at `waits` in that loop? That barrier stands
// between the two in the text and not in the run, so to guard it is no cure.
bool leaves_loop_around(const finding& race, const access& waits) {
  if (!is_race(race.rule) || race.severity != severity::error || race.accesses.size() < 2) return false;
  const access &one = race.accesses[0], &other = race.accesses[1];
  const barrier_place& loop = race.facts.place;  // turn 0: its body has not got both sides
  if (!race.facts.next_turn) {  // of one turn: who reads the head late leaves, and others wait further down
    const auto in_head = [&](const access& a) { return a.kind == access_kind::read && a.line == loop.turn; };
    return loop.turn != 0 && (in_head(one) || in_head(other)) && of_one_function(one, waits) &&
           loop.turn_begin <= waits.line && waits.line <= loop.turn_end;
  }
  const auto in_condition = [&](const access& a) {
    return a.kind == access_kind::read && (loop.turn == 0 || a.line == loop.turn || a.line == loop.turn_end);
  };
  const auto [low, high] = std::minmax(one.line, other.line);
  return (in_condition(one) || in_condition(other)) && of_one_function(one, waits) && of_one_function(other, waits) &&
         low <= waits.line && waits.line <= high;
}

}  // namespace

std::vector<left_loop> loops_left_by_races(const std::vector<finding>& findings) {
  std::vector<left_loop> out;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const finding& f = findings[i];
    if (f.cause != cause::barrier_skipped && f.cause != cause::barrier_unreachable && f.cause != cause::blocks_missing)
      continue;
    const auto waits = std::ranges::find_if(f.accesses, [](const access& a) {
      return (a.deed == deed::waits_here || a.deed == deed::waits_at_grid_barrier) && a.line > 0;
    });
    if (waits == f.accesses.end()) continue;
    const auto race = std::ranges::find_if(findings, [&](const finding& r) { return leaves_loop_around(r, *waits); });
    if (race == findings.end()) continue;
    const auto at = static_cast<std::size_t>(race - findings.begin());
    out.push_back({i, at});
    for (std::size_t j = 0; j < findings.size(); ++j)
      if (findings[j].cause == cause::fault_deadlock && findings[j].kernel == f.kernel) out.push_back({j, at});
  }
  return out;
}

}  // namespace simt
