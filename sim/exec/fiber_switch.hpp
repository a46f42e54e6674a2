// SPDX-License-Identifier: Apache-2.0
// Stacks that are suspended and stacks that have not begun, by Boost.Context (the fcontext calls). The switch itself is
// in run_queue.hpp: who it continues has to write down where the one before was left.
//
// A jump behaves like a call to the compiler, and the processor's return stack mispredicts what comes after it. So it
// stands in the code that waits: there is no further return on the way. The floating-point environment goes with the
// stack. A stack never moves to another OS thread while suspended in the middle of device code (thread-local addresses
// are cached by compilers).
#pragma once

#include <cstddef>

#include <boost/context/detail/fcontext.hpp>

namespace simt::sim {

namespace fcontext = boost::context::detail;

// A suspended stack.
struct stack_context {
  fcontext::fcontext_t sp = nullptr;  // its stack pointer: saved registers and all frames are at and above it
};

// Room at the top of a stack that what runs there must leave alone once it runs: prepare_stack() may be called on the
// very stack that it prepares, and writes there.
inline constexpr std::size_t kStackEntryRoom = 256;

// Prepares an unused stack so that the first jump to it calls entry(), which never returns.
inline stack_context prepare_stack(std::byte* low, std::byte* high, void (*entry)(fcontext::transfer_t)) {
  return {fcontext::make_fcontext(high, static_cast<std::size_t>(high - low), entry)};
}

}  // namespace simt::sim
