// SPDX-License-Identifier: Apache-2.0
// A child writes its JSON report into a pipe and all that it says into a file in memory; this process reads, and never
// runs a program itself.
#include "campaign_jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

using json = nlohmann::ordered_json;
using steady = std::chrono::steady_clock;

constexpr std::size_t kMostSaid = 2000;  // bytes of what a job without a report said, its last

volatile sig_atomic_t campaign_signal = 0;
void note_signal(int number) { campaign_signal = number; }

class signals_noted {
 public:
  signals_noted() {
    campaign_signal = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    for (std::size_t i = 0; i < std::size(kAll); ++i) ::sigaction(kAll[i], &action, &before_[i]);
  }
  ~signals_noted() {
    for (std::size_t i = 0; i < std::size(kAll); ++i) ::sigaction(kAll[i], &before_[i], nullptr);
  }
  signals_noted(const signals_noted&) = delete;
  signals_noted& operator=(const signals_noted&) = delete;
  static void forget() {
    for (const int s : kAll) ::signal(s, SIG_DFL);
  }

 private:
  static constexpr int kAll[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[3];
};

struct running_job {
  const campaign_job* job;
  pid_t process;
  int report, said;
  steady::time_point start;
  std::string text;
};

[[noreturn]] void be_the_job(const campaign_job& job, int report, int said, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to take its report
  if (::getppid() != parent) ::_exit(kExitUsage);
  signals_noted::forget();
  ::dup2(said, STDOUT_FILENO);
  ::dup2(said, STDERR_FILENO);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::fcntl(report, F_SETFD, 0);
  words line = job.words;
  const auto end = std::ranges::find(line, "--");
  line.insert(end, {"--json", fmt::format("/dev/fd/{}", report)});
  int code = kExitUsage;
  try {
    code = run_line(line);
  } catch (const std::exception& error) {
    complain(error.what());
  }
  std::fflush(nullptr);
  ::_exit(code);
}

running_job start(const campaign_job& job) {
  int ends[2];
  const int said = ::memfd_create("said", MFD_CLOEXEC);
  if (said < 0 || ::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("cannot start a run: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t parent = ::getpid(), process = ::fork();
  if (process < 0) throw std::runtime_error(fmt::format("cannot start a run: {}", std::strerror(errno)));
  if (process == 0) be_the_job(job, ends[1], said, parent);
  ::close(ends[1]);
  return {&job, process, ends[0], said, steady::now(), {}};
}

std::string said_by(const running_job& r) {
  const off_t size = ::lseek(r.said, 0, SEEK_END), from = std::max<off_t>(size - off_t{kMostSaid}, 0);
  std::string text(static_cast<std::size_t>(size - from), '\0');
  const ssize_t got = ::pread(r.said, text.data(), text.size(), from);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

// What a report says of the run and of its findings; the order of threads, which may be long, is left out.
json result_of(const running_job& r, int status) {
  json out = {{"job", r.job->id}, {"line", r.job->line}, {"program", r.job->program}, {"words", r.job->words}};
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  out["exit"] = code;
  out["seconds"] = std::chrono::duration<double>(steady::now() - r.start).count();
  json report = json::parse(r.text, nullptr, false);
  if (report.is_object()) {
    for (const char* key : {"orders", "launches"}) report[key] = json::array();
    out["report"] = std::move(report);
  } else {
    out["said"] =
        code < 0 ? fmt::format("the run was ended by a signal: {}. {}", strsignal(-code), said_by(r)) : said_by(r);
  }
  return out;
}

}  // namespace

jobs_outcome run_jobs(const std::vector<const campaign_job*>& jobs, int at_a_time, double budget,
                      const std::function<void(const json&)>& done) {
  const signals_noted noted;
  const auto begin = steady::now();
  const auto spent = [&] {
    return budget > 0 && std::chrono::duration<double>(steady::now() - begin).count() > budget;
  };
  std::list<running_job> running;
  std::size_t next = 0;
  jobs_outcome out;
  while (next < jobs.size() || !running.empty()) {
    if (campaign_signal != 0 || spent()) {
      for (const running_job& r : running) ::kill(r.process, SIGKILL);
      for (const running_job& r : running) ::waitpid(r.process, nullptr, 0);
      out.signal = campaign_signal;
      out.end = campaign_signal != 0 ? jobs_end::interrupted : jobs_end::budget_spent;
      return out;
    }
    while (next < jobs.size() && running.size() < static_cast<std::size_t>(at_a_time))
      running.push_back(start(*jobs[next++]));
    std::vector<pollfd> ready;
    for (const running_job& r : running) ready.push_back({r.report, POLLIN, 0});
    if (::poll(ready.data(), ready.size(), 100) <= 0) continue;
    auto r = running.begin();
    for (const pollfd& p : ready) {
      if (p.revents == 0) {
        ++r;
        continue;
      }
      char bytes[1 << 16];
      const ssize_t got = ::read(r->report, bytes, sizeof bytes);
      if (got > 0) r->text.append(bytes, static_cast<std::size_t>(got));
      if (got > 0 || (got < 0 && errno == EINTR)) {
        ++r;
        continue;
      }
      int status = 0;
      while (::waitpid(r->process, &status, 0) < 0 && errno == EINTR) continue;
      done(result_of(*r, status));
      ::close(r->report);
      ::close(r->said);
      r = running.erase(r);
    }
  }
  return out;
}

}  // namespace simt::cli
