// SPDX-License-Identifier: Apache-2.0
// From options to one merged report.
#include "execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "grouping.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"

namespace simt::cli {
namespace {

// Suppressed findings must not crowd out the others in the module, which keeps a limited number.
constexpr int kRoomForSuppressed = 1000;
constexpr int kDefaultKept = 100;

std::string replay_command(const run_options& o, const one_schedule& s) {
  std::string out = "simrun";
  for (const std::string& word : command_words(o, s)) out.append(" ").append(shell_quoted(word));
  return out;
}

std::string position(const index3& i) { return fmt::format("{},{},{}", i.x, i.y, i.z); }

// An endless loop that the compiler gave no line is in a function of the engine, which means nothing to a reader.
void name_the_kernel(finding& f) {
  for (access& a : f.accesses) {
    if (a.agent != actor::thread || a.line != 0 || !a.file.empty() || f.kernel.empty()) continue;
    a.function = f.kernel;
    a.pc = 0;
  }
}

// Stops in the thread of the first side that is one. Of several kernels the line names the one that is meant.
std::string debug_command(const run_options& o, const run_report& r, const finding& f) {
  const auto side = std::ranges::find_if(
      f.accesses, [](const access& a) { return a.agent == actor::thread && is_known(a.block) && is_known(a.thread); });
  if (side == f.accesses.end() || o.backend != "sim") return {};
  std::string out = "simrun debug";
  for (const std::string& word : debug_words(o)) out.append(" ").append(shell_quoted(word));
  out += fmt::format(" --block {} --thread {}", position(side->block), position(side->thread));
  const std::string& kernel = side->kernel.empty() ? f.kernel : side->kernel;
  const bool others =
      std::ranges::any_of(r.launches, [&](const launch_record& l) { return l.kernel != r.launches.front().kernel; });
  if (others && !kernel.empty()) out += " --kernel " + shell_quoted(kernel);
  return out;
}

std::string describe(const one_schedule& s) {
  return s.name == "random" ? fmt::format("random with seed {}", s.seed) : s.name;
}

run_report run_once(module& kernels, const run_options& o, run_request request, const one_schedule& s) {
  request.schedule = s.name;
  request.seed = s.seed;
  run_report report = kernels.run(request).report;
  // A read and a write of one line against the same other line are one finding (docs/cli.md).
  std::vector<finding> merged;
  merge_findings(merged, report.findings, true);
  report.findings = std::move(merged);
  for (finding& f : report.findings) {
    if (f.rule == rule::hang) name_the_kernel(f);
    f.replay = replay_command(o, s);
    f.debug = debug_command(o, report, f);
  }
  return report;
}

bool ran_as_loops(const run_report& r) {
  return std::ranges::any_of(r.launches, [](const launch_record& l) { return l.execution == "loops"; });
}

// Findings of several workers come in no fixed order, and in loops threads take turns more often than on fibers, so
// that other values are seen; the report must show neither. A finding is reported from one worker and fibers.
bool needs_second_run(const run_report& r, const run_options& o, const one_schedule& s) {
  const bool hangs = std::ranges::any_of(r.findings, [](const finding& f) { return f.rule == rule::hang; });
  const bool other_order = (o.workers != 1 && r.workers != 1) || (o.execution == "auto" && ran_as_loops(r));
  // What the host left undone does not depend on how kernels ran.
  const bool of_kernels = std::ranges::any_of(
      r.findings, [](const finding& f) { return f.rule != rule::leak && f.rule != rule::unchecked_error; });
  return o.wants_checks() && s.name == "natural" && of_kernels && !hangs && other_order;
}

bool is_race(const finding& f) {
  return f.rule == rule::race_shared || f.rule == rule::race_global || f.rule == rule::race_scope;
}

// Loops run many threads at once: a fault in one names its block and line, but not always the thread.
bool names_no_thread(const run_report& r) {
  return ran_as_loops(r) && r.verdict == verdict::crash && std::ranges::any_of(r.findings, [](const finding& f) {
           return std::ranges::any_of(f.accesses, [](const access& a) { return a.thread == kUnknownPosition; });
         });
}

run_report run_repeatably(module& kernels, const run_options& o, run_request request, const one_schedule& s,
                          progress& shown) {
  run_report first = run_once(kernels, o, request, s);
  if (first.interrupted_by != 0) return first;
  if (names_no_thread(first) && o.execution == "auto") {
    shown.show(fmt::format("{}: did not finish; running again on fibers, to name the thread", o.program));
    run_request again = request;
    again.execution = "fibers";
    if (run_report second = run_once(kernels, o, again, s); second.verdict == verdict::crash) return second;
  }
  if (!needs_second_run(first, o, s)) return first;
  shown.show(fmt::format("{}: found something; running again on one worker", o.program));
  request.workers = 1;
  const bool loops = o.execution == "auto" && ran_as_loops(first);
  if (loops) request.execution = "fibers";
  run_report second = run_once(kernels, o, request, s);
  std::vector<finding> only_first = first.findings;
  if (loops) std::erase_if(only_first, [](const finding& f) { return !is_race(f); });  // the rest depends on no order
  std::ranges::sort(only_first, {}, finding_key);
  merge_findings(second.findings, only_first, false);
  if (second.interrupted_by != 0) {  // of the first run all is there
    first.interrupted_by = second.interrupted_by;
    first.verdict = verdict::interrupted;
    return first;
  }
  if (first.verdict == verdict::crash) second.verdict = verdict::crash;
  return second;
}

// Keeps the findings that a reader wants first, and counts the others.
void leave_out(run_report& r, std::size_t kept) {
  std::vector<finding> first;
  for (const finding* f : shown_findings(r.findings, static_cast<int>(kept))) first.push_back(*f);
  const auto left_out = [&](severity s) {
    return std::ranges::count(r.findings, s, &finding::severity) - std::ranges::count(first, s, &finding::severity);
  };
  r.errors_left_out += left_out(severity::error);
  r.warnings_left_out += left_out(severity::warning);
  r.findings = std::move(first);
}

}  // namespace

std::vector<one_schedule> schedules_of(const run_options& o) {
  std::vector<one_schedule> out;
  const bool random = o.schedule == "random";
  if (!o.schedule.empty() && !random) out.push_back({o.schedule, o.seed});
  if (o.schedule.empty()) {
    for (const std::string_view name : kScheduleNames)
      if (name != "random") out.push_back({std::string(name), o.seed});
  }
  const auto wanted = static_cast<std::size_t>(o.schedules);
  for (std::uint64_t seed = o.seed; out.size() < wanted; ++seed) out.push_back({"random", seed});
  out.resize(wanted);
  return out;
}

suppression_file read_suppressions(const run_options& o) {
  suppression_file out;
  if (!o.new_since.empty()) out.earlier.emplace(o.new_since);
  const std::string& path = o.suppress;
  if (path.empty()) return out;
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path))
    throw std::runtime_error(fmt::format("--suppress: cannot read {}", path));
  for (std::string line; std::getline(in, line);) out.lines.push_back(line);
  if (std::string wrong = out.rules.parse(out.lines, path); !wrong.empty())
    throw std::runtime_error("--suppress: " + wrong);
  return out;
}

