// SPDX-License-Identifier: Apache-2.0
// Finds out, from the signal handler of a tick, that one thread of instrumented code goes round in a loop for ever: its
// registers and its stack come back, again and again, while it touches no other memory and calls nobody. What it does
// next follows from these alone, so nobody can end the loop. A loop that counts or computes does not come back.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace simt::sim {

struct fiber;

class lone_loop {
 public:
  void forget() { kept_ = next_ = came_back_ = 0; }
  // The thread of f was interrupted, after as many steps (follower::steps). True: it never ends.
  bool is_endless(const ucontext_t& context, const fiber& f, std::uint64_t steps);

 private:
  std::array<std::uint64_t, 128> marks_{};  // of states, in a ring
  std::size_t kept_ = 0, next_ = 0;
  int came_back_ = 0;  // times that the state was one of them
  std::uint64_t steps_ = 0;
  std::int64_t looked_ = 0;  // processor time of this OS thread in nanoseconds
};

}  // namespace simt::sim
