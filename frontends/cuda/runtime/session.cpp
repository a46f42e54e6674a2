// SPDX-License-Identifier: Apache-2.0
// A CUDA program's process as a run: settings from the environment before main, the report when it ends.
// The report goes to simrun where that waits for it (frontends/cuda/run_settings.hpp), else to standard error.
// Started by the first call of the runtime API, ended by an exit handler that it registers then.
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <frontends/cuda/program_mark.hpp>
#include <frontends/cuda/run_settings.hpp>
#include <backends/sim/frontend.hpp>
#include <sim/report/report_data.hpp>
#include <sim/report/symbolize.hpp>
#include <sim/report/text_report.hpp>
#include <sim/report/verdict.hpp>
#include <simt/session.hpp>

#include "further_runs.hpp"
#include "host_limit.hpp"
#include "outputs.hpp"
#include "result_uses.hpp"
#include "state.hpp"
#include "user_place.hpp"

SIMT_MARK_PROGRAM;

namespace simt_cuda {
namespace {

bool started = false, ended = false;
std::optional<int> report_to;  // a descriptor; nothing: findings are printed
constexpr int kMaxReports = 20;

void send(const simt::run_report& report, int to) {
  const std::string bytes = simt::report_bytes(report);
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = write(to, bytes.data() + at, bytes.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

void show(const simt::run_report& report) {
  simt::text_style style;
  style.color = isatty(2) && std::getenv("NO_COLOR") == nullptr;
  style.width = 100;
  style.max_findings = kMaxReports;
  if (!report.findings.empty()) std::fputs(simt::text_findings(report, style).c_str(), stderr);
  if (!report.error.empty()) std::fprintf(stderr, "simt: %s\n", report.error.c_str());
  if (report.interrupted_by != 0)
    std::fprintf(stderr, "simt: interrupted by %s: the report is partial\n",
                 simt::signal_name(report.interrupted_by).c_str());
}

void say(const simt::run_report& report) { report_to ? send(report, *report_to) : show(report); }

constexpr std::string_view kLambdaIn = "lambda in ";  // what the symbolizer calls a lambda whose function it knows

// The kernel's body is a lambda here and runs inside calls of ours: says it as the user wrote it.
void tidy(simt::access& a, const std::string& kernel) {
  const auto ours = [](const std::string& f) {
    for (const char* name : {"call_row<", "checked_body", "run_threads<", "block_body<", "run_kernel<"})
      if (f.rfind(name, 0) == 0 || f.find(std::string("::") + name) != std::string::npos) return true;
    return false;
  };
  for (std::size_t i = 0; i < a.stack.size(); ++i)
    if (ours(a.stack[i].function)) {
      a.stack.resize(i);
      break;
    }
  const auto is_body = [](const std::string& f) {
    return f == "operator()" || f.rfind(kLambdaIn, 0) == 0 || f.find("lambda(uint3, uint3") != std::string::npos;
  };
  // Around the body there can be the function that the user declared; and a fault names the body twice, by its place
  // and by the calls that were under way.
  if (!a.stack.empty()) {
    const bool last = a.stack.size() == 1;
    const simt::stack_frame inner = last ? simt::stack_frame{a.function, a.file, a.line} : a.stack[a.stack.size() - 2];
    const simt::stack_frame& outer = a.stack.back();
    const bool again = is_body(outer.function) && inner.file == outer.file && inner.line == outer.line;
    if (is_body(inner.function) && (again || !is_body(outer.function))) a.stack.pop_back();
  }
  std::string& outermost = a.stack.empty() ? a.function : a.stack.back().function;
  if (outermost.rfind(kLambdaIn, 0) == 0)
    outermost.erase(0, kLambdaIn.size());
  else if (is_body(outermost) && !kernel.empty())
    outermost = kernel;
}

// A program that gave up because of something else that is reported had no chance to free: its leaks are no news.
void drop_leaks_of_aborted_program(simt::run_report& report, int program_code, bool crashed) {
  const auto is_leak = [](const simt::finding& f) { return f.rule == simt::rule::leak; };
  const bool others =
      std::any_of(report.findings.begin(), report.findings.end(), [&](const simt::finding& f) { return !is_leak(f); });
  if (crashed || kernel_was_lost() || (program_code != 0 && others)) std::erase_if(report.findings, is_leak);
}

// Static objects of the program may free their memory when they are destroyed, after it has been looked for.
void drop_leaks_freed_since(simt::run_report& report) {
  std::erase_if(report.findings, [](simt::finding& f) {
    if (f.rule != simt::rule::leak) return false;
    std::erase_if(f.leaked, [](std::uintptr_t address) {
      return !simt::frontend::facts_of(reinterpret_cast<const void*>(address)).live;
    });
    f.count = static_cast<std::int64_t>(f.leaked.size());
    return f.leaked.empty();
  });
}

// A failure that something else in the report explains, at the same line, is no news.
void add_unseen_failed_call(simt::run_report& report) {
  const std::optional<ignored_failure> failed = unseen_failed_call();
  if (!failed || kernel_was_lost()) return;
  simt::finding f;
  f.rule = simt::rule::unchecked_error;
  f.cause = simt::cause::call_failed;
  f.severity = report.judged.checks.any() ? simt::severity::error : simt::severity::warning;
  f.space = simt::memory_space::host;
  f.facts.text = failed->call;
  f.facts.type = std::string(cudaGetErrorName(failed->error)) + ", " + cudaGetErrorString(failed->error);
  if (!failed->why.empty()) f.facts.type += " (" + failed->why + ")";
  simt::access where;
  where.agent = simt::actor::host;
  where.pc = failed->pc;
  where.deed = simt::deed::failed;
  static simt::symbolizer symbols;
  symbols.resolve(where);
  for (const simt::finding& other : report.findings)
    for (const simt::access& a : other.accesses)
      if (a.line == where.line && a.file == where.file) return;
  f.accesses.push_back(std::move(where));
  report.findings.insert(report.findings.begin(), std::move(f));  // the rest may come of it
}

// What the program did, from its last statement on; the report is published when its static objects are gone as well.
simt::run_report* last_report = nullptr;

// Held by whoever makes the report, to the end of the process where a signal asked for it: exit() waits there.
std::recursive_mutex ending;

// `crash`: what killed the program on the host; empty: it ended by itself, with `program_code`, or by `signal`.
void finish(const std::string& crash, int program_code, int signal = 0) {
  const std::lock_guard lock(ending);
  if (!started || ended) return;
  ended = true;
  std::cout.flush();
  std::fflush(nullptr);
  auto& report = *(last_report = new simt::run_report);
  std::vector<std::string> notes;
  if (crash.empty() && signal == 0) {
    if (!kernel_was_lost()) notes = notes_of_results();
    note_outputs_left();
    free_variables();
  }
  simt::backend::end_run(report);
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  drop_leaks_of_aborted_program(report, program_code, !crash.empty() || signal != 0);
  report.dialect = simt::dialect::cuda;
  report.result.outputs = take_outputs();
  if (crash.empty()) add_unseen_failed_call(report);
  for (simt::finding& f : report.findings)
    for (simt::access& a : f.accesses)
      if (a.agent == simt::actor::thread) tidy(a, f.kernel);
  if (!crash.empty()) {
    report.verdict = simt::verdict::crash;
    report.error = crash, report.host_crashed = !kernel_was_lost();
  } else if (report.verdict == simt::verdict::error || signal != 0) {
    return;  // the run has said why
  } else if (const failed_launch failed = unseen_failure(); !failed.why.empty()) {
    report.verdict = simt::verdict::error;
    report.error = failed.why + innermost_place(failed.callers) +
                   " (the program never asked for this error: check cudaGetLastError() after each launch)";
  } else if (kernel_was_lost()) {
    report.verdict = simt::verdict::crash;
  }
}

// The exit code that the report asks for; 0: the program's own. `whole`: the program came to its end.
int publish(bool whole) {
  if (last_report == nullptr) return 0;
  simt::run_report& report = *std::exchange(last_report, nullptr);
  drop_leaks_freed_since(report);
  if (whole && !report_to) report = after_further_runs(std::move(report));
  report.verdict = simt::verdict_of(report, false);
  if (!report_to) join_findings(report);  // else simrun does it
  say(report);
  return std::max(0, simt::exit_code(report, false));
}

[[noreturn]] void end_now(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

constexpr unsigned kReportSeconds = 10;  // a report after a crash is made in far less

void unblock(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

// simrun sees a program without a report that was ended by a signal.
void give_up(int) {
  constexpr char kText[] =
      "simt: no report can be made: the program died inside malloc or free, its heap may be damaged\n";
  [[maybe_unused]] const auto written = write(2, kText, sizeof kText - 1);
  signal(SIGABRT, SIG_DFL);
  unblock(SIGABRT);
  raise(SIGABRT);
  end_now(4);
}

// The heap's locks can be held where the program died, and a report needs memory: then it would wait for ever.
void bound_the_report() {
  struct sigaction action = {};
  action.sa_handler = give_up;
  sigaction(SIGALRM, &action, nullptr);
  unblock(SIGALRM);
  alarm(kReportSeconds);
}

void end_in_crash(const std::string& what) {
  finish(what, 0);
  const int code = publish(false);
  end_now(code > 0 ? code : 4);
}

void on_signal(int number, siginfo_t* info, void* context) {
  static volatile sig_atomic_t inside = 0;
  if (inside != 0) give_up(0);
  inside = 1;
  bound_the_report();
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::string what = std::string("the program crashed in host code: ") + strsignal(number);
  if (number == SIGSEGV || number == SIGBUS) {
    char address[32];
    std::snprintf(address, sizeof address, "%#zx", at);
    what += std::string(" at address ") + address;
  }
  end_in_crash(what + place_of_crash(simt::frontend::interrupted_at(context)));
}

// INT, TERM and HUP in a checked run: the report so far. The handler only tells a thread, which ends the launch that
// runs, waits until no host thread acts on the device, and makes the report.
int signals[2];

void on_interruption(int number, siginfo_t*, void*) {
  const int before = errno;
  const char byte = static_cast<char>(number);
  [[maybe_unused]] const auto written = write(signals[1], &byte, 1);
  errno = before;
}

void end_unreported(int) {
  constexpr char kText[] = "simt: interrupted; the run did not come to an end, so there is no report\n";
  [[maybe_unused]] const auto written = write(2, kText, sizeof kText - 1);
  end_now(128 + simt::backend::interrupted_by());
}

void wait_for_interruption() {
  pthread_setname_np(pthread_self(), "simt signals");  // see sim/exec/host_threads.hpp
  char number = 0;
  while (read(signals[0], &number, 1) < 0 && errno == EINTR) continue;
  if (number <= 0) return;
  simt::backend::interrupt(number);
  struct sigaction action = {};
  action.sa_handler = end_unreported;
  sigaction(SIGALRM, &action, nullptr);
  unblock(SIGALRM);
  alarm(kReportSeconds);
  const simt::frontend::host_alone turn;
  ending.lock();
  if (ended) {  // the program ends by itself
    alarm(0);
    ending.unlock();
    return;
  }
  finish({}, 0, number);
  publish(false);
  end_now(128 + number);
}

void watch_for_interruptions() {
  if (pipe2(signals, O_CLOEXEC) != 0) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(wait_for_interruption).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  struct sigaction action = {}, old = {};
  action.sa_sigaction = on_interruption;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (const int n : {SIGINT, SIGTERM, SIGHUP})
    if (sigaction(n, nullptr, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(n, &action, nullptr);  // nohup
}

// _Exit, _exit and quick_exit run none of the handlers that make the report; a child that the program forked has none.
pid_t process = 0;  // whose report it is, from begin_run on

int code_with_report(int code) {
  if (process == 0 || getpid() != process) return code;
  finish({}, code);
  const int own = publish(true);
  return own > 0 ? own : code;
}

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  // Before the engine's own, which pass on what does not happen in a kernel.
  for (const int n : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(n, &action, nullptr);
}

void end_at_exit() {
  on_exit([](int code, void*) { finish({}, code); }, nullptr);
}

void start() {
  if (started) return;
  started = true;
  install_signal_handlers();
  end_at_exit();
  try {
    report_to = simt::cuda_source::report_descriptor();
    simt::run_request request = simt::cuda_source::request_from_environment(simt::backend::variant() == "check");
    if (!report_to) plan_further_runs(request);
    simt::backend::begin_run(request);
    process = getpid();
    if (request.schedule == "explore" || request.schedule == "pct") collect_outputs();
    at_quick_exit([] {
      if (const int code = code_with_report(0); code != 0) end_now(code);
    });
    if (request.checks.any()) watch_for_interruptions();
    bound_the_host(request.timeout_seconds);
  } catch (const std::runtime_error& e) {
    simt::run_report refused;
    refused.verdict = simt::verdict::error;
    refused.error = e.what();
    say(refused);
    end_now(2);
  }
}

// Last of all, after static objects' destructors: the exit code is the report's, where it has something to say.
[[gnu::destructor]] void end_of_process() {
  const int code = publish(true);
  if (code <= 0) return;
  std::fflush(nullptr);
  end_now(code);
}

}  // namespace

void end_with_report(const std::string& why) {
  const simt::frontend::host_alone turn;
  ending.lock();
  if (ended) return ending.unlock();  // the program ends by itself
  bound_the_report();
  end_in_crash(why);
}

void rest_if_interrupted() {
  while (simt::backend::interrupted_by() != 0) pause();
}

void ensure_started() {
  if (!started) start();
}
void enter_main();
void enter_main() {
  ensure_started();
  end_at_exit();  // again: handlers run in reverse, and static objects of the runtime may have come after the first
}

}  // namespace simt_cuda

extern "C" {
[[gnu::visibility("default")]] void _exit(int code) { simt_cuda::end_now(simt_cuda::code_with_report(code)); }
[[gnu::visibility("default")]] void _Exit(int code) noexcept { _exit(code); }
}
