// SPDX-License-Identifier: Apache-2.0
// See machine_context.hpp, which includes this.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>

namespace simt::sim {

inline std::uintptr_t pc_of(const ucontext_t& c) { return static_cast<std::uintptr_t>(c.uc_mcontext.gregs[REG_RIP]); }
inline std::uintptr_t sp_of(const ucontext_t& c) { return static_cast<std::uintptr_t>(c.uc_mcontext.gregs[REG_RSP]); }

inline bool is_write(const ucontext_t& c) {
  constexpr greg_t kPageFault = 14, kWrite = 2;
  return c.uc_mcontext.gregs[REG_TRAPNO] == kPageFault && (c.uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
}

// Hands over the registers, as pieces of memory: what the interrupted code does next follows from them and from memory.
// Of the extended state (Linux, asm/sigcontext.h) all but the words about the frame itself.
template <class Piece>
bool each_register(const ucontext_t& c, Piece piece) {
  const mcontext_t& m = c.uc_mcontext;
  piece(m.gregs, sizeof m.gregs[0] * (REG_EFL + 1));  // the rest is of the last fault
  if (m.fpregs == nullptr) return false;
  constexpr std::size_t kLegacy = 512, kOfFrame = 464;
  const auto* const state = reinterpret_cast<const char*>(m.fpregs);
  piece(state, kOfFrame);
  struct {
    std::uint32_t magic, with_magic;
    std::uint64_t features;
    std::uint32_t bytes;
  } frame;
  std::memcpy(&frame, state + kOfFrame, sizeof frame);
  constexpr std::uint32_t kExtended = 0x46505853;
  if (frame.magic == kExtended && frame.bytes > kLegacy) piece(state + kLegacy, frame.bytes - kLegacy);
  return true;
}

// Is it an SSE or AVX move that wants an aligned address? (Intel SDM, volume 2: MOVAPS, MOVAPD, MOVDQA, MOVNT*, with
// their VEX and EVEX forms.) With a general protection fault, which tells no address, that is what was wrong: a wild
// pointer is a page fault unless its top bits are odd.
inline bool wants_alignment(const unsigned char* at) {
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

inline bool is_misaligned(int number, const siginfo_t&, const ucontext_t& c) {
  constexpr greg_t kGeneralProtection = 13;
  return number == SIGSEGV && c.uc_mcontext.gregs[REG_TRAPNO] == kGeneralProtection &&
         wants_alignment(reinterpret_cast<const unsigned char*>(pc_of(c)));
}

// Whether a call stands in front of an address of readable code, as in front of every return address.
inline bool is_behind_call(std::uintptr_t address) {
  const auto* const at = reinterpret_cast<const unsigned char*>(address);
  const auto by_register = [](const unsigned char* code) { return code[0] == 0xff && (code[1] & 0xf8) == 0xd0; };
  return at[-5] == 0xe8 || by_register(at - 2);
}

}  // namespace simt::sim
