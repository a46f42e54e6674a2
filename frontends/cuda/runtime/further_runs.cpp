// SPDX-License-Identifier: Apache-2.0
#include "further_runs.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <frontends/cuda/run_settings.hpp>
#include <sim/report/grouping.hpp>
#include <sim/report/merged_findings.hpp>
#include <sim/report/verdict.hpp>
#include <sim/report/report_data.hpp>

extern char** environ;

namespace simt_cuda {
namespace {

struct first_start {
  simt::run_request request;
  std::vector<std::string> words, environment;  // as the program found them: it may change its own
  int folder = -1;
  pid_t process = 0;
};
first_start* started_as = nullptr;  // the report comes after the destruction of static objects

std::vector<std::string> own_words() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  std::vector<std::string> words;
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& t : texts) out.push_back(t.data());
  out.push_back(nullptr);
  return out;
}

std::string all_of(int descriptor) {
  std::string out;
  char some[65536];
  for (ssize_t n; (n = read(descriptor, some, sizeof some)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) out.append(some, static_cast<std::size_t>(n));
  return out;
}

// The program once more, as `request` says; nothing where it came to no report.
std::optional<simt::run_report> run_again(const simt::run_request& request) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  std::vector<std::string> words = started_as->words, environment = started_as->environment;
  const auto settings = simt::cuda_source::variables_of(request, ends[1]);
  for (const auto& [name, value] : settings) {
    std::erase_if(environment, [&, start = name + "="](const std::string& e) { return e.starts_with(start); });
    environment.push_back(name + "=" + value);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], ends[1]);  // stays open there
  if (started_as->folder >= 0) posix_spawn_file_actions_addfchdir_np(&actions, started_as->folder);
  pid_t process = 0;
  const int failed =
      posix_spawn(&process, "/proc/self/exe", &actions, nullptr, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  const std::string bytes = failed == 0 ? all_of(ends[0]) : std::string();
  close(ends[0]);
  if (failed == 0)
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  if (bytes.empty()) return {};
  try {
    return simt::report_from_bytes(bytes);
  } catch (const simt::report_error&) {
    return {};
  }
}

}  // namespace

void plan_further_runs(simt::run_request& request) {
  const bool has_loops = request.schedule == "natural" || request.schedule == "random";
  if (!request.checks.any() || !has_loops) return;
  request.may_doubt = std::getenv("SIMT_NO_DOUBT") == nullptr;
  started_as = new first_start;
  started_as->request = request;
  started_as->words = own_words();
  for (char** e = environ; e != nullptr && *e != nullptr; ++e) started_as->environment.emplace_back(*e);
  started_as->process = getpid();
  started_as->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

simt::run_report after_further_runs(simt::run_report first) {
  const bool is_child = started_as != nullptr && started_as->process != getpid();  // that the program has forked
  if (started_as == nullptr || is_child || first.interrupted_by != 0) return first;
  simt::run_request request = started_as->request;
  request.may_doubt = false;
  const auto needs_fibers = [&](const simt::run_report& r) {
    return request.schedule == "natural" &&
           simt::found_in_passing_order(r, {request.workers == 1, request.execution == "auto"});
  };
  request.said = simt::failed_assertion(first);
  if (first.judged.doubtful && !needs_fibers(first))
    if (auto settled = run_again(request)) first = std::move(*settled);
  if (!needs_fibers(first)) return first;
  const bool as_loops = request.execution == "auto" && simt::ran_as_loops(first);
  request.workers = 1;
  if (as_loops) request.execution = "fibers";
  auto second = run_again(request);
  if (!second) return first;
  simt::add_found_only_in(first, as_loops, *second);
  if (first.verdict == simt::verdict::crash && second->verdict != simt::verdict::crash) simt::take_end(first, *second);
  return std::move(*second);
}

void join_findings(simt::run_report& report) {
  std::vector<simt::finding> merged;
  simt::merge_findings(merged, report.findings, true);
  report.findings = std::move(merged);
  simt::group_findings(report.findings);
  report.program = program_invocation_short_name;
}

}  // namespace simt_cuda
