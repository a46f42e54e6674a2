// SPDX-License-Identifier: Apache-2.0
// What ends a kernel against its will: signals for a bad address, the guard page, division by zero, a trap.
//
// The handler runs on a stack of its own, writes down what happened, and returns into the worker's loop instead of
// the kernel: the kernel's stack is abandoned, never unwound. Only threads that run device code are treated so; any
// other fault of the process takes its ordinary course.
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <sim/exec/follower.hpp>
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

// Is it an SSE or AVX move that wants an aligned address? (Intel SDM, volume 2: MOVAPS, MOVAPD, MOVDQA, MOVNT*, with
// their VEX and EVEX forms.) With a general protection fault, which tells no address, that is what was wrong: a wild
// pointer is a page fault unless its top bits are odd.
bool wants_alignment(const unsigned char* at) {
  bool wide = false;  // the 66 prefix, or its place in VEX and EVEX
  if (*at == 0xc5) {
    wide = (at[1] & 3) == 1;
    at += 2;
  } else if (*at == 0xc4 || *at == 0x62) {
    wide = (at[2] & 3) == 1;
    at += *at == 0x62 ? 4 : 3;
  } else {
    if (*at == 0x66) wide = true, ++at;
    if ((*at & 0xf0) == 0x40) ++at;  // REX
    if (*at++ != 0x0f) return false;
  }
  switch (*at) {
    case 0x28:
    case 0x29:
    case 0x2b:
      return true;
    case 0x6f:
    case 0x7f:
    case 0xe7:
      return wide;
    default:
      return false;
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
    constexpr greg_t kPageFault = 14, kWrite = 2;
    fault.write =
        context.uc_mcontext.gregs[REG_TRAPNO] == kPageFault && (context.uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
    switch (number) {
      case SIGFPE:
        fault.kind = fault_kind::division_by_zero;
        break;
      case SIGILL:
      case SIGTRAP:
        fault.kind = fault_kind::instruction;
        break;
      default:
        constexpr greg_t kGeneralProtection = 13;
        fault.kind = number == SIGSEGV && context.uc_mcontext.gregs[REG_TRAPNO] == kGeneralProtection &&
                             wants_alignment(reinterpret_cast<const unsigned char*>(fault.pc))
                         ? fault_kind::misaligned
                         : fault_kind::memory;
    }
    if (number == SIGSEGV && w->pool.guard_hit(info->si_addr) != nullptr) {
      fault.kind = fault_kind::stack_overflow;
      fault.limit = static_cast<std::int64_t>(w->pool.stack_bytes());
    }
    note_thread(fault, *w);
  }
  l.fault_mutex.unlock();
  l.aborted = true;
  leave_kernel(context, *w);
}

}  // namespace

void leave_kernel(ucontext_t& context, worker& w) {
  const stack_context& to = w.queue.main;
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(to.pc);
  context.uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(to.sp);
  context.uc_mcontext.gregs[REG_RBP] = reinterpret_cast<greg_t>(to.frame);
  context.uc_mcontext.gregs[REG_RBX] = reinterpret_cast<greg_t>(to.rbx);
}

void note_thread(fault_record& fault, const worker& w) {
  const fiber& f = *w.queue.current;
  if (follower* const who = current_follower())
    fault.caller_count = who->active_calls(fault.callers, fault_record::kMaxCallers, true);
  const launch_state& l = *w.launch;
  if (f.thread.block == nullptr) return;
  fault.block = f.thread.block->active ? f.thread.block->index : f.block_now;
  if (fault.block < 0 && f.range != nullptr) fault.block = as_number(f.range->block);
  if (f.thread.has_stack) {
    fault.thread = f.thread.rank;
  } else if (f.range != nullptr) {
    std::int64_t x = as_number(f.range->x);
    const std::int64_t y = as_number(f.range->y), z = as_number(f.range->z);
    if (l.wide_blocks && x >= 0) {
      fault.block += x / l.block.x;
      x %= l.block.x;
    }
    if (x >= 0) fault.thread = x + l.block.x * (y + l.block.y * z);
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
