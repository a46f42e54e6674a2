// SPDX-License-Identifier: Apache-2.0
// A CUDA program's process as a run: settings from the environment before main, the report when it ends.
//
//   SIMT_CHECK      races,memory,uninit,barrier or all or none; check variant only (default there: all)
//   SIMT_SCHEDULE, SIMT_SEED, SIMT_WORKERS, SIMT_TIMEOUT, SIMT_STACK, SIMT_MAX_REPORTS, SIMT_VOLATILE_IS_PLAIN
//   SIMT_REPORT_FD  a descriptor that takes the report for simrun; without it findings are printed to standard error
// Started by the first call of the runtime API, ended by an exit handler that it registers then.
#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include <backends/cuda_source/report_transport.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/report/symbolize.hpp>
#include <sim/report/text_report.hpp>
#include <simt/session.hpp>

#include "state.hpp"

namespace simt_cuda {
namespace {

bool started = false, ended = false;
constexpr int kMaxReports = 20;

const char* setting(const char* name) {
  const char* v = std::getenv(name);
  return v != nullptr && *v != 0 ? v : nullptr;
}
double number(const char* name) {
  const char* v = setting(name);
  if (v == nullptr) return 0;
  char* end = nullptr;
  const double d = std::strtod(v, &end);
  if (*end != 0) {
    std::fprintf(stderr, "simt: %s takes a number, not '%s'\n", name, v);
    std::_Exit(2);
  }
  return d;
}

simt::run_request request_from_environment() {
  simt::run_request r;
  const bool checked = simt::backend::variant() == "check";
  std::string list = setting("SIMT_CHECK") ? setting("SIMT_CHECK") : checked ? "all" : "none";
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string word = list.substr(at, comma - at);
    at = comma + 1;
    const bool all = word == "all";
    r.check_races |= all || word == "races";
    r.check_memory |= all || word == "memory";
    r.check_uninit |= all || word == "uninit";
    r.check_barrier |= all || word == "barrier";
    if (!all && word != "races" && word != "memory" && word != "uninit" && word != "barrier" && word != "none" && !word.empty()) {
      std::fprintf(stderr, "simt: SIMT_CHECK: there is no check '%s'; the checks are races, memory, uninit, barrier, all\n", word.c_str());
      std::_Exit(2);
    }
  }
  if (const char* s = setting("SIMT_SCHEDULE")) r.schedule = s;
  r.seed = static_cast<std::uint64_t>(number("SIMT_SEED"));
  r.workers = static_cast<int>(number("SIMT_WORKERS"));
  r.timeout_seconds = number("SIMT_TIMEOUT");
  r.stack_bytes = static_cast<std::int64_t>(number("SIMT_STACK"));
  r.max_reports = static_cast<int>(number("SIMT_MAX_REPORTS"));
  r.volatile_is_plain = setting("SIMT_VOLATILE_IS_PLAIN") != nullptr;
  return r;
}

void send(simt::run_report& report) {
  simt::cuda_source::report_writer out;
  simt::cuda_source::transport(out, report);
  const int fd = static_cast<int>(number("SIMT_REPORT_FD"));
  for (std::size_t at = 0; at < out.bytes.size();) {
    const ssize_t n = write(fd, out.bytes.data() + at, out.bytes.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

void show(const simt::run_report& report) {
  simt::text_style style;
  style.color = isatty(2) && std::getenv("NO_COLOR") == nullptr;
  style.width = 100;
  for (const simt::finding* f : simt::shown_findings(report.findings, kMaxReports))
    std::fprintf(stderr, "%s\n", simt::text_finding(*f, style).c_str());
  if (!report.error.empty()) std::fprintf(stderr, "simt: %s\n", report.error.c_str());
}

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
  // Around the body there can be the function that the user declared; and a fault names the body twice, by its place and
  // by the calls that were under way.
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
void say_in_cuda(std::string& text) {
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"sync_warp()", "__syncwarp()"},
      {"(sync()", "(__syncthreads()"},
      {" sync()", " __syncthreads()"},
      {"copy with to_host() or copy_to()/copy_from()", "copy with cudaMemcpy, or allocate with cudaMallocManaged"},
      {"copy the data to a buffer and pass that to the kernel", "copy the data with cudaMemcpy to memory of cudaMalloc and pass that to the kernel"},
      {"synchronize(), stream.synchronize() or event.synchronize()", "cudaDeviceSynchronize(), cudaStreamSynchronize() or cudaEventSynchronize()"},
      {"t.dynamic_shared", "extern __shared__"},
  };
  for (const auto& [ours, theirs] : kWords)
    for (std::size_t at = text.find(ours); at != std::string::npos; at = text.find(ours, at + std::strlen(theirs)))
      text.replace(at, std::strlen(ours), theirs);
}

// A program that gave up because of something else that is reported had no chance to free: its leaks are no news.
void drop_leaks_of_aborted_program(simt::run_report& report, int program_code, bool crashed) {
  const auto is_leak = [](const simt::finding& f) { return f.rule == simt::rule::leak; };
  const bool others = std::any_of(report.findings.begin(), report.findings.end(), [&](const simt::finding& f) { return !is_leak(f); });
  if (crashed || kernel_was_lost() || (program_code != 0 && others)) std::erase_if(report.findings, is_leak);
}

// Static objects of the program may free their memory when they are destroyed, after it has been looked for.
void drop_leaks_freed_since(simt::run_report& report) {
  std::erase_if(report.findings, [](simt::finding& f) {
    if (f.rule != simt::rule::leak) return false;
    std::erase_if(f.leaked, [](std::uintptr_t address) {
      bool live = false;
      return !simt::sim::find_allocation(address, &live) || !live;
    });
    f.count = static_cast<std::int64_t>(f.leaked.size());
    return f.leaked.empty();
  });
}

// What the program did, from its last statement on; the report is published when its static objects are gone as well.
simt::run_report* last_report = nullptr;

// `crash`: what killed the program on the host; empty: it ended by itself, with `program_code`.
void finish(const std::string& crash, int program_code) {
  if (!started || ended) return;
  ended = true;
  std::cout.flush();
  std::fflush(nullptr);
  auto& report = *(last_report = new simt::run_report);
  if (crash.empty()) free_variables();
  simt::backend::end_run(report);
  drop_leaks_of_aborted_program(report, program_code, !crash.empty());
  for (simt::finding& f : report.findings) {
    for (simt::access& a : f.accesses)
      if (a.agent == "thread") tidy(a, f.kernel);
    say_in_cuda(f.why);
    say_in_cuda(f.fix);
  }
  if (!crash.empty()) {
    report.verdict = simt::verdict::crash;
    report.error = crash;
  } else if (const std::string failed = unseen_failure(); !failed.empty()) {
    report.verdict = simt::verdict::error;
    report.error = failed + " (the program never asked for this error: check cudaGetLastError() after each launch)";
  } else if (kernel_was_lost()) {
    report.verdict = simt::verdict::crash;
  }
}

// The exit code that the report asks for; 0: the program's own.
int publish() {
  if (last_report == nullptr) return 0;
  simt::run_report& report = *std::exchange(last_report, nullptr);
  drop_leaks_freed_since(report);
  if (report.verdict == simt::verdict::clean) report.verdict = simt::verdict_of(report, false);
  if (setting("SIMT_REPORT_FD") != nullptr)
    send(report);
  else
    show(report);
  return std::max(0, simt::exit_code(report, false));
}

// ", at FILE:LINE in FUNCTION": the innermost place in the user's code. The process is lost, so nothing is spared to
// find it; a second fault on the way ends it without.
std::string place_of_crash(const void* context) {
  const auto pc = static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  constexpr int kMostFrames = 64;
  void* frames[kMostFrames];
  const int n = backtrace(frames, kMostFrames);
  int from = 0;
  while (from < n && reinterpret_cast<std::uintptr_t>(frames[from]) != pc) ++from;  // behind the handler's own
  std::vector<std::uintptr_t> addresses = {pc + 1};  // as return addresses
  for (int i = from + 1; i < n; ++i) addresses.push_back(reinterpret_cast<std::uintptr_t>(frames[i]));
  simt::symbolizer symbols;
  for (const std::uintptr_t address : addresses)
    for (const simt::code_frame& f : symbols.frames(address))
      if (!f.engine && f.line != 0 && access(f.path.c_str(), R_OK) == 0)  // libraries' sources are rarely there
        return ", at " + f.file + ":" + std::to_string(f.line) + (f.function.empty() ? "" : " in " + f.function);
  return {};
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
  constexpr char kText[] = "simt: no report can be made: the program died inside malloc or free, its heap may be damaged\n";
  [[maybe_unused]] const auto written = write(2, kText, sizeof kText - 1);
  signal(SIGABRT, SIG_DFL);
  unblock(SIGABRT);
  raise(SIGABRT);
  _exit(4);
}

// The heap's locks can be held where the program died, and a report needs memory: then it would wait for ever.
void bound_the_report() {
  struct sigaction action = {};
  action.sa_handler = give_up;
  sigaction(SIGALRM, &action, nullptr);
  unblock(SIGALRM);
  alarm(kReportSeconds);
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
  what += place_of_crash(context);
  finish(what, 0);
  const int code = publish();
  _exit(code > 0 ? code : 4);
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
    simt::backend::begin_run(request_from_environment());
  } catch (const simt::error& e) {
    std::fprintf(stderr, "simt: %s\n", e.what());
    std::_Exit(2);
  }
}

// Last of all, after static objects' destructors: the exit code is the report's, where it has something to say.
[[gnu::destructor]] void end_of_process() {
  const int code = publish();
  if (code <= 0) return;
  std::fflush(nullptr);
  _exit(code);
}

}  // namespace

void ensure_started() {
  if (!started) start();
}
void enter_main();
void enter_main() {
  ensure_started();
  end_at_exit();  // again: handlers run in reverse, and static objects of the runtime may have come after the first
}

}  // namespace simt_cuda
