// SPDX-License-Identifier: Apache-2.0
// From options to one merged report.
#include "execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "sim/report/counted.hpp"
#include "sim/report/grouping.hpp"
#include "sim/report/merged_findings.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"
#include "step_search.hpp"

namespace simt::cli {
namespace {

// Suppressed findings must not crowd out the others in the module, which keeps a limited number.
constexpr int kRoomForSuppressed = 1000;
constexpr int kDefaultKept = 100;

std::string replay_command(const run_options& o, const std::optional<one_schedule>& s, std::string_view behind = "") {
  std::string out = "simrun";
  for (const std::string& word : command_words(o, s)) out.append(" ").append(shell_quoted(word));
  return out.append(behind);
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
  return s.name == "random" || s.name == "pct" ? fmt::format("{} with seed {}", s.name, s.seed) : s.name;
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
    if (o.by_steps()) continue;  // a file replays it, and gdb has no schedule
    f.replay = replay_command(o, s);
    f.debug = debug_command(o, report, f);
  }
  return report;
}

// A finding is reported from one worker and fibers.
bool needs_second_run(const run_report& r, const run_options& o, const one_schedule& s) {
  return o.wants_checks() && s.name == "natural" && found_in_passing_order(r, {o.workers == 1, o.execution == "auto"});
}

// Loops run many threads at once, and so does plain code whose threads never wait: a fault in one names its block and
// line, but not always the thread.
bool names_no_thread(const run_report& r) {
  return r.verdict == verdict::crash && std::ranges::any_of(r.findings, [](const finding& f) {
           return std::ranges::any_of(f.accesses, [](const access& a) { return a.thread == kUnknownPosition; });
         });
}

}  // namespace

run_report run_beyond_doubt(const run_options& o, run_request& request, progress& shown, const one_run& run,
                            const std::function<bool(const run_report&)>& comes_again) {
  const bool has_loops = request.schedule == "natural" || request.schedule == "random";
  request.may_doubt = o.wants_checks() && has_loops && std::getenv("SIMT_NO_DOUBT") == nullptr;
  run_report first = run(request);
  if (first.interrupted_by != 0 || !std::exchange(request.may_doubt, false)) return first;
  if (!first.judged.doubtful || (comes_again && comes_again(first))) return first;
  shown.show(fmt::format("{}: undecided; running again with each access on record", o.program));
  request.said = failed_assertion(first);
  return run(request);
}

