// SPDX-License-Identifier: Apache-2.0
// The switch from one stack to another, inlined into the code that waits.
//
// A switch behind an out-of-line call ends in a return that the processor's return stack mispredicts, which
// costs as much as the switch itself; inlined, there is no return. Only the stack pointer, the frame pointer, rbx and
// the address to go on at are saved by hand, beside whatever the waiting code has in its hands (the fiber), not on the
// stack: no further cache line, and four loads that do not wait for each other. Every other register is declared
// clobbered, so the compiler keeps just what is live. The floating-point environment (mxcsr) is not switched: device
// code must not change it.
//
// Contract: switch_stacks(save, load) stores the present stack in *save and continues the one in *load, which is read
// afterwards: a stack may be switched to itself. The stack pointer is loaded last: from then on a signal handler takes
// the new stack for one that runs, and may suspend it, which writes *load (exec/preempt.cpp). A stack never moves to
// another OS thread while suspended in the middle of device code (thread-local addresses are cached by compilers). A
// suspended function may keep data in the kStackRedZone bytes below its stack pointer.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__)
#error "the simulator runs on x86-64 only (docs/limitations.md)"
#endif

namespace simt::sim {

#if defined(__AVX512F__)
#define SIMT_CLOBBER_AVX512                                                                                     \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define SIMT_CLOBBER_AVX512
#endif

inline constexpr std::size_t kStackRedZone = 128;  // System V ABI, x86-64

// A suspended stack.
struct stack_context {
  void* sp = nullptr;
  void* frame = nullptr;
  void* rbx = nullptr;
  void* pc = nullptr;
};

[[gnu::always_inline]] inline void switch_stacks(stack_context* save, const stack_context* load) {
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rbp, 8(%%rdi)\n\t"
      "movq %%rbx, 16(%%rdi)\n\t"
      "movq %%rax, 24(%%rdi)\n\t"
      "movq 8(%%rsi), %%rbp\n\t"
      "movq 16(%%rsi), %%rbx\n\t"
      "movq 24(%%rsi), %%rax\n\t"
      "movq (%%rsi), %%rsp\n\t"
      "jmpq *%%rax\n\t"
      "1:\n\t"
      : "+D"(save), "+S"(load)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)" SIMT_CLOBBER_AVX512);
}

// Continues the stack in *load and forgets the present one.
[[noreturn, gnu::always_inline]] inline void leave_stack_for(const stack_context* load) {
  asm volatile(
      "movq 8(%0), %%rbp\n\t"
      "movq 16(%0), %%rbx\n\t"
      "movq 24(%0), %%rax\n\t"
      "movq (%0), %%rsp\n\t"
      "jmpq *%%rax\n\t"
      :
      : "S"(load)
      : "rax", "memory");
  __builtin_unreachable();
}

// Prepares an unused stack so that the first switch to it calls entry(), which never returns.
inline stack_context prepare_stack(void* top, void (*entry)()) {
  auto* sp = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{63});
  *--sp = 0;  // where a return address would stand: ends backtraces; entry sees rsp % 16 == 8
  return {sp, nullptr, nullptr, reinterpret_cast<void*>(entry)};
}

}  // namespace simt::sim
