// SPDX-License-Identifier: Apache-2.0
// One thread for the life of the process that looks after launches which take long: it ends those that are over their
// time limit or have been given up, says which of the others get nowhere, and interrupts their workers so that a loop
// without any call can be suspended (exec/preempt.cpp). A launch shorter than a tick costs two atomic stores and a lock
// that nobody else holds.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <thread>

#include <link.h>
#include <pthread.h>

#include <sim/exec/follower.hpp>
#include <sim/exec/helpers.hpp>
#include <sim/exec/launch.hpp>
#include <sim/exec/one_thread.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTick{10};
constexpr std::chrono::milliseconds kFastTick{1};  // once a loop had to be suspended by force
constexpr int kIdleTicks = 100;                    // then sleep until the next launch

// The executable segment that holds `code`.
address_span segment_of(std::uintptr_t code) {
  struct search {
    std::uintptr_t code;
    address_span found;
  } s{code, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& h = info->dlpi_phdr[i];
          const std::uintptr_t first = info->dlpi_addr + h.p_vaddr;
          if (h.p_type == PT_LOAD && (h.p_flags & PF_X) != 0 && wanted.code - first < h.p_memsz)
            wanted.found = {first, first + h.p_memsz};
        }
        return 0;
      },
      &s);
  return s.found;
}

// Whether a launch gets somewhere, as far as blocks that begin and end show it.
class block_progress {
 public:
  void begin(double seconds) { *this = block_progress(), until_said_ = seconds; }
  // Once where no block has begun or ended for long. Launches with a time limit end by themselves. A process that a
  // debugger had stopped was not running meanwhile.
  void look(const launch_state& l, clock::time_point now) {
    const std::int64_t blocks = l.next_block.load() + l.blocks_done.load();
    quiet_ = blocks != blocks_ ? clock::duration() : quiet_ + std::min<clock::duration>(now - last_, 10 * kTick);
    blocks_ = blocks, last_ = now;
    if (until_said_ <= 0 || std::chrono::duration<double>(quiet_).count() < until_said_) return;
    std::fprintf(stderr,
                 "simt: kernel %s: no block of it has begun or ended for %.3g s. If it hangs: Ctrl-C or --timeout "
                 "SECONDS ends it, and --check all finds most loops that never end\n",
                 l.name, until_said_);
    until_said_ = 0;
  }

 private:
  double until_said_ = 0;
  std::int64_t blocks_ = -1;
  clock::duration quiet_{};
  clock::time_point last_;
};

std::atomic<int> interrupting_signal{0};

class watchdog {
 public:
  void watch(launch_state& l, const std::vector<std::unique_ptr<worker>>& workers, double seconds) {
    workers_ = &workers;
    deadline_ = seconds > 0
                    ? clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds))
                    : clock::time_point::max();
    progress_.begin(seconds > 0 ? 0 : current_launch_options().quiet_seconds);
    serial_.store(serial_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    launch_.store(&l);  // after the fields above; the watchdog reads them under the mutex or after this
    if (asleep_.load()) wake();
  }
  void unwatch() {
    std::lock_guard lock(mutex_);  // never while the watchdog acts on this launch
    launch_.store(nullptr, std::memory_order_relaxed);
  }

 private:
  void wake() {
    std::lock_guard lock(mutex_);
    asleep_ = false;
    if (!started_) {
      started_ = true;
      std::thread([this] { loop(); }).detach();
    }
    wake_.notify_one();
  }

  [[noreturn]] void loop() {
    pthread_setname_np(pthread_self(), "simt watchdog");
    std::unique_lock lock(mutex_);
    std::uint64_t seen = 0;
    int idle = 0;
    for (;;) {
      launch_state* l = launch_.load();
      if (l == nullptr && ++idle > kIdleTicks) {
        asleep_ = true;
        if (launch_.load() == nullptr) wake_.wait(lock, [this] { return !asleep_.load(); });
        asleep_ = false;
        idle = 0;
        continue;
      }
      if (l != nullptr) {
        idle = 0;
        const std::uint64_t serial = serial_.load(std::memory_order_relaxed);
        if (serial != seen)
          seen = serial;  // give it a tick
        else
          look_after(*l);
      }
      const auto pause =
          l != nullptr && (l->parks.load(std::memory_order_relaxed) > 0 || l->aborted.load()) ? kFastTick : kTick;
      wake_.wait_for(lock, pause, [] { return false; });
    }
  }

  void look_after(launch_state& l) {
    call_helpers();
    const clock::time_point now = clock::now();
    progress_.look(l, now);
    if ((now >= deadline_ || interrupted_by() != 0) && !l.aborted) {
      std::lock_guard fault(l.fault_mutex);
      if (l.fault.kind == fault_kind::none) l.fault.kind = fault_kind::timeout;
      l.aborted = true;
    }
    if (l.code.end == 0) {
      const loop_function one = one_thread_of(*l.bodies.loops);
      l.code = segment_of(one != nullptr ? reinterpret_cast<std::uintptr_t>(one)
                                         : reinterpret_cast<std::uintptr_t>(l.bodies.threads));
    }
    if (!l.traits.preemptible() && !l.aborted && current_follower() == nullptr) return;
    for (const auto& w : *workers_)
      if (const pthread_t thread = w->os_thread.load(); thread != pthread_t{}) pthread_kill(thread, kTickSignal);
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool started_ = false;
  std::atomic<bool> asleep_{true};
  std::atomic<launch_state*> launch_{nullptr};
  std::atomic<std::uint64_t> serial_{0};
  const std::vector<std::unique_ptr<worker>>* workers_ = nullptr;
  clock::time_point deadline_;
  block_progress progress_;
};
// A copy of the process (fork) has the watchdog, but not its thread, and perhaps a lock that this one held.
watchdog* of_process = nullptr;
watchdog& the_watchdog() {
  [[maybe_unused]] static const int once = [] {
    of_process = new watchdog;
    return pthread_atfork(nullptr, nullptr, [] { of_process = new watchdog; });
  }();
  return *of_process;
}

}  // namespace

void watch_launch(launch_state& l, const std::vector<std::unique_ptr<worker>>& workers, double timeout_seconds) {
  the_watchdog().watch(l, workers, timeout_seconds);
}

void interrupt_launches(int signal) { interrupting_signal = signal; }
int interrupted_by() { return interrupting_signal.load(std::memory_order_relaxed); }

void unwatch_launch() { the_watchdog().unwatch(); }

}  // namespace simt::sim