std::string finding_key(const finding& f) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < std::min<std::size_t>(f.accesses.size(), 2); ++i) {
    places.push_back(fmt::format("{}:{:08}", f.accesses[i].file, f.accesses[i].line));
  }
  std::ranges::sort(places);
  return fmt::format("{}|{}|{}", name(f.rule), f.object, fmt::join(places, "|"));
}

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
    if (f.severity < kept.severity) kept = f;  // an error says more than a warning
    kept.count = count;
  }
}

execution execute(module& kernels, const run_options& o, const suppression_file& suppressed, progress& shown) {
  run_request request = make_request(o, suppressed.lines);
  if (!suppressed.rules.empty())
    request.max_reports = (o.max_reports > 0 ? o.max_reports : kDefaultKept) + kRoomForSuppressed;
  const std::vector<one_schedule> schedules = schedules_of(o);
  execution out;
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    shown.show(schedules.size() == 1 ? fmt::format("{}: running", o.program)
                                     : fmt::format("{}: schedule {} of {}, {}", o.program, i + 1, schedules.size(),
                                                   describe(schedules[i])));
    request.order.reset();
    if (i < o.orders.size() && !o.orders[i].launches.empty() && !o.orders[i].cut) request.order = o.orders[i];
    run_report report = run_repeatably(kernels, o, request, schedules[i], shown);
    if (i == 0) {
      out.report = std::move(report);
    } else {
      merge_findings(out.report.findings, report.findings, true);
      out.report.judged.launches += report.judged.launches;
      out.report.judged.accesses += report.judged.accesses;
      std::ranges::move(report.orders, std::back_inserter(out.report.orders));
      if (report.result.status == result_status::mismatch && out.report.result.status != result_status::mismatch) {
        out.report.result = report.result;
        out.report.result.detail += fmt::format(" (schedule {})", describe(schedules[i]));
      }
      out.report.interrupted_by = report.interrupted_by;
      if (is_final(report.verdict)) {
        out.report.verdict = report.verdict;
        out.report.error = report.error;
      }
    }
    if (is_final(out.report.verdict) && i + 1 < schedules.size()) {
      out.report.notes.push_back(
          fmt::format("stopped after schedule {} of {} ({})", i + 1, schedules.size(), describe(schedules[i])));
      break;
    }
    if (i + 1 == schedules.size() && i > 0) {
      out.report.notes.push_back(fmt::format("{} schedules ran, {} to {}; findings of all of them", schedules.size(),
                                             describe(schedules.front()), describe(schedules.back())));
    }
  }
  shown.clear();
  out.suppressed = suppressed.rules.filter(out.report.findings);
  if (suppressed.earlier) {
    out.known = suppressed.earlier->filter(out.report.findings);
    out.report.notes.push_back(
        fmt::format("{} finding{} of {} left out (--new-since)", out.known, out.known == 1 ? "" : "s", o.new_since));
  }
  const auto kept = static_cast<std::size_t>(o.max_reports > 0 ? o.max_reports : kDefaultKept);
  if (out.report.findings.size() > kept) leave_out(out.report, kept);
  group_findings(out.report.findings);
  out.report.arguments = command_words(o);
  out.report.verdict = verdict_of(out.report, o.strict);
  return out;
}

}  // namespace simt::cli
