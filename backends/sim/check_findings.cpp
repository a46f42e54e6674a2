// SPDX-License-Identifier: Apache-2.0
// What a checked run has found, gathered at its end: the detector's findings and those of the rules, with source lines.
#include <charconv>

#include <fmt/format.h>

#include <backends/sim/check_session.hpp>
#include <backends/sim/stream_facts.hpp>
#include <sim/report/barrier_branch.hpp>
#include <sim/report/parting_lines.hpp>
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

// The line of a call at pc in the file of `a`; 0: it is elsewhere.
int line_in(symbolizer& symbols, std::uintptr_t pc, const access& a) {
  for (const code_frame& f : symbols.frames(pc))
    if (!f.engine && f.file == a.file) return f.line;
  return 0;
}

// The read and the write of one x += 1. Of calls that were inlined (our views), the columns are the same; in plain C++
// the write's is its operator's. clang gives that column to the s[i + d] of s[i] += s[i + d], too.
bool is_one_update(source_reader& sources, const access& a, const access& b) {
  if (a.line == 0 || a.line != b.line || a.file != b.file || a.function != b.function) return false;
  const access &write = a.kind == access_kind::write ? a : b, &read = a.kind == access_kind::write ? b : a;
  if (write.kind != access_kind::write || read.kind != access_kind::read) return false;
  if (sources.is_update_at(write)) return !sources.reads_another_element(write);
  return a.column != 0 && a.column == b.column;
}

// The loop around both that has no barrier. A barrier between a turn and the next belongs at the end of its body, where
// one side reads and the other writes.
void find_loop(source_reader& sources, finding& f) {
  const bool in_block = f.cause == cause::race_lanes || f.cause == cause::race_block;
  const bool of_blocks = is_between_blocks(f.cause);
  if ((!in_block && !of_blocks) || f.facts.in_place) return;
  const auto [a, b] = parting_lines(f.accesses[0], f.accesses[1]);
  if (a.file != b.file || a.function != b.function) return;
  const loop_lines loop = sources.loop_around(a, b);
  if (loop.end == 0 || (in_block && loop.synchronizes)) return;  // a block's barrier orders no blocks
  f.facts.loop_begin = loop.begin;
  if (of_blocks || a.kind != b.kind) f.facts.loop_end = loop.end;
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

// Threads that took an early `return` are no longer waited for: a warning. Threads that ended behind the barrier have
// gone around it, by a branch or a loop that they did not take: an error. The place where they ended tells.
void judge_place_of_exit(finding& f) {
  const access &waiting = f.accesses[0], &exited = f.accesses[1];
  if (waiting.file.empty() || waiting.file != exited.file || waiting.function != exited.function) return;
  const bool behind =
      exited.line != waiting.line ? exited.line > waiting.line : waiting.column != 0 && exited.column > waiting.column;
  if (!behind) return;
  f.rule = rule::barrier_divergence;
  f.cause = cause::barrier_skipped;
  f.severity = severity::error;
}

}  // namespace

std::vector<finding> check_session::collect(bool leaks, std::vector<std::string>& notes) {
  const host_turn turn;
  dispatcher_.flush_host();
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
    if (f.cause == cause::barrier_after_exit) judge_place_of_exit(f);
    find_branch(sources, f);
    if (is_race(f.rule) && f.accesses.size() >= 2) {
      f.facts.in_place = is_one_update(sources, f.accesses[0], f.accesses[1]);
      find_loop(sources, f);
    }
    if (f.facts.last_barrier != 0) f.facts.barrier_line = line_in(symbols_, f.facts.last_barrier, f.accesses[0]);
  }
  std::erase_if(all, [&](const finding& f) {
    return f.cause == cause::barriers_differ && is_one_call(symbols_, f.accesses[0].pc, f.accesses[1].pc);
  });
  if (const std::uint64_t lost = dispatcher_.lost_host_accesses(); lost > 0)
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
