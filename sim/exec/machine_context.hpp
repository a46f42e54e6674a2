// SPDX-License-Identifier: Apache-2.0
// What a signal handler learns of the code that it interrupted, by processor. One that is not here is served too: its
// faults have no line, and no thread is suspended by a signal.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>

#if defined(__x86_64__)
#include <sim/exec/machine_context_x86_64.hpp>
#elif defined(__aarch64__)
#include <sim/exec/machine_context_aarch64.hpp>
#else
namespace simt::sim {
inline std::uintptr_t pc_of(const ucontext_t&) { return 0; }  // in no module
inline std::uintptr_t sp_of(const ucontext_t&) { return 0; }  // in no stack
inline bool is_write(const ucontext_t&) { return false; }
inline bool is_behind_call(std::uintptr_t) { return false; }
inline bool is_misaligned(int number, const siginfo_t& info, const ucontext_t&) {
  return number == SIGBUS && info.si_code == BUS_ADRALN;
}
template <class Piece>
bool each_register(const ucontext_t&, Piece) {
  return false;  // not known
}
}  // namespace simt::sim
#endif
