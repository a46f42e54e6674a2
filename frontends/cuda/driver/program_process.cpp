// SPDX-License-Identifier: Apache-2.0
#include "program_process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "frontends/cuda/run_settings.hpp"
#include "process.hpp"
#include "sim/report/counted.hpp"
#include "sim/report/report_data.hpp"

namespace simt::cuda_source {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

constexpr double kLeastToFindAgain = 10;  // seconds; docs/decisions/0139
constexpr int kReportDescriptor = 9;      // above what programs open first

// What is longer than a variable may be, where a child process can read it, while this lives: memory that has a path.
class memory_file {
 public:
  template <class Write>
  explicit memory_file(bool wanted, Write write) {
    if (!wanted) return;
    descriptor_ = memfd_create("simrun", MFD_CLOEXEC);
    path_ = fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
    write(path_);
  }
  ~memory_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

}  // namespace

program_process::program_process(std::string executable, std::vector<std::string> arguments, std::string variant)
    : executable_(std::move(executable)), arguments_(std::move(arguments)), variant_(std::move(variant)) {}

time_limit program_process::limit_of(const run_request& request) const {
  const bool again = first_seconds_ > 0 && request.schedule == "natural" && request.checks.any() &&
                     (request.execution != first_execution_ || request.workers != first_workers_);
  if (!again || request.give_up_seconds > 0) return {request.give_up_seconds, false};
  return {std::max(kLeastToFindAgain, first_seconds_), true};
}

run_result program_process::run(const run_request& request) {
  run_result result;
  run_report& r = result.report;
  if (interrupted_by_ != 0) {  // before it began
    r.interrupted_by = interrupted_by_;
    r.verdict = verdict::interrupted;
    return result;
  }
  std::vector<std::string> command = {executable_};
  command.insert(command.end(), arguments_.begin(), arguments_.end());
  const bool first = runs_++ == 0;
  auto variables = variables_of(request, kReportDescriptor);
  const memory_file order(request.order.has_value(), [&](const std::string& to) { write_order(*request.order, to); });
  if (!order.path().empty()) variables.emplace_back(kOrderVariable, order.path());
  const bool by_steps = request.schedule == "pct" || request.schedule == "explore" || request.steps.weak_memory;
  const memory_file steps(by_steps, [&](const std::string& to) { write_steps(request.steps, to); });
  if (!steps.path().empty()) variables.emplace_back(kStepsVariable, steps.path());
  const auto began = std::chrono::steady_clock::now();
  const time_limit limit = limit_of(request);
  process_result done = run_program(command, variables, kReportDescriptor, !first, running_, limit, by_steps);
  if (first) {
    first_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    first_execution_ = request.execution;
    first_workers_ = request.workers;
  }
  if (done.given_up && (!limit.asked || done.output.empty())) {
    r.steps.given_up = true;
    return result;
  }
  if (!done.output.empty()) {
    try {
      r = report_from_bytes(done.output);
    } catch (const report_error& wrong) {
      r.verdict = verdict::error;
      r.error = fmt::format("the program's report cannot be read: {}", wrong.what());
    }
  } else if (done.signal != 0) {
    r.verdict = verdict::crash;
    r.host_crashed = true;
    r.error = fmt::format("the program was ended by a signal: {}", strsignal(done.signal));
  } else if (!done.errors.empty()) {
    r.verdict = verdict::error;
    r.error = done.errors;
  } else if (request.checks.any() && done.exit_code != 0) {  // it has said why
    r.verdict = verdict::error;
    r.error = fmt::format("the program ended with exit code {} before it could report anything", done.exit_code);
  }
  // What the program finds wrong by itself, and only in this order of threads. A run with findings has their exit code.
  // What is played back is the first run here, but was not when it was recorded.
  if (first) exit_code_ = done.exit_code;
  const bool is_own = r.verdict == verdict::clean && !done.output.empty();
  if (is_own && usual_exit_code_ < 0) usual_exit_code_ = done.exit_code;
  const int usual = request.order ? request.order->usual_exit_code : usual_exit_code_;
  if (by_steps)
    for (recorded_order& order : r.orders) order.usual_exit_code = usual;
  if (by_steps && is_own && usual >= 0 && done.exit_code != usual) {
    r.result.status = result_status::mismatch;
    r.result.detail =
        fmt::format("the program ends with exit code {}, and in its first run with {}", done.exit_code, usual);
  }
  if (done.given_up && interrupted_by_ == 0) {  // by nobody but us
    r.interrupted_by = 0;
    r.steps.given_up = true;
  }
  const bool is_whole = r.verdict != verdict::crash && r.interrupted_by == 0 && interrupted_by_ == 0;
  if (by_steps && first && !request.order && is_whole) learn_what_varies(request, r, done.printed);
  if (by_steps) keep_what_is_comparable(r, std::move(done.printed));
  if (interrupted_by_ != 0 && r.interrupted_by == 0 && (done.output.empty() || r.verdict == verdict::crash)) {
    r.interrupted_by = interrupted_by_;  // it did not come to a report
    r.verdict = verdict::interrupted;
    r.host_crashed = false;
    r.error.clear();
  }
  r.program = request.program;
  r.backend = "sim";
  r.schedule = request.schedule;
  r.seed = request.seed;
  r.dialect = dialect::cuda;
  r.check = request.checks;
  return result;
}

void program_process::learn_what_varies(const run_request& request, const run_report& first,
                                        const std::string& printed) {
  const run_report again = run(request).report;  // a later run: nothing is left out of it yet
  if (again.steps.given_up || again.verdict == verdict::error || again.interrupted_by != 0) return;
  for (const auto& [name, output] : first.result.outputs) {
    const auto at = again.result.outputs.find(name);
    if (at == again.result.outputs.end() || !(at->second == output)) varying_outputs_.insert(name);
  }
  for (const auto& [name, output] : again.result.outputs)
    if (first.result.outputs.count(name) == 0) varying_outputs_.insert(name);
  const std::vector<std::string> before = lines_of(printed), now = lines_of(printed_again_);
  printed_again_.clear();
  printed_varies_ = before.size() != now.size();
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
    if (before[i] != now[i]) varying_lines_.insert(i);
}

void program_process::keep_what_is_comparable(run_report& r, std::string printed) {
  for (const std::string& name : varying_outputs_) r.result.outputs.erase(name);
  if (runs_ == 2) printed_again_ = printed;
  if (printed_varies_) return;
  std::vector<std::string> kept;
  const std::vector<std::string> all = lines_of(printed);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!varying_lines_.contains(i)) kept.push_back(all[i]);
  std::ranges::sort(kept);
  for (const std::string& line : kept) r.result.printed += line + "\n";
}

std::string program_process::compared() const {
  std::string out = "of each run the exit code";
  if (!printed_varies_) out += ", what is printed";
  out +=
      " and what is copied to the host, or is in managed and pinned memory in the end, were held against the first run";
  std::vector<std::string> left_out(varying_outputs_.begin(), varying_outputs_.end());
  if (printed_varies_) left_out.emplace_back("what is printed");
  if (!printed_varies_ && !varying_lines_.empty()) left_out.push_back(counted(varying_lines_.size(), "printed line"));
  if (!left_out.empty())
    out += fmt::format("; not {}, which differ{} between two runs of the same order", fmt::join(left_out, ", "),
                       left_out.size() == 1 ? "s" : "");
  return out;
}

// A terminal's signal has reached the program too; there it counts once.
void program_process::interrupt(int signal) {
  interrupted_by_ = signal;
  if (const pid_t process = running_; process != 0) kill(process, signal);
}

void put_into_environment(const run_request& request) {
  for (const auto& [name, value] : variables_of(request, kReportDescriptor)) setenv(name.c_str(), value.c_str(), 1);
  unsetenv(kReportVariable);
}

}  // namespace simt::cuda_source
