// SPDX-License-Identifier: Apache-2.0
#include "grouping.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "copy_groups.hpp"
#include "lock_groups.hpp"
#include "loop_exits.hpp"
#include "one_word.hpp"
#include "out_of_place.hpp"
#include "parting_lines.hpp"
#include "verdict.hpp"

namespace simt {
namespace {

constexpr std::int64_t kNobody = -1;

// The lines of one function that a race lies between.
struct span_of_lines {
  bool is_known = false;   // else a barrier would not help
  bool of_blocks = false;  // a block's barrier would not
  access where;
  int low = 0, high = 0;
  int loop = 0;  // the barrier of the loop whose next turn one side belongs to; 0: no loop is crossed
};

span_of_lines lines_of(const finding& f) {
  const bool in_block = f.cause == cause::race_lanes || f.cause == cause::race_block;
  const bool of_blocks = f.cause == cause::race_blocks || f.cause == cause::race_blocks_handover;
  const bool one_line_writes = f.accesses.size() == 2 && !f.facts.place.in_loop && !f.facts.next_turn &&
                               f.accesses[0].kind == access_kind::write && f.accesses[1].kind == access_kind::write &&
                               f.accesses[0].line == f.accesses[1].line && f.severity == severity::error;
  const bool mended_otherwise =
      f.facts.in_place || f.facts.step.read_line != 0 || !f.facts.two_names.empty() || one_line_writes;
  if ((!in_block && !of_blocks) || mended_otherwise || f.accesses.size() < 2) return {};
  const auto [later, earlier] = parting_lines(f.accesses[0], f.accesses[1]);
  if (later.line <= 0 || earlier.line <= 0 || !of_one_function(later, earlier)) return {};
  const auto [low, high] = std::minmax(later.line, earlier.line);
  if (of_blocks) {  // would an order of the two places mend it?
    const bool by_barrier = f.facts.cooperative && (low != high || later.kind != earlier.kind);
    const bool reads_below = later.kind == access_kind::write && later.line < earlier.line;
    const bool by_launches = low != high && (f.cause == cause::race_blocks_handover || reads_below);
    if (!by_barrier && !by_launches) return {};
  }
  return {true, of_blocks, later, low, high, f.facts.next_turn || f.facts.next_call ? f.facts.barrier_line : 0};
}

// The statements that one barrier for it would stand between.
std::pair<int, int> room_for_barrier(const finding& f, const span_of_lines& s) {
  const barrier_place& p = f.facts.place;
  return p.after != 0 && p.after < p.before ? std::pair(p.after, p.before) : std::pair(s.low, s.high);
}

bool is_unwritten(const finding& f) { return f.cause == cause::unwritten_shared || f.cause == cause::unwritten_global; }

class grouping {
 public:
  explicit grouping(std::vector<finding>& findings)
      : findings_(findings), leader_(findings.size(), kNobody), led_(findings.size(), false), seen_(led_) {
    for (const finding& f : findings) lines_.push_back(lines_of(f));
  }

