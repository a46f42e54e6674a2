// SPDX-License-Identifier: Apache-2.0
// See machine_context.hpp, which includes this. What kind of access failed is in the syndrome register, which Linux
// hands over as a record among the extra ones of the context (Arm ARM, ESR_EL1; Linux, asm/sigcontext.h).
#pragma once

#include <asm/sigcontext.h>
#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace simt::sim {

inline std::uintptr_t pc_of(const ucontext_t& c) { return c.uc_mcontext.pc; }
inline std::uintptr_t sp_of(const ucontext_t& c) { return c.uc_mcontext.sp; }

// 0: there is none.
inline std::uint64_t syndrome_of(const ucontext_t& c) {
  const auto* at = reinterpret_cast<const unsigned char*>(c.uc_mcontext.__reserved);
  const auto* const end = at + sizeof c.uc_mcontext.__reserved;
  while (at + sizeof(_aarch64_ctx) <= end) {
    const auto& head = *reinterpret_cast<const _aarch64_ctx*>(at);
    if (head.magic == ESR_MAGIC) return reinterpret_cast<const esr_context*>(at)->esr;
    if (head.magic == 0 || head.size == 0) break;
    at += head.size;
  }
  return 0;
}

// Hands over the registers, as pieces of memory: what the interrupted code does next follows from them and from memory.
template <class Piece>
bool each_register(const ucontext_t& c, Piece piece) {
  const mcontext_t& m = c.uc_mcontext;
  piece(&m.regs, sizeof m.regs);
  const std::uint64_t others[] = {m.sp, m.pc, m.pstate};
  piece(others, sizeof others);
  const auto* at = reinterpret_cast<const unsigned char*>(m.__reserved);
  const auto* const end = at + sizeof m.__reserved;
  while (at + sizeof(_aarch64_ctx) <= end) {
    const auto& head = *reinterpret_cast<const _aarch64_ctx*>(at);
    if (head.magic == 0 || head.size == 0) break;
    if (head.magic == EXTRA_MAGIC) return false;  // more of them elsewhere
    if (head.magic != ESR_MAGIC) piece(at, head.size);
    at += head.size;
  }
  return true;
}

inline bool is_write(const ucontext_t& c) {
  constexpr std::uint64_t kClassShift = 26, kDataAbortBelow = 0x24, kDataAbortSame = 0x25, kWrite = 1u << 6;
  const std::uint64_t syndrome = syndrome_of(c), kind = syndrome >> kClassShift & 0x3f;
  return (kind == kDataAbortBelow || kind == kDataAbortSame) && (syndrome & kWrite) != 0;
}
inline bool is_misaligned(int number, const siginfo_t& info, const ucontext_t&) {
  return number == SIGBUS && info.si_code == BUS_ADRALN;
}

// Whether a call stands in front of an address of readable code, as in front of every return address.
inline bool is_behind_call(std::uintptr_t address) {
  if (address % 4 != 0) return false;
  const std::uint32_t code = *reinterpret_cast<const std::uint32_t*>(address - 4);
  return (code & 0xfc000000U) == 0x94000000U || (code & 0xfffffc1fU) == 0xd63f0000U;  // BL, BLR
}

}  // namespace simt::sim
