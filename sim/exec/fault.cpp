// SPDX-License-Identifier: Apache-2.0
// What ends a kernel against its will: signals for a bad address, the guard page, division by zero, a trap.
//
// The handler runs on a stack of its own, writes down what happened, and jumps into the worker's loop instead of
// returning to the kernel: the kernel's stack is abandoned, never unwound. Only threads that run device code are
// treated so; any other fault of the process takes its ordinary course.
#include <signal.h>
#include <sys/mman.h>

#include <sim/exec/follower.hpp>
#include <sim/exec/machine_context.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {

struct sigaction old_actions[NSIG];

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

void on_fault(int number, siginfo_t* info, void* raw) {
  worker* w = current_worker();
  if (w == nullptr || w->queue.current == nullptr || w->launch == nullptr) {
    chain(number, info, raw);
    return;
  }
  const auto& context = *static_cast<const ucontext_t*>(raw);
  launch_state& l = *w->launch;
  l.fault_mutex.lock();
  if (l.fault.kind == fault_kind::none) {
    fault_record& fault = l.fault;
    // As a return address, or the line before would be named where the instruction is its line's first.
    if (const std::uintptr_t pc = pc_of(context); pc != 0) fault.pc = pc + 1;
    fault.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    fault.write = is_write(context);
    switch (number) {
      case SIGFPE:
        fault.kind = fault_kind::division_by_zero;
        break;
      case SIGILL:
      case SIGTRAP:
        fault.kind = fault_kind::instruction;
        break;
      default:
        fault.kind = is_misaligned(number, *info, context) ? fault_kind::misaligned : fault_kind::memory;
    }
    if (number == SIGSEGV && w->pool.guard_hit(info->si_addr) != nullptr) {
      fault.kind = fault_kind::stack_overflow;
      fault.limit = static_cast<std::int64_t>(w->pool.stack_bytes());
    }
    note_thread(fault, *w, false);
  }
  l.fault_mutex.unlock();
  l.aborted = true;
  leave_kernel(context, *w);
}

}  // namespace

void leave_kernel(const ucontext_t& context, worker& w) {
  w.busy = true;  // from here on no other handler does the same
  handler_fence();
  pthread_sigmask(SIG_SETMASK, &context.uc_sigmask, nullptr);  // as a return from the handler would
  leave_stack_for(w.queue, &w.queue.main);
}

void note_thread(fault_record& fault, const worker& w, bool shown) {
  const fiber& f = *w.queue.current;
  if (follower* const who = current_follower())
    fault.caller_count = who->active_calls(fault.callers, fault_record::kMaxCallers, true);
  const launch_state& l = *w.launch;
  if (f.thread.block == nullptr) return;
  fault.block = f.thread.block->active ? f.thread.block->index : f.block_now;
  if (fault.block < 0 && f.range != nullptr) fault.block = as_number(f.range->block);
  if ((l.wide_blocks || l.beside > 0) && !shown) {  // one of the blocks that run as one, or side by side
    fault.block = -1;
  } else if (f.thread.has_stack) {
    fault.thread = f.thread.rank;
  } else if (f.alone >= 0) {
    fault.thread = f.alone;
  } else if (f.range != nullptr && (l.traits.instrumented || shown)) {
    const std::int64_t x = as_number(f.range->x), y = as_number(f.range->y), z = as_number(f.range->z);
    if (x >= 0 && y >= 0 && z >= 0) {
      fault.thread = x % l.block.x + l.block.x * (y + l.block.y * z);
      fault.block += x / l.block.x;  // one of several that run as one
    }
  } else if (l.block.volume() == 1) {
    fault.thread = 0;
  } else if (l.block.x == 1 && f.block_now >= 0) {
    fault.thread = f.row;
  }
}

void install_fault_handlers() {
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_fault;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigaction(number, &action, &old_actions[number]);
  // On the interrupted stack, because the handler may suspend it.
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  action.sa_sigaction = on_tick;
  sigaction(kTickSignal, &action, nullptr);
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

}  // namespace simt::sim
