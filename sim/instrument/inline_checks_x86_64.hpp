// SPDX-License-Identifier: Apache-2.0
// The compiler calls __tsan_* for every access and around every function; here the assembler puts the beginning of
// those functions (sim/instrument/tsan_abi.hpp) in the place of the calls. For g++.
//
// A call and its return take four cycles, whatever is between them, and a thread of a short kernel spent more time on
// them than on all else. GNU as looks for macros before it looks for instructions: `call` is one from here on, in what
// the compiler makes of this source file. What it replaces clobbers no more than a call may. A check that fails makes
// the call, and the place that is announced is the one behind it, either way.
//
// SIMT_NO_INLINE_CHECKS leaves the calls as they are.
#pragma once

#if defined(__SANITIZE_THREAD__) && defined(__GNUC__) && !defined(__clang__) && !defined(SIMT_NO_INLINE_CHECKS)
// SIMT_CHECKS_CURSOR: simt::sim::cursor; its members, and those of a batch_entry, by their offsets (static_asserts in
// tsan_runtime.cpp). simt_inline_checks: the macros may come twice (-flto).
#if defined(__PIC__)
#define SIMT_CHECKS_CALLED "@PLT"
#else
#define SIMT_CHECKS_CALLED
#endif
#define SIMT_CHECKS_CURSOR "\tmovq _ZN4simt3sim6cursorE@gottpoff(%rip), %rdx\n"
// The shadow stack's top; the call decides where it is not at hand, or the stack is full.
#define SIMT_CHECKS_TOP         \
  SIMT_CHECKS_CURSOR            \
  "\tmovq %fs:8(%rdx), %rax\n"  \
  "\tcmpq %fs:16(%rdx), %rax\n" \
  "\tje .Lsimt_call\\@\n"
#define SIMT_CHECKS_ELSE_CALL \
  "\tjmp .Lsimt_after\\@\n"   \
  ".Lsimt_call\\@:\n"         \
  "\tcallq \\name\n"          \
  ".Lsimt_after\\@:\n"        \
  "\t.endm\n"
#define SIMT_CHECKS_FOR(name, macro)                         \
  "\t.ifeqs \"\\target\", \"__tsan_" name SIMT_CHECKS_CALLED \
  "\"\n"                                                     \
  "\t" macro " __tsan_" name SIMT_CHECKS_CALLED              \
  "\n"                                                       \
  "\t.exitm\n"                                               \
  "\t.endif\n"
asm("\t.ifndef simt_inline_checks\n"
    "\t.set simt_inline_checks, 1\n"
    // rdi: the address. The batch's next entry says what is expected.
    "\t.macro simt_access name\n"
    SIMT_CHECKS_CURSOR
    "\tmovq %fs:(%rdx), %rax\n"
    "\tleaq .Lsimt_after\\@(%rip), %rcx\n"
    "\tcmpq %rdi, 8(%rax)\n"
    "\tjne .Lsimt_call\\@\n"
    "\tcmpq %rcx, (%rax)\n"
    "\tjne .Lsimt_call\\@\n"
    "\taddq 16(%rax), %rdi\n"
    "\tmovq %rdi, 8(%rax)\n"
    "\taddq $24, %rax\n"
    "\tmovq %rax, %fs:(%rdx)\n"
    SIMT_CHECKS_ELSE_CALL
    // rdi: where the function was called from.
    "\t.macro simt_entry name\n"
    SIMT_CHECKS_TOP
    "\tmovq %rdi, (%rax)\n"
    "\taddq $8, %rax\n"
    "\tmovq %rax, %fs:8(%rdx)\n"
    SIMT_CHECKS_ELSE_CALL
    "\t.macro simt_exit name\n"
    SIMT_CHECKS_TOP
    "\tsubq $8, %rax\n"
    "\tleaq .Lsimt_after\\@(%rip), %rcx\n"
    "\tmovq %rax, %fs:8(%rdx)\n"
    "\tmovq %rcx, %fs:24(%rdx)\n"
    SIMT_CHECKS_ELSE_CALL
    "\t.macro call target:vararg\n"
    SIMT_CHECKS_FOR("read4", "simt_access")
    SIMT_CHECKS_FOR("write4", "simt_access")
    SIMT_CHECKS_FOR("read8", "simt_access")
    SIMT_CHECKS_FOR("write8", "simt_access")
    SIMT_CHECKS_FOR("read16", "simt_access")
    SIMT_CHECKS_FOR("write16", "simt_access")
    SIMT_CHECKS_FOR("func_entry", "simt_entry")
    SIMT_CHECKS_FOR("func_exit", "simt_exit")
    "\tcallq \\target\n"
    "\t.endm\n"
    "\t.endif\n");
#undef SIMT_CHECKS_CALLED
#undef SIMT_CHECKS_CURSOR
#undef SIMT_CHECKS_TOP
#undef SIMT_CHECKS_ELSE_CALL
#undef SIMT_CHECKS_FOR
#endif
