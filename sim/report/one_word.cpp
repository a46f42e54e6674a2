// SPDX-License-Identifier: Apache-2.0
#include "one_word.hpp"

#include <algorithm>
#include <set>

#include "parting_lines.hpp"

namespace simt {
namespace {

class word_grouping {
 public:
  explicit word_grouping(std::vector<finding>& findings) : findings_(findings), taken_(findings.size(), false) {}

  std::vector<belongs_to> run() {
    for (std::size_t i = 0; i < findings_.size(); ++i)
      if (!lines_to_change(findings_[i].facts).empty()) updates_and_steps(i);
    for (std::size_t i = 0; i < findings_.size(); ++i) between_blocks(i);
    return found_;
  }

 private:
  // Lines that an atomic operation is to take the place of.
  static std::set<int> lines_to_change(const facts& v) {
    std::set<int> lines;
    if (v.step.read_line != 0) lines = {v.step.read_line, v.step.write_line};
    if (v.plain_update != 0) lines.insert(v.plain_update);
    for (const line_update& u : v.other_updates) lines.insert({u.line, v.update_line});
    return lines;
  }

  void updates_and_steps(std::size_t i) {
    if (findings_[i].accesses.size() < 2 || is_member(i)) return;
    std::set<int> lines = lines_to_change(findings_[i].facts);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t j = 0; j < findings_.size(); ++j) {
        if (j == i || taken_[j] || !is_of_that_word(findings_[j], findings_[i])) continue;
        const bool shares =
            std::ranges::any_of(findings_[j].accesses, [&](const access& a) { return lines.contains(a.line); });
        // What is atomic already is in order with what becomes so.
        const bool is_covered = (shares || findings_[j].facts.both_update) &&
                                std::ranges::all_of(findings_[j].accesses, [&](const access& a) {
                                  return lines.contains(a.line) || a.kind == access_kind::atomic;
                                });
        if (!is_covered && !(shares && findings_[j].facts.both_update)) continue;
        if (add_updates(findings_[i].facts, findings_[j].facts))
          lines = lines_to_change(findings_[i].facts), more = true;
        take(j, i);
      }
    }
  }

  static bool is_of_that_word(const finding& f, const finding& leader) {
    return is_race(f.rule) && f.accesses.size() >= 2 && f.object == leader.object &&
           std::ranges::all_of(f.accesses, [&](const access& a) { return of_one_function(a, leader.accesses[0]); });
  }

  // Gives whether a line was added.
  static bool add_updates(facts& to, const facts& from) {
    if (to.other_updates.empty() || from.other_updates.empty()) return false;
    std::vector<line_update> all = from.other_updates;
    all.push_back({from.update_line, from.target, from.update, from.operand, from.value_used});
    bool added = false;
    for (line_update& u : all) {
      const bool is_known = u.line == to.update_line ||
                            std::ranges::find(to.other_updates, u.line, &line_update::line) != to.other_updates.end();
      if (!is_known) to.other_updates.push_back(std::move(u)), added = true;
    }
    return added;
  }

  // A second array, or a launch for each turn of the loop, orders all that the leader's line overwrites.
  void between_blocks(std::size_t i) {
    const finding& f = findings_[i];
    if (taken_[i] || !is_between_blocks(f.cause) || f.facts.cooperative || f.accesses.size() < 2) return;
    for (std::size_t j = i + 1; j < findings_.size(); ++j) {
      const finding& other = findings_[j];
      if (taken_[j] || !is_between_blocks(other.cause) || other.accesses.size() < 2) continue;
      if (!of_one_function(other.accesses[0], f.accesses[0])) continue;
      const bool same_array = f.facts.reads_first && other.facts.reads_first && other.object == f.object &&
                              written_line(other) == written_line(f);
      const bool same_turn = !f.facts.reads_first && !other.facts.reads_first && f.facts.place.turn != 0 &&
                             f.facts.place.turn == other.facts.place.turn && !f.facts.in_place && !other.facts.in_place;
      if (same_array || same_turn) take(j, i);
    }
  }

  static int written_line(const finding& f) {
    return f.accesses[0].kind == access_kind::write ? f.accesses[0].line : f.accesses[1].line;
  }

  bool is_member(std::size_t i) const { return std::ranges::find(found_, i, &belongs_to::member) != found_.end(); }

  void take(std::size_t member, std::size_t leader) {
    taken_[member] = taken_[leader] = true;
    found_.push_back({member, leader});
  }

  std::vector<finding>& findings_;
  std::vector<bool> taken_;  // leads or belongs to one
  std::vector<belongs_to> found_;
};

}  // namespace

std::vector<belongs_to> races_of_one_word(std::vector<finding>& findings) { return word_grouping(findings).run(); }

}  // namespace simt
