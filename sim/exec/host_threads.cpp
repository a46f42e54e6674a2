// SPDX-License-Identifier: Apache-2.0
// Read from /proc: the call of the system that each thread of this process is in. A thread that waits for a futex
// without a limit is woken by another thread of the process, or by nobody (locks between processes are not thought
// of).
#include <sim/exec/host_threads.hpp>

#include <dirent.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sim/memory/address_space.hpp>

namespace simt::sim {

namespace {

std::array<std::atomic<pid_t>, kSharedWorkers> workers{};

bool is_worker(pid_t thread) {
  return std::ranges::any_of(workers, [&](const std::atomic<pid_t>& w) { return w.load() == thread; });
}

std::string text_of(pid_t thread, const char* what) {
  std::string out(256, '\0');
  std::FILE* const file = std::fopen(("/proc/self/task/" + std::to_string(thread) + "/" + what).c_str(), "re");
  if (file == nullptr) return {};
  out.resize(std::fread(out.data(), 1, out.size(), file));
  std::fclose(file);
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

// The n-th word of /proc/../syscall: the call's number, and its arguments in hexadecimal.
unsigned long word_of(std::string_view text, int n) {
  for (; n > 0; --n) text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
  std::string_view word = text.substr(0, text.find(' '));
  const int base = word.starts_with("0x") ? 16 : 10;
  if (base == 16) word.remove_prefix(2);
  unsigned long out = 0;
  std::from_chars(word.data(), word.data() + word.size(), out, base);
  return out;
}

// What the thread does; empty: it waits for another one of the process, or for a signal.
std::string deed_of(pid_t thread) {
  const std::string call = text_of(thread, "syscall");
  if (call.empty()) return text_of(thread, "stat").empty() ? "" : "waits or runs, of which the system does not tell";
  if (call.starts_with("running")) return "runs";
  if (call.starts_with('-')) return "runs";  // waits for a page
  const unsigned long number = word_of(call, 0);
  if (number == SYS_futex) {
    constexpr unsigned long kTimeout = 4, kOperation = 2;
    const unsigned long operation = word_of(call, kOperation) & FUTEX_CMD_MASK;
    const bool waits = operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI ||
                       operation == FUTEX_LOCK_PI2 || operation == FUTEX_WAIT_REQUEUE_PI;
    if (waits && word_of(call, kTimeout) == 0) return {};
    return waits ? "waits with a time limit" : "runs";
  }
#ifdef SYS_pause
  if (number == SYS_pause) return {};
#endif
  if (number == SYS_rt_sigsuspend || (number == SYS_rt_sigtimedwait && word_of(call, 3) == 0)) return {};
  if (number == SYS_nanosleep || number == SYS_clock_nanosleep) return "sleeps";
  return "waits in call " + std::to_string(number) + " of the system";
}

}  // namespace

void note_worker_thread(int index, bool runs) {
  thread_local const pid_t here = gettid();
  workers[static_cast<std::size_t>(index)].store(runs ? here : 0, std::memory_order_relaxed);
}

std::string host_thread_that_may_act() {
  DIR* const all = opendir("/proc/self/task");
  if (all == nullptr) return {};
  std::string out;
  while (const dirent* const entry = readdir(all)) {
    const pid_t thread = std::atoi(entry->d_name);
    if (thread <= 0 || is_worker(thread)) continue;
    const std::string deed = deed_of(thread);
    if (deed.empty()) continue;
    const std::string name = text_of(thread, "comm");
    if (name.starts_with(kOwnThreads)) continue;
    out = "thread " + std::to_string(thread) + " (" + name + ") " + deed;
    break;
  }
  closedir(all);
  return out;
}

}  // namespace simt::sim
