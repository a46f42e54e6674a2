// SPDX-License-Identifier: Apache-2.0
// What ends a kernel against its will: signals (bad address, guard page, division by zero, trap) and the timeout.
//
// The handler runs on a stack of its own, writes down what happened, and returns into the worker's loop instead of
// the kernel: the kernel's stack is abandoned, never unwound. Only threads that run device code are treated so; any
// other fault of the process takes its ordinary course.
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <thread>

#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {

constexpr int kStopSignal = SIGURG;  // ignored by default, so a late one does no harm
struct sigaction old_actions[NSIG];

// Makes the interrupted context continue in the worker's loop; see the layout in switch_stacks.
void leave_kernel(ucontext_t& context, worker& w) {
  auto* sp = static_cast<std::uintptr_t*>(w.queue.main_sp);
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(sp[0]);
  context.uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(sp + 1);
}

void chain(int number, siginfo_t* info, void* context) {
  const struct sigaction& old = old_actions[number];
  if (old.sa_flags & SA_SIGINFO) {
    old.sa_sigaction(number, info, context);
  } else if (old.sa_handler == SIG_DFL) {
    signal(number, SIG_DFL);
    raise(number);
  } else if (old.sa_handler != SIG_IGN) {
    old.sa_handler(number);
  }
}

void note_thread(fault_record& fault, const worker& w) {
  const fiber& f = *w.queue.current;
  fault.block = f.block != nullptr && f.block->active ? f.block->index : -1;
  if (!f.open) {
    fault.thread = f.rank;
  } else if (f.range != nullptr) {
    const launch_state& l = *w.launch;
    const std::int64_t x = as_number(f.range->x), y = as_number(f.range->y), z = as_number(f.range->z);
    if (x >= 0) fault.thread = x + l.block.x * (y + l.block.y * z);
    if (fault.block < 0) fault.block = as_number(f.range->block);
  }
}

void on_fault(int number, siginfo_t* info, void* raw) {
  worker* w = current_worker();
  if (w == nullptr || w->queue.current == nullptr || w->launch == nullptr) {
    chain(number, info, raw);
    return;
  }
  auto& context = *static_cast<ucontext_t*>(raw);
  launch_state& l = *w->launch;
  l.fault_mutex.lock();
  if (l.fault.kind == fault_kind::none) {
    fault_record& fault = l.fault;
    fault.pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
    fault.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    switch (number) {
      case SIGFPE: fault.kind = fault_kind::division_by_zero; break;
      case SIGILL:
      case SIGTRAP: fault.kind = fault_kind::trap; break;
      default: fault.kind = fault_kind::memory;
    }
    if (number == SIGSEGV && w->pool.guard_hit(info->si_addr) != nullptr) {
      fault.kind = fault_kind::stack_overflow;
      fault.stack_bytes = w->pool.stack_bytes();
    }
    note_thread(fault, *w);
  }
  l.fault_mutex.unlock();
  l.aborted = true;
  leave_kernel(context, *w);
}

void on_stop(int, siginfo_t*, void* raw) {
  worker* w = current_worker();
  if (w == nullptr || w->queue.current == nullptr || w->launch == nullptr) return;
  if (!w->launch->aborted.load()) return;
  auto& context = *static_cast<ucontext_t*>(raw);
  fiber& f = *w->queue.current;
  if (f.block != nullptr && f.range != nullptr) {
    launch_state& l = *w->launch;
    if (l.fault_mutex.try_lock()) {
      if (l.fault.kind == fault_kind::timeout && l.fault.pc == 0) {
        l.fault.pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
        note_thread(l.fault, *w);
      }
      l.fault_mutex.unlock();
    }
  }
  leave_kernel(context, *w);
}

// One thread for the life of the process; sleeps unless a launch runs under a timeout.
class watchdog {
 public:
  void watch(launch_state* l, std::vector<std::unique_ptr<worker>>* workers, double seconds) {
    {
      std::lock_guard lock(mutex_);
      launch_ = l;
      workers_ = workers;
      deadline_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                         std::chrono::duration<double>(seconds));
      if (!thread_.joinable()) {
        thread_ = std::thread([this] { loop(); });
        thread_.detach();
      }
    }
    wake_.notify_one();
  }
  void unwatch() {
    std::lock_guard lock(mutex_);
    launch_ = nullptr;
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (launch_ == nullptr) {
        wake_.wait(lock);
        continue;
      }
      if (std::chrono::steady_clock::now() < deadline_) {
        wake_.wait_until(lock, deadline_);
        continue;
      }
      launch_state& l = *launch_;
      {
        std::lock_guard fault(l.fault_mutex);
        if (l.fault.kind == fault_kind::none) {
          l.fault.kind = fault_kind::timeout;
          l.fault.text = "the kernel did not end within the time limit";
        }
      }
      l.aborted = true;
      for (auto& w : *workers_)
        if (const pthread_t thread = w->os_thread.load(); thread != pthread_t{}) pthread_kill(thread, kStopSignal);
      wake_.wait_for(lock, std::chrono::milliseconds(20));  // again until the launch has ended
    }
  }
  std::mutex mutex_;
  std::condition_variable wake_;
  launch_state* launch_ = nullptr;
  std::vector<std::unique_ptr<worker>>* workers_ = nullptr;
  std::chrono::steady_clock::time_point deadline_;
  std::thread thread_;
};
watchdog& the_watchdog() {
  static watchdog* w = new watchdog;
  return *w;
}
std::atomic<bool> watching{false};

}  // namespace

void install_fault_handlers() {
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_fault;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigaction(number, &action, &old_actions[number]);
  action.sa_sigaction = on_stop;
  sigaction(kStopSignal, &action, &old_actions[kStopSignal]);
}

void prepare_thread_for_faults() {
  struct alternate_stack {
    void* base;
    enum : std::size_t { kBytes = 256 * 1024 };
    alternate_stack() {
      base = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      stack_t s = {};
      s.ss_sp = base;
      s.ss_size = kBytes;
      sigaltstack(&s, nullptr);
    }
    ~alternate_stack() {
      stack_t s = {};
      s.ss_flags = SS_DISABLE;
      sigaltstack(&s, nullptr);
      munmap(base, kBytes);
    }
  };
  static thread_local alternate_stack stack;
  (void)stack;
}

void watch_launch(launch_state* l, std::vector<std::unique_ptr<worker>>& workers, double timeout_seconds) {
  if (timeout_seconds <= 0) return;
  watching = true;
  the_watchdog().watch(l, &workers, timeout_seconds);
}

void unwatch_launch() {
  if (!watching) return;
  the_watchdog().unwatch();
  watching = false;
}

}  // namespace simt::sim
