// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>

namespace simt::cuda_source {
namespace {

constexpr double kTimeToReport = 20;  // seconds, for a program that was asked to end

namespace process = boost::process;
namespace asio = boost::asio;

// What a child writes into a pipe. The pipes of Boost.Process stay open in other children that start at the same time,
// and the reader would wait for those too; this one's ends are closed on exec.
class collected_stream {
 public:
  explicit collected_stream(asio::io_context& context) : read_(context), write_(context) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    read_.assign(ends[0]);
    write_.assign(ends[1]);
  }
  int write_end() { return write_.native_handle(); }
  // After the child was started: reads until every copy of the write end is closed, while the context runs.
  void collect() {
    write_.close();
    asio::async_read(read_, asio::dynamic_buffer(text), [](const boost::system::error_code&, std::size_t) {});
  }
  std::string text;

 private:
  asio::posix::stream_descriptor read_, write_;
};

// A file in memory that a child may write to.
struct kept_output {
  explicit kept_output(bool wanted) : file(wanted ? memfd_create("printed", MFD_CLOEXEC) : -1) {}
  ~kept_output() {
    if (file >= 0) close(file);
  }
  kept_output(const kept_output&) = delete;
  kept_output& operator=(const kept_output&) = delete;
  std::string text() const {
    std::string all;
    char some[65536];
    off_t at = 0;
    for (ssize_t n; file >= 0 && (n = pread(file, some, sizeof some, at)) > 0; at += n)
      all.append(some, static_cast<std::size_t>(n));
    return all;
  }
  const int file;
};

// Starts the file words[0]. Between opening its own pipe and marking it as closed on exec, Boost.Process must not be
// overtaken by another start, hence one at a time.
template <class... Options>
process::child start(const std::vector<std::string>& words, std::error_code& failed, Options&&... options) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  return process::child(process::exe = words[0],
                        process::args = std::vector<std::string>(words.begin() + 1, words.end()),
                        std::forward<Options>(options)..., failed);
}

// The groups of run_process; no child is waited for, and so no number is given to another one, while it stands here.
std::mutex groups_mutex;
std::set<pid_t> groups;
bool ended_for_good = false;

process_result not_started(const std::string& file, const std::error_code& why) {
  process_result r;
  r.exit_code = 127;
  r.errors = "cannot run " + file + ": " + why.message() + "\n";
  return r;
}

process_result ended(process::child& child) {
  process_result r;
  std::error_code lost;
  child.wait(lost);
  const int status = child.native_exit_code();
  if (WIFSIGNALED(status)) r.signal = WTERMSIG(status);
  r.exit_code = r.signal != 0 ? 128 + r.signal : WEXITSTATUS(status);
  return r;
}

}  // namespace

process_result run_process(const std::vector<std::string>& words) {
  asio::io_context context;
  collected_stream output(context), errors(context);
  std::error_code failed;
  std::unique_lock lock(groups_mutex);
  if (ended_for_good) return not_started(words[0], std::make_error_code(std::errc::operation_canceled));
  process::child child = start(words, failed, process::posix::fd.bind(STDOUT_FILENO, output.write_end()),
                               process::posix::fd.bind(STDERR_FILENO, errors.write_end()),
                               process::extend::on_exec_setup([](auto&) { setpgid(0, 0); }));
  if (failed) return not_started(words[0], failed);
  const pid_t group = child.id();
  groups.insert(group);
  lock.unlock();
  output.collect();
  errors.collect();
  context.run();
  siginfo_t unused = {};
  while (waitid(P_PID, static_cast<id_t>(group), &unused, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  lock.lock();
  groups.erase(group);
  lock.unlock();
  process_result r = ended(child);
  r.output = std::move(output.text);
  r.errors = std::move(errors.text);
  return r;
}

void end_processes() {
  const std::lock_guard lock(groups_mutex);
  ended_for_good = true;
  for (const pid_t group : groups) kill(-group, SIGTERM);
}

process_result run_program(const std::vector<std::string>& words, const environment_variables& more,
                           int report_descriptor, bool silent, std::atomic<int>& running, time_limit limit,
                           bool keep_printed) {
  const kept_output printed(keep_printed);
  asio::io_context context;
  collected_stream report(context);
  process::environment environment = boost::this_process::environment();
  for (const auto& [name, value] : more) environment[name] = value;
  const pid_t parent = getpid();
  const int printed_to = printed.file;
  const auto in_child = process::extend::on_exec_setup([=](auto&) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody waits for it then
    if (getppid() != parent) _exit(127);
    fcntl(report_descriptor, F_SETFD, 0);  // the pipe may have been opened under this very number
    if (silent) {
      const int nowhere = open("/dev/null", O_RDWR);
      dup2(nowhere, STDIN_FILENO);
      dup2(nowhere, STDOUT_FILENO);
    }
    if (printed_to >= 0) dup2(printed_to, STDOUT_FILENO);
  });
  std::error_code failed;
  process::child child =
      start(words, failed, environment, process::posix::fd.bind(report_descriptor, report.write_end()), in_child);
  if (failed) return not_started(words[0], failed);
  running = child.id();
  report.collect();
  const auto run_for = [&](double seconds) {
    context.run_for(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::duration<double>(seconds)));
  };
  if (limit.seconds > 0)
    run_for(limit.seconds);
  else
    context.run();
  const bool given_up = !context.stopped();
  if (given_up && limit.asked) {
    kill(child.id(), SIGTERM);
    run_for(kTimeToReport);
  }
  const bool whole = context.stopped();
  if (!whole) kill(child.id(), SIGKILL);  // what it started may hold the pipe: nobody waits for that
  siginfo_t unused = {};
  while (waitid(P_PID, static_cast<id_t>(running.load()), &unused, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  running = 0;
  process_result r = ended(child);
  r.given_up = given_up;
  if (whole) r.output = std::move(report.text);
  r.printed = printed.text();
  for (std::size_t at = 0; !silent && at < r.printed.size();) {
    const ssize_t n = write(STDOUT_FILENO, r.printed.data() + at, r.printed.size() - at);
    if (n <= 0) break;
    at += static_cast<std::size_t>(n);
  }
  return r;
}

}  // namespace simt::cuda_source
