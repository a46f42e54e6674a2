// SPDX-License-Identifier: Apache-2.0
// A handler can do next to nothing, so it writes the signal's number into a pipe, and a thread reads it there.
#include "interruption.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "terminal.hpp"

namespace simt::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr int kPatience = 12'000;  // milliseconds: a program under simrun gives up its report after ten seconds

// timeout(1) sends its signal to the process and once more to the group, a closed terminal does likewise.
constexpr std::chrono::milliseconds kOneSignal{300};

std::array<int, 2> ends = {-1, -1};  // of the pipe
std::array<struct sigaction, kSignals.size()> before;
std::atomic<int> received = 0;

void on_signal(int number) {
  const int error = errno;
  const char byte = static_cast<char>(number);
  [[maybe_unused]] const auto written = ::write(ends[1], &byte, 1);
  errno = error;
}

// The next byte of the pipe; -1 after `milliseconds` without one (-1: however long that takes).
int next_byte(int milliseconds) {
  for (;;) {
    pollfd waits = {ends[0], POLLIN, 0};
    const int ready = ::poll(&waits, 1, milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    char byte = 0;
    return ready == 1 && ::read(ends[0], &byte, 1) == 1 ? byte : -1;
  }
}

}  // namespace

// Not std::thread, whose own memory the new thread gives back when it ends: the allocator makes an arena for that, a
// hundredth of what the start of a run takes.
interruption::interruption(std::function<void(int)> stop) : stop_(std::move(stop)) {
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  received = 0;
  sigset_t all, mask;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &mask);
  const auto waits = [](void* self) -> void* {
    static_cast<interruption*>(self)->wait();
    return nullptr;
  };
  const int failed = ::pthread_create(&waiter_, nullptr, waits, this);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), "cannot start a thread");
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

interruption::~interruption() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
  on_signal(0);  // the end
  ::pthread_join(waiter_, nullptr);
  for (int& end : ends) ::close(std::exchange(end, -1));
}

int interruption::signal() const { return received; }

void interruption::wait() {
  pthread_setname_np(pthread_self(), "simt signals");  // see sim/exec/host_threads.hpp
  const int number = next_byte(-1);
  if (number <= 0) return;
  const auto first = std::chrono::steady_clock::now();
  received = number;
  stop_(number);
  for (;;) {
    const int next = next_byte(kPatience);
    if (next == 0) return;
    if (next < 0 || std::chrono::steady_clock::now() - first > kOneSignal) break;
  }
  complain("interrupted; the run did not end cleanly, so there is no report");
  ::_exit(128 + number);
}

}  // namespace simt::cli
