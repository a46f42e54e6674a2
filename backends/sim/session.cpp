// SPDX-License-Identifier: Apache-2.0
// One run on the simulator: settings in, launches and findings out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>

#include <backends/api/device_limits.hpp>
#include <backends/sim/check_hook.hpp>
#include <backends/sim/faults.hpp>
#include <backends/sim/launch_log.hpp>
#include <backends/sim/variables.hpp>
#include <sim/exec/outlives_exit.hpp>
#include <sim/report/awaited.hpp>
#include <sim/report/barrier_branch.hpp>
#include <sim/report/source_excerpt.hpp>
#include <sim/report/symbolize.hpp>
#include <simt/session.hpp>
#include <simt/simt.hpp>

namespace simt {

namespace sim {
namespace {
check_hook* hook = nullptr;
std::mutex log_mutex;
bool recording = false;
std::string schedule_name = "natural";  // of the run
constinit outlives_exit<std::vector<launch_record>> log_kept;
constinit std::vector<launch_record>& log = log_kept.value;
std::int64_t launches_judged = 0, accesses_judged = 0;
using first_of_stream = std::pair<int, std::string>;  // a stream that kernels were launched on, and the first of them
constinit outlives_exit<std::vector<first_of_stream>> streams_kept;
constinit std::vector<first_of_stream>& streams = streams_kept.value;
bool streams_overlap = false;  // on a GPU, if no event orders what is on them
constinit outlives_exit<std::vector<finding>> findings_kept;
constinit std::vector<finding>& host_findings = findings_kept.value;
check_set checks_of_run;
bool is_given_up = false;  // when its time is up the run has no result, instead of a finding
constexpr std::size_t kMaxLog = 10'000;
}  // namespace

void install_check_hook(check_hook* h) { hook = h; }
check_hook* installed_check_hook() { return hook; }

namespace {

void note_stream(int stream, const std::string& kernel) {
  if (std::ranges::find(streams, stream, &first_of_stream::first) != streams.end()) return;
  streams.emplace_back(stream, kernel);
  if (streams.size() < 2) return;
  const auto others =
      streams.size() - static_cast<std::size_t>(std::ranges::count(streams, 0, &first_of_stream::first));
  const auto waits_for_none = [](const first_of_stream& s) {
    return !backend::stream_is_blocking(static_cast<backend::stream_handle>(s.first));
  };
  streams_overlap = streams_overlap || others > 1 || std::ranges::any_of(streams, waits_for_none);
}

}  // namespace

void log_launch(const launch_request& request, double milliseconds, std::uint64_t steps) {
  if (!recording) return;
  std::lock_guard lock(log_mutex);
  ++launches_judged;
  note_stream(request.stream, request.name);
  accesses_judged += static_cast<std::int64_t>(steps);
  if (log.size() >= kMaxLog) return;
  static constexpr const char* kHow[] = {"direct", "loops", "fibers"};
  execution_record how = last_launch_execution();
  log.push_back({request.name,
                 {request.grid.x, request.grid.y, request.grid.z},
                 {request.block.x, request.block.y, request.block.z},
                 request.dynamic_shared,
                 milliseconds,
                 kHow[static_cast<int>(how.how)],
                 std::move(how.reason)});
}
}  // namespace sim

namespace backend {

namespace {
std::size_t stack_from_environment() {
  const char* text = std::getenv("SIMT_STACK");
  if (text == nullptr) return 0;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (end == text || *end != 0)
    throw error(error_kind::invalid_argument, std::string("SIMT_STACK takes a number of bytes, not '") + text + "'");
  return value;
}

constexpr double kLongestTimeout = 1e9;  // seconds, 31 years: a clock's nanoseconds would overflow beyond 292

std::string where_it_was(const finding& f) {
  std::string text = fmt::format("kernel {} ran when the run was interrupted", f.kernel);
  if (f.accesses.empty() || f.accesses.front().line == 0) return text;
  const access& a = f.accesses.front();
  return text + fmt::format(": thread ({},{},{}) of block ({},{},{}) was at {}:{}", a.thread.x, a.thread.y, a.thread.z,
                            a.block.x, a.block.y, a.block.z, a.file, a.line);
}

// What a search leaves out, for it decides within a launch.
std::string streams_one_by_one() {
  constexpr std::size_t kMostNamed = 3;
  std::string names;
  std::size_t named = 0;
  for (const auto& [stream, kernel] : sim::streams) {
    if (named++ == kMostNamed) break;
    names += (names.empty() ? "" : ", ") + kernel;
  }
  return fmt::format(
      "kernels of {} streams ({}{}) ran one after the other, in the order of the host's calls: schedules in which they "
      "run at the same time are not covered",
      sim::streams.size(), names, sim::streams.size() > kMostNamed ? ", ..." : "");
}

sim::schedule schedule_named(const std::string& name) {
  static_assert(std::size(kScheduleNames) == static_cast<std::size_t>(sim::schedule::explore) + 1);
  const auto found = std::find(std::begin(kScheduleNames), std::end(kScheduleNames), name);
  if (found != std::end(kScheduleNames)) return static_cast<sim::schedule>(found - std::begin(kScheduleNames));
  throw error(error_kind::invalid_argument,
              "no schedule '" + name + "'; there are natural, lockstep, reverse, random, pct and explore");
}
sim::wanted_execution execution_named(const std::string& name) {
  static_assert(std::size(kExecutionNames) == static_cast<std::size_t>(sim::wanted_execution::single) + 1);
  const auto found = std::find(std::begin(kExecutionNames), std::end(kExecutionNames), name);
  if (found != std::end(kExecutionNames))
    return static_cast<sim::wanted_execution>(found - std::begin(kExecutionNames));
  throw error(error_kind::invalid_argument, "no execution '" + name + "'; there are auto, loops, fibers and single");
}
}  // namespace

std::string variant() { return sim::hook != nullptr ? "check" : "sim"; }

std::vector<device_summary> describe_devices() {
  device_summary d = describe(properties(0));
  d.properties.emplace_back("workers", std::to_string(sim::usable_cores()));
  return {d};
}

void begin_run(const run_request& request) {
  if (request.checks.any() && sim::hook == nullptr)
    throw error(error_kind::unsupported,
                "checks need the check variant of this module (lib*.check.so), this is the sim variant");
  if (request.profile && sim::hook == nullptr)
    throw error(error_kind::unsupported,
                "simrun profile needs the check variant of this module (lib*.check.so), this is the sim variant");
  if (request.device != 0) limits(request.device);
  sim::launch_options options;
  options.order = schedule_named(request.schedule);
  if (options.order != sim::schedule::natural && sim::hook == nullptr)
    throw error(error_kind::unsupported,
                "--schedule " + request.schedule + " works in check mode only: add --check all or --detect-races");
  options.workers = request.workers;
  if (request.workers < 0 || request.workers > 256)
    throw error(error_kind::invalid_argument, "--workers takes 1 to 256, not " + std::to_string(request.workers));
  options.seed = request.seed;
  options.replay = request.order;
  options.steps = request.steps;
  options.executed_by = execution_named(request.execution);
  if (request.profile && request.checks.any())
    options.executed_by = sim::wanted_execution::fibers;  // what is judged is not told in front (docs/profile.md)
  options.timeout_seconds = std::min(request.timeout_seconds, kLongestTimeout);
  sim::is_given_up = request.give_up_seconds > 0 &&
                     (options.timeout_seconds <= 0 || request.give_up_seconds < options.timeout_seconds);
  if (sim::is_given_up) options.timeout_seconds = request.give_up_seconds;
  options.stack_bytes =
      request.stack_bytes > 0 ? static_cast<std::size_t>(request.stack_bytes) : stack_from_environment();
  if (options.stack_bytes != 0 && (options.stack_bytes < 16 * 1024 || options.stack_bytes > (std::size_t{1} << 30)))
    throw error(error_kind::invalid_argument,
                "the stack of a thread is 16384 to 1073741824 bytes, not " + std::to_string(options.stack_bytes));
  sim::set_launch_options(options);
  sim::schedule_name = request.schedule;
  sim::take_faults();
  sim::log.clear();
  sim::launches_judged = sim::accesses_judged = 0;
  sim::streams.clear();
  sim::streams_overlap = false;
  sim::checks_of_run = request.checks;
  sim::host_findings.clear();
  // A run of a program starts from its own input, whatever runs of this process stored before.
  static bool ran_before = false;
  if (!request.program.empty() && std::exchange(ran_before, true)) sim::reset_variables();
  sim::recording = true;
  if (sim::hook != nullptr)
    sim::hook->begin(request, options.order == sim::schedule::natural ? sim::worker_count() : 1);
}

void interrupt(int signal) { sim::interrupt_launches(signal); }
int interrupted_by() { return sim::interrupted_by(); }

void end_run(run_report& report) {
  sim::recording = false;
  report.interrupted_by = sim::interrupted_by();
  report.workers = sim::current_launch_options().order == sim::schedule::natural ? sim::worker_count() : 1;
  if (sim::hook != nullptr) sim::hook->end(report);
  recorded_order order = sim::take_recorded_order();
  order.schedule = sim::schedule_name;
  order.digest = digest_of(order);
  report.orders = {std::move(order)};
  report.steps = sim::take_step_record();
  if (std::string text = sim::departure_from_record(); !text.empty()) {
    report.verdict = verdict::error;
    report.error = std::move(text);
  }
  static symbolizer symbols;
  if (sim::current_launch_options().steps.keeps_trail)
    for (explored_step& s : report.steps.trail) {
      access a;
      a.pc = s.did.pc;
      if (a.pc != 0) symbols.resolve(a);
      s.file = a.file;
      s.line = a.line;
    }
  // Runs of CUDA source are processes, each with its code at other addresses, and their steps are compared.
  std::unordered_map<std::uintptr_t, std::uintptr_t> offsets;
  for (explored_step& s : report.steps.trail) {
    const auto [at, is_new] = offsets.try_emplace(s.did.pc);
    if (is_new) at->second = offset_in_file(s.did.pc);
    s.did.pc = at->second;
  }
  const auto is_told = [&](const finding& fault) {  // the checks saw the access before this CPU trapped
    const bool of_memory = fault.cause == cause::fault_null || fault.cause == cause::fault_no_device;
    return std::ranges::any_of(report.findings, [&](const finding& f) {
      if (f.severity != severity::error || f.kernel != fault.kernel) return false;
      if (fault.rule == rule::misaligned) return f.rule == rule::misaligned;
      if (!of_memory || f.rule != rule::host_memory || f.accesses.empty() || fault.accesses.empty()) return false;
      const access &seen = f.accesses[0], &trapped = fault.accesses[0];
      return seen.file == trapped.file && seen.line == trapped.line;
    });
  };
  source_reader sources;
  for (finding& f : sim::take_faults()) {
    for (access& a : f.accesses)
      if ((a.pc != 0 || !a.callers.empty()) && a.line == 0) symbols.resolve(a, a.callers);
    for (profiled_kernel& k : report.profile) k.partial = k.partial || k.kernel == f.kernel;
    if (is_told(f)) continue;
    if (report.interrupted_by != 0 && f.cause == cause::fault_timeout) {  // no defect: nobody let it end
      report.notes.push_back(where_it_was(f));
      continue;
    }
    if (sim::is_given_up && f.cause == cause::fault_timeout) {
      report.steps.given_up = true;
      continue;
    }
    find_branch(sources, f);
    name_what_is_awaited(sources, f);
    report.findings.push_back(std::move(f));
  }
  for (finding& f : sim::host_findings) report.findings.push_back(std::move(f));
  sim::host_findings.clear();
  // What was freed wrongly may be why something else was not freed, never the other way round.
  std::ranges::stable_partition(report.findings, [](const finding& f) { return f.rule != rule::leak; });
  std::lock_guard lock(sim::log_mutex);
  const sim::schedule order_of_run = sim::current_launch_options().order;
  if (sim::streams_overlap && (order_of_run == sim::schedule::pct || order_of_run == sim::schedule::explore))
    report.notes.push_back(streams_one_by_one());
  report.launches = sim::log;
  if (sim::checks_of_run.any())
    report.judged = {sim::launches_judged,       sim::accesses_judged,           sim::checks_of_run,
                     not_in(sim::checks_of_run), report.judged.excused_volatile, report.judged.doubtful};
}

void record_launches(bool on) { sim::recording = on; }
void add_finding(finding f) { sim::host_findings.push_back(std::move(f)); }
std::int64_t unwritten_elements(const void* device, std::size_t element_bytes, std::int64_t count) {
  return sim::hook == nullptr ? -1 : sim::hook->unwritten(device, element_bytes, count);
}

}  // namespace backend
}  // namespace simt
