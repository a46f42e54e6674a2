// SPDX-License-Identifier: Apache-2.0
// What a checked run has found, gathered at its end: the detector's findings and those of the rules, with source lines.
#include <charconv>

#include <fmt/format.h>

#include <backends/sim/check_session.hpp>
#include <backends/sim/stream_facts.hpp>
#include <sim/report/allocated_name.hpp>
#include <sim/report/barrier_branch.hpp>
#include <sim/report/parting_lines.hpp>
#include <sim/report/race_places.hpp>
#include <sim/report/source_excerpt.hpp>

namespace simt::sim {

namespace {

// Two addresses that the compiler made of one call of the source, by unrolling a loop for instance: line and column
// agree, and so do those of the calls that were inlined around it. What is unknown agrees with all.
bool is_one_call(symbolizer& symbols, std::uintptr_t a, std::uintptr_t b) {
  const auto of_user = [&](std::uintptr_t pc) {
    std::vector<code_frame> frames = symbols.frames(pc);
    std::erase_if(frames, [](const code_frame& f) { return f.engine; });
    return frames;
  };
  const std::vector<code_frame> x = of_user(a), y = of_user(b);
  if (x.size() != y.size()) return true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto differ = [](int p, int q) { return p != 0 && q != 0 && p != q; };
    if (x[i].file != y[i].file || differ(x[i].line, y[i].line) || differ(x[i].column, y[i].column)) return false;
  }
  return true;
}

// The place of a call at pc in the file of `a`; line 0: it is elsewhere.
code_frame frame_in(symbolizer& symbols, std::uintptr_t pc, const access& a) {
  if (pc != 0)
    for (const code_frame& f : symbols.frames(pc))
      if (!f.engine && f.file == a.file) return f;
  return {};
}

access place_in_source(const code_frame& f) {
  access a;
  a.file = f.file, a.path = f.path, a.line = f.line, a.column = f.column, a.function = f.function;
  return a;
}

// Memory that a helper allocates has the name of the helper's variable: its caller's says more. A vector of Thrust has
// none, but for the place where it is made.
void name_by_caller_of_helper(symbolizer& symbols, source_reader& sources, finding& f) {
  if (f.object.empty() || f.allocated.empty()) return;
  std::vector<code_frame> frames;
  for (const std::uintptr_t pc : f.allocated)
    for (const code_frame& c : symbols.frames(pc))
      if (!c.engine && c.line > 0 && frames.size() < 2) frames.push_back(c);
  const bool vector = f.object == "a device_vector";
  if (frames.size() < (vector ? 1 : 2) || (!vector && frames[0].function == "main")) return;
  std::string name = vector ? name_of_vector(sources, place_in_source(frames[0]))
                            : name_by_caller(sources, place_in_source(frames[0]), place_in_source(frames[1]), f.object);
  if (!name.empty()) f.object = std::move(name);
}

// Work of streams that the nodes of a graph run on: the graph's edges order it.
void name_graph_branches(finding& f) {
  for (access& a : f.accesses) {
    std::uintptr_t handle = 0;
    const char* const end = a.stream.data() + a.stream.size();
    if (std::from_chars(a.stream.data(), end, handle).ptr != end || !backend::is_graph_branch(handle)) continue;
    a.stream += " (a branch of a graph)";
    if (f.cause == cause::race_streams) f.cause = cause::race_graph;
  }
}

// Whether who has left the kernel left behind the place where the others are, or behind the call that leads there: by a
// branch or a loop that it did not take, and not by an early `return`. The place where it left tells.
bool left_behind(const access& waits, const access& left) {
  const auto [here, exited] = parting_lines(waits, left);
  if (here.file.empty() || !of_one_function(here, exited)) return false;
  return exited.line != here.line ? exited.line > here.line : here.column != 0 && exited.column > here.column;
}

// Threads that took an early `return` are no longer waited for: a warning. Who went around the place: an error.
void judge_place_of_exit(finding& f) {
  if (f.accesses.size() < 2 || !left_behind(f.accesses[0], f.accesses[1])) return;
  const bool lanes = f.cause == cause::lanes_exited;
  if (!lanes) f.rule = rule::barrier_divergence;
  f.cause = lanes ? cause::lanes_elsewhere : cause::barrier_skipped;
  f.severity = severity::error;
}

}  // namespace

std::vector<finding> check_session::collect(bool leaks, std::vector<std::string>& notes) {
  const host_turn turn;
  dispatcher_->flush_host();
  if (leaks && settings_.checks.memory) detector_.core().report_leaks();
  std::vector<finding> all = detector_.core().findings();
  for (finding& f : detector_.findings_of_rules().all()) all.push_back(std::move(f));
  for (finding& f : all)
    for (access& a : f.accesses) {
      if (a.callers.empty()) a.callers = detector_.host().callers_of(a.pc);
      if (a.pc != 0 && a.line == 0) symbols_.resolve(a, a.callers);
    }
  source_reader sources;
  for (finding& f : all) {
    name_graph_branches(f);
    name_by_caller_of_helper(symbols_, sources, f);
    if (f.cause == cause::barrier_after_exit || f.cause == cause::lanes_exited) judge_place_of_exit(f);
    find_branch(sources, f);
    if (f.cause == cause::misaligned_access && !f.accesses.empty())
      f.facts.text = sources.surface_call_at(f.accesses.front());
    if (f.accesses.size() < 2) continue;
    const code_frame barrier = frame_in(symbols_, f.facts.last_barrier, f.accesses[0]);
    if (is_race(f.rule)) find_places(sources, f, {barrier.function, barrier.file, barrier.line}, barrier.column);
    if (f.cause == cause::fence_narrow) f.facts.narrow_line = sources.narrow_order(f.accesses[1], f.accesses.back());
  }
  std::erase_if(all, [&](const finding& f) {
    return f.cause == cause::barriers_differ && is_one_call(symbols_, f.accesses[0].pc, f.accesses[1].pc);
  });
  for (finding& f : all)
    for (access& a : f.accesses)
      if (a.line > 0 && !sources.has_own_column(a)) a.column = 0;
  if (const std::uint64_t lost = dispatcher_->lost_host_accesses(); lost > 0)
    notes.push_back(fmt::format("{} accesses of the host during launches were too many to be judged", lost));
  const auto stats = detector_.core().stats();
  if (stats.findings_dropped > 0)
    notes.push_back(fmt::format("{} further distinct findings were left out", stats.findings_dropped));
  if (stats.agents_retired_early > 0)
    notes.push_back(
        fmt::format("{} launches and copies were too many without the host waiting for any: races of the oldest with "
                    "other streams or the host may have been missed (docs/limitations.md)",
                    stats.agents_retired_early));
  if (stats.inexact_cells > 0)
    notes.push_back(
        fmt::format("the detector's memory limit was met: races on {} words may have been missed (docs/limitations.md)",
                    stats.inexact_cells));
  return all;
}

}  // namespace simt::sim
