// SPDX-License-Identifier: Apache-2.0
#include "sim/report/merged_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/report/names.hpp"

namespace simt {

std::string finding_key(const finding& f) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < std::min<std::size_t>(f.accesses.size(), 2); ++i) {
    places.push_back(fmt::format("{}:{:08}", f.accesses[i].file, f.accesses[i].line));
  }
  std::ranges::sort(places);
  return fmt::format("{}|{}|{}", name(f.rule), f.object, fmt::join(places, "|"));
}

namespace {

// Of one place that is several instructions, as of a loop that was unrolled: the element that comes first.
bool is_nearer(const finding& f, const finding& than) {
  if (f.severity != than.severity || f.cause != than.cause) return false;
  if (f.cause == cause::outside_before || f.cause == cause::outside_behind)
    return f.facts.distance < than.facts.distance;
  return f.rule == rule::uninitialized_read && f.index < than.index;
}

}  // namespace

void merge_findings(std::vector<finding>& into, const std::vector<finding>& more, bool sum) {
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < into.size(); ++i) known.emplace(finding_key(into[i]), i);
  for (const finding& f : more) {
    const auto [at, is_new] = known.emplace(finding_key(f), into.size());
    if (is_new) {
      into.push_back(f);
      continue;
    }
    finding& kept = into[at->second];
    const std::int64_t count = kept.count + (sum ? f.count : 0);
    if (f.severity < kept.severity || is_nearer(f, kept)) kept = f;  // an error says more than a warning
    kept.count = count;
  }
}

bool ran_as_loops(const run_report& r) {
  return std::ranges::any_of(r.launches, [](const launch_record& l) { return l.execution == "loops"; });
}

bool found_in_passing_order(const run_report& r, const asked_order& asked) {
  const bool hangs = std::ranges::any_of(r.findings, [](const finding& f) { return f.rule == rule::hang; });
  const bool other_order = (!asked.one_worker && r.workers != 1) || (asked.may_be_loops && ran_as_loops(r));
  // What the host left undone does not depend on how kernels ran.
  const bool of_kernels = std::ranges::any_of(
      r.findings, [](const finding& f) { return f.rule != rule::leak && f.rule != rule::unchecked_error; });
  return of_kernels && !hangs && other_order;
}

std::string said_of_assertion(std::string_view text, const index3& block, const index3& thread) {
  return fmt::format("{}|{},{},{}|{},{},{}", text, block.x, block.y, block.z, thread.x, thread.y, thread.z);
}

std::string failed_assertion(const run_report& r) {
  for (const finding& f : r.findings)
    if (f.cause == cause::fault_assert && !f.accesses.empty())
      return said_of_assertion(f.facts.text, f.accesses.front().block, f.accesses.front().thread);
  return {};
}

namespace {

// A race with that line of the same array: `f` is the same one, but for a reader's line that it was not sure of.
bool names_reader_surely(const finding& known, const finding& f) {
  return known.rule == f.rule && known.object == f.object && std::ranges::any_of(known.accesses, [&](const access& a) {
           return a.line == f.accesses.front().line && a.file == f.accesses.front().file;
         });
}

}  // namespace

void add_found_only_in(const run_report& first, bool first_as_loops, run_report& second) {
  if (first_as_loops)
    for (launch_record& l : second.launches)
      if (l.execution == "fibers") l.execution_reason = "a first run as loops found something";
  std::vector<finding> only_first = first.findings;
  if (first_as_loops)
    std::erase_if(only_first, [](const finding& f) { return !is_race(f.rule); });  // no order changes it
  std::erase_if(only_first, [&](const finding& f) {
    return f.unsure_place &&
           std::ranges::any_of(second.findings, [&](const finding& g) { return names_reader_surely(g, f); });
  });
  std::ranges::sort(only_first, {}, finding_key);
  merge_findings(second.findings, only_first, false);
}

run_report with_part_of_second(run_report first, const run_report& second) {
  std::map<std::string, std::int64_t> counts;
  for (const finding& f : first.findings) counts.emplace(finding_key(f), f.count);
  std::vector<finding> findings = second.findings;
  std::ranges::sort(first.findings, {}, finding_key);
  merge_findings(findings, first.findings, false);
  for (finding& f : findings)
    if (const auto known = counts.find(finding_key(f)); known != counts.end()) f.count = known->second;
  std::ranges::stable_partition(findings, [](const finding& f) { return f.rule != rule::leak; });
  first.findings = std::move(findings);
  first.notes.push_back(
      "a second run, thread by thread, was ended when it had taken long enough: counts are those of the first run");
  return first;
}

}  // namespace simt
