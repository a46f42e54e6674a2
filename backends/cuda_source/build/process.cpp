// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace simt::cuda_source {
namespace {

struct pipe_ends {
  int read = -1, write = -1;
  pipe_ends() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    read = ends[0];
    write = ends[1];
  }
  ~pipe_ends() {
    close_end(read);
    close_end(write);
  }
  static void close_end(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> p;
  for (const std::string& w : words) p.push_back(const_cast<char*>(w.c_str()));
  p.push_back(nullptr);
  return p;
}

void collect(std::vector<std::pair<int*, std::string*>> from) {
  char buffer[65536];
  for (;;) {
    std::vector<pollfd> open;
    std::vector<std::pair<int*, std::string*>> of;
    for (auto& f : from)
      if (*f.first >= 0) {
        open.push_back({*f.first, POLLIN, 0});
        of.push_back(f);
      }
    if (open.empty()) return;
    if (poll(open.data(), open.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].revents == 0) continue;
      const ssize_t n = read(open[i].fd, buffer, sizeof buffer);
      if (n > 0)
        of[i].second->append(buffer, static_cast<std::size_t>(n));
      else if (n == 0 || errno != EINTR)
        pipe_ends::close_end(*of[i].first);
    }
  }
}

void wait_for(pid_t child, process_result& r) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) r.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) {
    r.signal = WTERMSIG(status);
    r.exit_code = 128 + r.signal;
  }
}

}  // namespace

process_result run_process(const std::vector<std::string>& words) {
  process_result r;
  pipe_ends out, err;
  const std::vector<char*> argv = pointers(words);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("cannot start ") + words[0] + ": " + std::strerror(errno));
  if (child == 0) {
    dup2(out.write, 1);
    dup2(err.write, 2);
    execvp(argv[0], argv.data());
    const std::string why = "cannot run " + words[0] + ": " + std::strerror(errno) + "\n";
    (void)!write(2, why.data(), why.size());
    _exit(127);
  }
  pipe_ends::close_end(out.write);
  pipe_ends::close_end(err.write);
  collect({{&out.read, &r.output}, {&err.read, &r.errors}});
  wait_for(child, r);
  return r;
}

process_result run_program(const std::vector<std::string>& words, const std::vector<std::string>& environment, int report_fd, bool silent) {
  process_result r;
  pipe_ends report;
  const std::vector<char*> argv = pointers(words);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("cannot start ") + words[0] + ": " + std::strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody waits for it then
    if (getppid() != parent) _exit(127);
    if (report.write == report_fd)
      fcntl(report_fd, F_SETFD, 0);
    else
      dup2(report.write, report_fd);
    if (silent) {
      const int nowhere = open("/dev/null", O_RDWR);
      dup2(nowhere, 0);
      dup2(nowhere, 1);
    }
    for (const std::string& e : environment) putenv(const_cast<char*>(e.c_str()));
    execv(argv[0], argv.data());
    const std::string why = "cannot run " + words[0] + ": " + std::strerror(errno) + "\n";
    (void)!write(2, why.data(), why.size());
    _exit(127);
  }
  pipe_ends::close_end(report.write);
  collect({{&report.read, &r.output}});
  wait_for(child, r);
  return r;
}

}  // namespace simt::cuda_source