  void run() {
    for (const left_loop& l : loops_left_by_races(findings_))
      if (is_free(l.consequence)) join(l.consequence, l.race);
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      barrier_gone_around(i);
      write_out_of_place(i);
      never_comes(i);
      lanes_elsewhere(i);
    }
    join_all(races_under_locks(findings_));
    join_all(races_of_one_word(findings_));
    for (std::size_t i = 0; i < findings_.size(); ++i) lanes_in_step(i);
    for (std::size_t i = 0; i < findings_.size(); ++i) fence_missing(i);
    join_all(races_of_one_wait(findings_));
    for (std::size_t i = 0; i < findings_.size(); ++i) loop_without_barrier(i);
    missing_barriers(true);
    missing_barriers(false);
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      leaked_together(i);
      outside_together(i);
    }
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      read_too_early(i);
      written_alike(i);
    }
    for (const bool by_copy : {true, false})
      for (std::size_t i = 0; i < findings_.size(); ++i) unwritten_together(i, by_copy);
    put_together();
  }

 private:
  bool is_free(std::size_t i) const { return leader_[i] == kNobody && !led_[i]; }

  void join(std::size_t member, std::size_t leader) {
    leader_[member] = static_cast<std::int64_t>(leader);
    led_[leader] = true;
  }

  template <class Belongs>
  void join_those(std::size_t from, std::size_t leader, Belongs belongs) {
    for (std::size_t j = from; j < findings_.size(); ++j)
      if (is_free(j) && belongs(findings_[j])) join(j, leader);
  }

  void join_all(const std::vector<belongs_to>& members) {
    for (const belongs_to& b : members)
      if (leader_[b.leader] == kNobody && is_free(b.member)) join(b.member, b.leader);
  }

  void barrier_gone_around(std::size_t i) {
    const finding& f = findings_[i];
    if (leader_[i] != kNobody || f.rule != rule::barrier_divergence || f.cause == cause::blocks_missing) return;
    const auto waits = std::ranges::find_if(f.accesses, [&](const access& a) {
      return a.deed == deed::waits_here || (f.facts.of_grid && a.deed == deed::waits_at_grid_barrier);
    });
    if (waits == f.accesses.end() || waits->line <= 0) return;
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const span_of_lines& s = lines_[j];
      if (!s.is_known || (s.of_blocks && !f.facts.of_grid) || !of_one_function(s.where, *waits) || !is_free(j))
        continue;
      if (s.low <= waits->line && waits->line <= s.high) join(j, i);
    }
  }

  void write_out_of_place(std::size_t i) {
    const finding& f = findings_[i];
    if (is_write_out_of_place(f)) join_those(0, i, [&](const finding& race) { return comes_of_write(race, f); });
  }

  // Who waits for the threads or blocks that do not come waits for ever.
  void never_comes(std::size_t i) {
    const finding& f = findings_[i];
    if (f.rule != rule::barrier_divergence || leader_[i] != kNobody) return;
    join_those(0, i, [&](const finding& o) { return o.cause == cause::fault_deadlock && o.kernel == f.kernel; });
  }

  // A shuffle that some lanes go around, or have left before, also reads from those that are not there.
  void lanes_elsewhere(std::size_t i) {
    const finding& f = findings_[i];
    if (f.cause != cause::lanes_elsewhere && f.cause != cause::lanes_exited) return;
    join_those(0, i, [&](const finding& o) {
      return o.cause == cause::shuffle_from_outside && of_one_function(o.accesses[0], f.accesses[0]) &&
             o.accesses[0].line == f.accesses[0].line;
    });
  }

  // Code that relies on the lanes of a warp to keep in step lacks as many barriers as it has steps.
  void lanes_in_step(std::size_t i) {
    const finding& f = findings_[i];
    if ((f.cause != cause::race_volatile_lanes && !f.facts.steps_of_lanes) || !is_free(i)) return;
    join_those(i + 1, i, [&](const finding& o) {
      return o.cause == f.cause && o.facts.steps_of_lanes == f.facts.steps_of_lanes &&
             of_one_function(o.accesses[0], f.accesses[0]);
    });
  }

  // One fence in front of a flag keeps all that was written before it.
  void fence_missing(std::size_t i) {
    finding& f = findings_[i];
    if (f.cause != cause::race_blocks_unfenced || f.accesses.size() < 3 || !is_free(i)) return;
    const access& flag = f.accesses[2];
    for (std::size_t j = i + 1; j < findings_.size(); ++j) {
      const finding& other = findings_[j];
      if (other.cause != f.cause || other.accesses.size() < 3 || !is_free(j)) continue;
      if (other.accesses[2].line != flag.line || !of_one_function(other.accesses[2], flag)) continue;
      for (const finding* each : {&std::as_const(f), &other})
        if (of_one_function(each->accesses[1], flag) && each->accesses[1].line <= flag.line)
          f.facts.between_low = std::max(f.facts.between_low, each->accesses[1].line);
      join(j, i);
    }
  }

  // A barrier at the end of a loop's body orders all that one turn does with what the next one does. One at its
  // beginning also orders its first turn behind what came before the loop, so that belongs here, too.
  void loop_without_barrier(std::size_t i) {
    finding& f = findings_[i];
    const span_of_lines& loop = lines_[i];
    if (f.facts.loop_end == 0 || !loop.is_known || loop.of_blocks || loop.loop != 0 || !is_free(i)) return;
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const span_of_lines& s = lines_[j];
      if (j == i || !s.is_known || s.of_blocks || s.loop != 0 || !of_one_function(s.where, loop.where) || !is_free(j))
        continue;
      const bool inside = findings_[j].facts.loop_begin == f.facts.loop_begin;
      const bool from_before = s.low < f.facts.loop_begin && f.facts.loop_begin <= s.high && s.high <= f.facts.loop_end;
      if (!inside && !from_before) continue;
      f.facts.from_before_loop |= from_before;
      join(j, i);
    }
    if (!f.facts.from_before_loop) read_behind_loop(i);
  }
  // One at the end of the body also orders its last turn before what follows the loop.
  void read_behind_loop(std::size_t i) {
    const facts& v = findings_[i].facts;
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const span_of_lines& s = lines_[j];
      if (j == i || !s.is_known || s.of_blocks || s.loop != 0 || !of_one_function(s.where, lines_[i].where)) continue;
      if (is_free(j) && v.loop_begin <= s.low && s.low <= v.loop_end && v.loop_end < s.high) join(j, i);
    }
  }

  // A barrier just before a race's later line orders every race that begins before that line and does not end before
  // it. So the race that ends first says where one is missing, and takes all that the same barrier orders; then the
  // next of those that are left. Of a group, the race with the fewest lines says best where to look.
  // First those of blocks, then those within a block that are left.
  void missing_barriers(bool of_blocks) {
    for (;;) {
      const std::size_t next = ends_first(of_blocks);
      if (next == findings_.size()) return;
      const span_of_lines& first = lines_[next];
      std::vector<std::size_t> group;
      std::size_t leader = next;
      for (std::size_t i = 0; i < findings_.size(); ++i) {
        const span_of_lines& s = lines_[i];
        if (i != next && (!is_free(i) || seen_[i] || !ordered_together(first, s))) continue;
        if (s.of_blocks != of_blocks && !(of_blocks && findings_[i].facts.cooperative)) continue;
        group.push_back(i);
        if (s.of_blocks == of_blocks && s.high - s.low < lines_[leader].high - lines_[leader].low) leader = i;
      }
      if (group.size() > 1 && first.loop == 0 && first.low != first.high) narrow(findings_[leader].facts, group);
      for (const std::size_t i : group) {
        seen_[i] = true;
        if (i != leader) join(i, leader);
      }
    }
  }
  // The room that is left for a barrier that orders all of them.
  void narrow(facts& v, const std::vector<std::size_t>& group) const {
    for (const std::size_t i : group) {
      const auto [low, high] = room_for_barrier(findings_[i], lines_[i]);
      v.between_low = std::max(v.between_low, low);
      v.between_high = v.between_high == 0 ? high : std::min(v.between_high, high);
    }
    if (v.between_low >= v.between_high) v.between_low = v.between_high = 0;
  }
  // The first race that is left, loops apart from the rest.
  std::size_t ends_first(bool of_blocks) const {
    std::size_t best = findings_.size();
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const span_of_lines& s = lines_[i];
      if (!s.is_known || s.of_blocks != of_blocks || !is_free(i) || seen_[i]) continue;
      if (best == findings_.size() || s.high < lines_[best].high) best = i;
    }
    return best;
  }
  // `first` ends before the other, or at the same line.
  static bool ordered_together(const span_of_lines& first, const span_of_lines& other) {
    if (!other.is_known || !of_one_function(first.where, other.where) || first.loop != other.loop) return false;
    if (first.loop != 0) return true;
    if (first.low == first.high || other.low == other.high) return first.low == other.low && first.high == other.high;
    return other.low < first.high && first.high <= other.high;
  }

  // Of an element that another thread has not written yet, for the same want of a barrier.
  void read_too_early(std::size_t i) {
    const finding& f = findings_[i];
    const bool global = f.cause == cause::unwritten_global;
    if (!is_unwritten(f) || f.accesses.empty() || !is_free(i)) return;
    const access& read = f.accesses[0];
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const finding& race = findings_[j];
      if (!is_race(race.rule) || race.object != f.object || race.facts.in_place) continue;
      // Within a block the element has to be the same one: of an array that is read at i + 1, others may lack a write.
      if (global && !lines_[j].of_blocks && (f.index.empty() || race.index != f.index)) continue;
      const bool it_is = std::ranges::any_of(race.accesses, [&](const access& a) {
        return a.kind != access_kind::write && a.line == read.line && of_one_function(a, read);
      });
      if (!it_is) continue;
      const std::size_t leader = leader_[j] == kNobody ? j : static_cast<std::size_t>(leader_[j]);
      findings_[leader].severity = f.severity;  // the write may have left the value that was there, the read shows it
      join(i, leader);
      return;
    }
  }

  // What nothing has written is read in several places; or a copy that reached past the end was to write it.
  void unwritten_together(std::size_t i, bool by_copy) {
    const finding& f = findings_[i];
    const bool leads = by_copy ? f.cause == cause::copy_writes_outside : is_unwritten(f);
    if (!leads || f.object.empty() || leader_[i] != kNobody || led_[i]) return;
    join_those(by_copy ? 0 : i + 1, i, [&](const finding& o) {
      const bool same = by_copy ? o.cause == cause::unwritten_global : o.cause == f.cause && o.kernel == f.kernel;
      return same && o.object == f.object;
    });
  }

  // Arrays of one size that one statement accesses with one index lack one test of it. Shared memory that a launch did
  // not ask for is missing at every place of the kernel.
  void outside_together(std::size_t i) {
    const finding& f = findings_[i];
    if (f.cause == cause::outside_all && f.space == memory_space::shared && leader_[i] == kNobody)
      join_those(i + 1, i,
                 [&](const finding& o) { return o.cause == f.cause && o.space == f.space && o.kernel == f.kernel; });
    if (f.rule != rule::out_of_bounds || f.index.empty() || f.accesses.empty() || f.accesses[0].line <= 0 ||
        !is_free(i))
      return;
    const access& a = f.accesses[0];
    if (f.space == memory_space::shared && f.cause == cause::outside_behind && a.kind == access_kind::write)
      join_those(0, i, [&](const finding& o) { return reads_what_is_outside(o, f); });
    join_those(i + 1, i, [&](const finding& o) {
      return o.rule == f.rule && o.index == f.index && !o.accesses.empty() && o.accesses[0].line == a.line &&
             of_one_function(a, o.accesses[0]) && o.accesses[0].block == a.block && o.accesses[0].thread == a.thread;
    });
  }

  // Two writes of one value are harmless by themselves. Where what one of them writes is also read or changed without
  // order, that is the same missing order, and another schedule may write other values.
  void written_alike(std::size_t i) {
    finding& f = findings_[i];
    if (!is_race(f.rule) || f.severity != severity::warning || f.accesses.size() < 2 || led_[i]) return;
    const access &later = f.accesses[0], &earlier = f.accesses[1];
    if (later.kind != access_kind::write || earlier.kind != access_kind::write) return;
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const finding& race = findings_[j];
      if (j == i || !is_race(race.rule) || race.severity != severity::error || race.object != f.object) continue;
      const bool of_the_same = std::ranges::any_of(race.accesses, [&](const access& a) {
        return a.kind == access_kind::write && of_one_function(a, later) &&
               (a.line == later.line || a.line == earlier.line);
      });
      if (!of_the_same) continue;
      f.severity = severity::error;
      if (leader_[i] == kNobody) join(i, leader_[j] == kNobody ? j : static_cast<std::size_t>(leader_[j]));
      return;
    }
  }

  // One function that frees nothing is one thing to look at, not as many as it allocates.
  void leaked_together(std::size_t i) {
    const finding& f = findings_[i];
    if (f.rule != rule::leak || f.accesses.empty() || f.accesses[0].line <= 0 || !is_free(i)) return;
    join_those(i + 1, i, [&](const finding& o) {
      return o.rule == rule::leak && !o.accesses.empty() && o.accesses[0].line > 0 &&
             of_one_function(o.accesses[0], f.accesses[0]);
    });
  }

  // Is it a counter that is changed without order between the write and the read of what it counts?
  bool counts_for_another(const finding& f) const {
    if (!is_between_blocks(f.cause) || f.accesses.size() < 2) return false;
    if (!f.facts.in_place && !f.facts.both_update && f.accesses[0].line != f.accesses[1].line) return false;
    const access& at = f.accesses[0];
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      const finding& other = findings_[j];
      if (other.cause != cause::race_blocks_handover || other.object == f.object || other.accesses.size() < 2) continue;
      const access &read = other.accesses[0], &write = other.accesses[1];
      if (of_one_function(read, at) && of_one_function(write, at) && write.line <= at.line && at.line <= read.line)
        return true;
    }
    return false;
  }

  // 0: it explains why a kernel did not finish; 1: it may be why others are there; 2: other errors; 3: the rest.
  int rank_of(std::size_t i, const std::vector<bool>& explains) const {
    if (explains[i]) return 0;
    if (findings_[i].severity != severity::error) return 3;
    return counts_for_another(findings_[i]) ? 1 : 2;
  }

  void put_together() {
    std::vector<bool> explains(findings_.size(), false);  // why a kernel did not finish
    for (std::size_t j = 0; j < findings_.size(); ++j)
      if (leader_[j] != kNobody && ends_the_kernel(findings_[j].rule))
        explains[static_cast<std::size_t>(leader_[j])] = true;
    std::vector<std::size_t> leaders;
    for (std::size_t i = 0; i < findings_.size(); ++i)
      if (leader_[i] == kNobody) leaders.push_back(i);
    std::vector<int> ranks;
    for (std::size_t i = 0; i < findings_.size(); ++i) ranks.push_back(rank_of(i, explains));
    std::ranges::stable_sort(leaders, {}, [&](std::size_t i) { return ranks[i]; });
    std::vector<finding> sorted;
    for (const std::size_t i : leaders) put_group(i, sorted);
    findings_ = std::move(sorted);
  }
  void put_group(std::size_t i, std::vector<finding>& sorted) {
    const std::size_t at = sorted.size();
    sorted.push_back(std::move(findings_[i]));
    for (std::size_t j = 0; j < findings_.size(); ++j) {
      if (leader_[j] != static_cast<std::int64_t>(i)) continue;
      sorted[at].members.push_back(static_cast<std::int64_t>(sorted.size()));
      sorted.push_back(std::move(findings_[j]));
      sorted.back().part_of = static_cast<std::int64_t>(at);
    }
  }

  std::vector<finding>& findings_;
  std::vector<span_of_lines> lines_;  // of each
  std::vector<std::int64_t> leader_;  // of each, or kNobody
  std::vector<bool> led_;             // has members, so it is nobody's
  std::vector<bool> seen_;            // are in a group of races, be it alone
};

}  // namespace

void group_findings(std::vector<finding>& findings) { grouping(findings).run(); }

}  // namespace simt
