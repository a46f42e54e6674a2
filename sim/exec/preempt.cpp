// SPDX-License-Identifier: Apache-2.0
// Suspends, from a signal handler, a thread that runs on and on without a call to the engine: it may spin on a
// volatile, and what it waits for may need this OS thread. Sim variant; under check every volatile access is a call.
//
// The handler runs on the stack of the thread that it interrupts. To suspend is to queue that stack and to switch to
// the worker's loop inside the handler; when the stack is switched to again, the handler returns and the thread goes
// on. A stack that still owns a range of threads keeps it ("parked"): which of them runs is in registers that only the
// compiler knows, so the rest cannot be given to another stack. Blocks behind the present one are given back.
//
// Instrumented threads (check) are asked to yield instead, at their next access: what spins on a plain variable is a
// race that can only be seen when the other side has run. They also leave a launch that is lost there, for the signal
// may have come while the detector worked for them, and what it holds then nobody would give back. Only a thread that
// makes no access any more is taken off its stack, and not out of malloc, as long as there is hope that it returns.
//
// Suspended is only what is provably outside the engine: interrupted in the kernel's own module (not in malloc or
// printf, who may hold locks), not while `busy`, and not while `between` (the hot paths that are inlined into kernels).
#include <algorithm>
#include <cerrno>

#include <sim/exec/carry_flag.hpp>
#include <sim/exec/follower.hpp>
#include <sim/exec/machine_context.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {

constexpr std::ptrdiff_t kRoomForHandlers = 16 * 1024;  // a signal frame with AVX-512 registers, and calls
// Instrumented code is never suspended: a thread that has run alone for so many ticks is asked to yield. Later ticks of
// such a launch are shorter.
constexpr int kPatience = 30;
constexpr int kMostPatience = 3000;  // with a thread outside the kernel's module

bool on_stack(const fiber& f, std::uintptr_t sp) {
  return sp >= reinterpret_cast<std::uintptr_t>(f.stack_low) && sp < reinterpret_cast<std::uintptr_t>(f.stack_high);
}

bool in_module(const worker& w, std::uintptr_t pc) {
  const address_span& code = w.launch->code;
  return pc - code.first < code.end - code.first;
}

// Device code runs, and no part of the engine that must be finished. The worker's loop can be continued.
bool in_kernel(const worker& w, std::uintptr_t pc, std::uintptr_t sp) {
  return !w.busy && w.queue.main.sp != nullptr && on_stack(*w.queue.current, sp) &&
         (!w.launch->traits.preemptible() || in_module(w, pc));
}

// Where the innermost functions of a stack return to: a thread that goes round over a barrier is mostly in functions of
// ours, which have no line of the kernel's. Their frames are small, and the kernel's is the next one.
void note_returns(fault_record& fault, const worker& w, const fiber& f, std::uintptr_t sp) {
  constexpr std::size_t kWords = 40, kMostReturns = 3;
  const auto* at = reinterpret_cast<const std::uintptr_t*>(sp);
  const auto* const end = std::min(at + kWords, reinterpret_cast<const std::uintptr_t*>(f.stack_high));
  constexpr std::uintptr_t kLongestCall = 8;  // bytes that are looked at in front of an address
  for (; at < end && fault.caller_count < kMostReturns; ++at)
    if (*at > w.launch->code.first + kLongestCall && in_module(w, *at) && is_behind_call(*at))
      fault.callers[fault.caller_count++] = *at;
}

// Instrumented code, of a launch that is lost, is still asked to leave at its next access.
bool may_leave_by_itself(worker& w, std::uintptr_t pc) {
  return !w.launch->traits.preemptible() && current_follower() != nullptr &&
         ++w.ticks_lost < (in_module(w, pc) ? kPatience : kMostPatience);
}

bool may_park(const worker& w, std::uintptr_t pc, std::uintptr_t sp) {
  const fiber& f = *w.queue.current;
  if (!in_kernel(w, pc, sp) || w.queue.between || f.block_now < 0 || f.block_now >= w.launch->blocks ||
      f.thread.waits != wait_kind::none || w.launch->rows_of_blocks)  // several blocks are half done
    return false;
  if (!f.thread.has_stack && f.fresh_block && f.block_now >= f.block_limit) return false;
  return static_cast<std::ptrdiff_t>(sp - reinterpret_cast<std::uintptr_t>(f.stack_low)) >= kRoomForHandlers;
}