namespace {

run_report run_repeatably(module& kernels, const run_options& o, run_request request, const one_schedule& s,
                          progress& shown) {
  request.schedule = s.name;
  run_report first = run_beyond_doubt(
      o, request, shown, [&](const run_request& r) { return run_once(kernels, o, r, s); },
      [&](const run_report& r) { return needs_second_run(r, o, s); });
  if (first.interrupted_by != 0) return first;
  const bool knows_threads = o.backend == "cuda" || (o.wants_check_variant() && !ran_as_loops(first));
  if (names_no_thread(first) && o.execution == "auto" && !knows_threads) {
    shown.show(fmt::format("{}: did not finish; running again thread by thread, to name the one", o.program));
    run_request again = request;
    again.execution = o.wants_check_variant() ? "fibers" : "single";
    again.said = failed_assertion(first);
    run_report second = run_once(kernels, o, again, s);
    if (second.verdict == verdict::crash && !names_no_thread(second)) return second;
  }
  if (!needs_second_run(first, o, s)) return first;
  shown.show(fmt::format("{}: found something; running again on one worker", o.program));
  request.workers = 1;
  request.said = failed_assertion(first);
  const bool loops = o.execution == "auto" && ran_as_loops(first);
  if (loops) request.execution = "fibers";
  run_report second = run_once(kernels, o, request, s);
  if (second.steps.given_up) return with_part_of_second(std::move(first), second);
  add_found_only_in(first, loops, second);
  if (second.interrupted_by != 0) {  // of the first run all is there
    first.interrupted_by = second.interrupted_by;
    first.verdict = verdict::interrupted;
    return first;
  }
  if (first.verdict == verdict::crash && second.verdict != verdict::crash) take_end(first, second);
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
  if (o.by_steps()) {  // what is played back: each order has a run of its own
    for (const recorded_order& order : o.orders) out.push_back({order.schedule, order.seed});
    return out;
  }
  const bool random = o.schedule == "random";
  if (!o.schedule.empty() && !random) out.push_back({o.schedule, o.seed});
  if (o.schedule.empty()) {
    for (const std::string_view name : kScheduleNames)
      if (name == "natural" || name == "lockstep" || name == "reverse") out.push_back({std::string(name), o.seed});
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

namespace {

void run_schedules(module& kernels, const run_options& o, run_request request, schedule_runs& runs, progress& shown) {
  const std::vector<one_schedule> schedules = schedules_of(o);
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < schedules.size() && !runs.ended(); ++i) {
    shown.show(schedules.size() == 1 ? fmt::format("{}: running", o.program)
                                     : fmt::format("{}: schedule {} of {}, {}", o.program, i + 1, schedules.size(),
                                                   describe(schedules[i])));
    request.order.reset();
    if (i < o.orders.size() && !o.orders[i].launches.empty() && !o.orders[i].cut) request.order = o.orders[i];
    runs.add(run_repeatably(kernels, o, request, schedules[i], shown), describe(schedules[i]), true);
  }
  const auto ran = static_cast<std::size_t>(runs.count());
  if (runs.ended() && ran < schedules.size()) {
    runs.report().notes.push_back(
        fmt::format("stopped after schedule {} of {} ({})", ran, schedules.size(), describe(schedules[ran - 1])));
  } else if (ran > 1) {
    runs.report().notes.push_back(fmt::format("{} schedules ran, {} to {}; findings of all of them", schedules.size(),
                                              describe(schedules.front()), describe(schedules.back())));
  }
}

// How to see a finding of a search again: its order has no short name.
void name_record(run_report& r, const run_options& o) {
  const std::string& file = o.record.empty() ? o.replayed : o.record;
  const std::string how = file.empty() ? replay_command(o, {}, " --record order.json && simrun replay order.json")
                                       : "simrun replay " + shell_quoted(file);
  for (finding& f : r.findings) f.replay = how;
}

}  // namespace

execution execute(module& kernels, const run_options& o, const suppression_file& suppressed, progress& shown) {
  run_request request = make_request(o, suppressed.lines);
  if (!suppressed.rules.empty())
    request.max_reports = (o.max_reports > 0 ? o.max_reports : kDefaultKept) + kRoomForSuppressed;
  schedule_runs runs;
  const bool plays_back = !o.orders.empty();
  if (o.schedule == "explore" && !plays_back)
    explore_schedules(kernels, o, request, runs, shown);
  else if (o.schedule == "pct" && !plays_back)
    test_by_pct(kernels, o, request, runs, shown);
  else
    run_schedules(kernels, o, request, runs, shown);
  execution out;
  out.report = std::move(runs.report());
  if (!o.record.empty()) out.to_record = runs.first_finding();
  for (run_report* r : {&out.report, &out.to_record}) {
    if (o.by_steps()) name_record(*r, o);
    r->steps = {};
    // A result that differs is seen by several runs together; each that is kept shows one side of it.
    for (finding& f : r->findings)
      if (f.replay.empty()) f.replay = replay_command(o, {});
  }
  shown.clear();
  out.suppressed = suppressed.rules.filter(out.report.findings);
  if (suppressed.earlier) {
    out.known = suppressed.earlier->filter(out.report.findings);
    out.report.notes.push_back(
        fmt::format("{} of {} left out (--new-since)", counted(out.known, "finding"), o.new_since));
  }
  const auto kept = static_cast<std::size_t>(o.max_reports > 0 ? o.max_reports : kDefaultKept);
  if (out.report.findings.size() > kept) leave_out(out.report, kept);
  group_findings(out.report.findings);
  out.report.arguments = command_words(o);
  out.report.verdict = verdict_of(out.report, o.strict);
  if (!o.record.empty()) {
    suppressed.rules.filter(out.to_record.findings);
    if (out.to_record.findings.size() > kept) leave_out(out.to_record, kept);
    run_options one = o;  // that run alone
    one.schedule = out.to_record.schedule;
    one.seed = out.to_record.seed;
    one.schedules = 1;
    one.explore.clear();
    out.to_record.arguments = command_words(one);
    out.to_record.verdict = verdict_of(out.to_record, o.strict);
  }
  return out;
}

}  // namespace simt::cli
