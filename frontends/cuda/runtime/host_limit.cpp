// SPDX-License-Identifier: Apache-2.0
#include "host_limit.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace simt_cuda {
namespace {

constexpr double kBehindLostKernel = 10;  // seconds: nothing comes from the device any more
constexpr useconds_t kTick = 100'000;     // microseconds

std::atomic<int> launches_now = 0;
std::atomic<unsigned> launches_ended = 0;
std::atomic<double> host_limit = 0, limit_behind_lost = 0;
std::atomic<bool> host_is_watched = false;

std::string host_seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

// Counts its own ticks: in a debugger they stand still.
void watch_host() {
  pthread_setname_np(pthread_self(), "simt limit");  // see sim/exec/host_threads.hpp
  double alone = 0, lost = 0;
  unsigned seen = launches_ended;
  for (;;) {
    usleep(kTick);
    const bool has_died = limit_behind_lost > 0;
    if (launches_now != 0 || (!has_died && launches_ended != seen)) {
      seen = launches_ended;
      alone = 0;
      continue;
    }
    alone += kTick * 1e-6;
    if (has_died) lost += kTick * 1e-6;
    if (has_died && lost >= limit_behind_lost)
      end_with_report("the program went on for " + host_seconds_text(lost) +
                      " after a kernel was given up, and was ended: it may wait for what that kernel was to do");
    else if (!has_died && host_limit > 0 && alone >= host_limit)
      end_with_report("the program did not end within --timeout: its host code ran for " + host_seconds_text(alone) +
                      " without a launch");
    else
      continue;
    return;
  }
}

void watch_from_now() {
  if (host_is_watched.exchange(true)) return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(watch_host).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void bound_the_host(double seconds) {
  if (seconds <= 0) return;
  host_limit = seconds;
  watch_from_now();
}

void bound_the_host_behind_lost_kernel() {
  if (limit_behind_lost > 0) return;
  limit_behind_lost = host_limit > 0 && host_limit < kBehindLostKernel ? host_limit.load() : kBehindLostKernel;
  watch_from_now();
}

launch_under_way::launch_under_way() { ++launches_now; }
launch_under_way::~launch_under_way() {
  ++launches_ended;
  --launches_now;
}

}  // namespace simt_cuda