void set_blocked(int how) {
  sigset_t tick;
  sigemptyset(&tick);
  sigaddset(&tick, kTickSignal);
  pthread_sigmask(how, &tick, nullptr);
}

void park(worker& w, std::uintptr_t pc) {
  w.busy = true;
  handler_fence();
  fiber& f = *w.queue.current;
  block_context& b = *f.thread.block;
  launch_state& l = *w.launch;
  if (f.fresh_block) f.block_limit = f.block_now + 1;
  w.fibers.make_resident(b, f, b.active ? b.index : f.block_now);
  f.thread.waits = wait_kind::spin;
  f.thread.wait_pc = pc + 1;  // as a return address
  f.parked = true;
  w.hangs.had_to_give_way(f);
  w.wants_block = true;
  w.tick = {};
  l.spins.store(true, std::memory_order_relaxed);
  l.parks.fetch_add(1, std::memory_order_relaxed);
  w.queue.ready.push_back(&f);
  begin_step(w.queue);
  w.busy = false;
  // Other stacks run meanwhile and must hear the signal; this one must not, or frames of handlers pile up on it.
  const kept_carry carry;
  set_blocked(SIG_UNBLOCK);
  switch_to_worker(w.queue);
  set_blocked(SIG_BLOCK);
  f.thread.waits = wait_kind::none;
  f.thread.wait_pc = 0;
}

// The thread that runs never ends; later ticks take it off its stack.
void end_as_endless(worker& w, std::uintptr_t pc) {
  launch_state& l = *w.launch;
  if (!l.fault_mutex.try_lock()) return;  // the next tick comes soon
  if (l.fault.kind == fault_kind::none) {
    l.fault.kind = fault_kind::endless;
    l.fault.pc = pc + 1;  // as a return address
    note_thread(l.fault, w, false);
  }
  l.fault_mutex.unlock();
  l.aborted = true;
}

}  // namespace

void on_tick(int, siginfo_t*, void* raw) {
  worker* const w = current_worker();
  if (w == nullptr || w->queue.current == nullptr || w->launch == nullptr) return;
  const auto& context = *static_cast<const ucontext_t*>(raw);
  const std::uintptr_t pc = pc_of(context), sp = sp_of(context);
  launch_state& l = *w->launch;
  fiber& f = *w->queue.current;
  if (l.aborted.load()) {
    if (f.thread.block == nullptr || !in_kernel(*w, pc, sp)) return;  // the next tick comes soon
    if (l.fault_mutex.try_lock()) {
      if (l.fault.kind == fault_kind::timeout && l.fault.pc == 0) {
        l.fault.pc = pc + 1;
        note_thread(l.fault, *w, false);
        if (l.traits.preemptible() && sp % sizeof(sp) == 0) note_returns(l.fault, *w, f, sp);
      }
      l.fault_mutex.unlock();
    }
    if (may_leave_by_itself(*w, pc)) return current_follower()->ask_for_yield();
    leave_kernel(context, *w);
  }
  if (f.thread.block == nullptr || f.as_loops) return;  // loops wait for nobody: see executors/loops.hpp
  const worker::tick_record now{&f,
                                f.block_now,
                                f.thread.rank,
                                f.row,
                                f.range != nullptr ? as_number(f.range->x) : -1,
                                f.thread.block->barrier.phase};
  if (!l.traits.preemptible()) {
    w->ticks_alike = now == w->tick ? w->ticks_alike + 1 : 0;
    w->tick = now;
    if (++w->ticks > kPatience) w->loops_over_barriers.wanted = barrier_loops::kLooks;
    follower* const who = current_follower();
    if (w->ticks_alike == 0) w->alone.forget();
    if (who != nullptr && in_kernel(*w, pc, sp) && in_module(*w, pc) && w->alone.is_endless(context, f, who->steps()))
      return end_as_endless(*w, pc);
    if (w->ticks_alike < kPatience || w->busy || current_follower() == nullptr) return;
    w->ticks_alike = 0;
    l.parks.fetch_add(1, std::memory_order_relaxed);
    current_follower()->ask_for_yield();
    return;
  }
  const bool as_before = now == w->tick || f.parked;
  w->tick = now;
  if (!as_before || !may_park(*w, pc, sp)) return;
  const int saved_errno = errno;
  park(*w, pc);
  errno = saved_errno;
}

}  // namespace simt::sim
