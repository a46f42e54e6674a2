// SPDX-License-Identifier: Apache-2.0
// The switch from one stack to another, inlined into the code that waits.
//
// A switch behind an out-of-line call ends in a return that the processor's return stack mispredicts, which
// costs as much as the switch itself; inlined, there is no return. Only the stack pointer, the frame pointer
// and rbx are saved by hand: every other register is declared clobbered, so the compiler keeps just what is
// live. The floating-point environment (mxcsr) is not switched: device code must not change it.
//
// Contract: a suspended stack is described by one pointer. switch_stacks(save, load) stores the present one in
// *save and continues the one in *load, which is read afterwards: a stack may be switched to itself. A stack never moves to another OS thread while suspended in the
// middle of device code (thread-local addresses are cached by compilers).
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__)
#error "the simulator runs on x86-64 only (docs/limitations.md)"
#endif

namespace simt::sim {

#if defined(__AVX512F__)
#define SIMT_CLOBBER_AVX512                                                                                  \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define SIMT_CLOBBER_AVX512
#endif

// The 128 bytes below the stack pointer are the red zone of the function that this is inlined into.
[[gnu::always_inline]] inline void switch_stacks(void** save, void* const* load) {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushq %%rbp\n\t"
      "pushq %%rbx\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq (%%rsi), %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n\t"
      "1:\n\t"
      "popq %%rbx\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp\n\t"
      : "+D"(save), "+S"(load)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)" SIMT_CLOBBER_AVX512);
}

// Prepares an unused stack so that the first switch to it calls entry(), which never returns.
inline void* prepare_stack(void* top, void (*entry)()) {
  auto* sp = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{63});
  *--sp = 0;                                         // where a return address would stand: ends backtraces
  *--sp = reinterpret_cast<std::uintptr_t>(entry);   // popped by the switch; entry sees rsp % 16 == 8
  return sp;
}

}  // namespace simt::sim
