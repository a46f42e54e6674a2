// SPDX-License-Identifier: Apache-2.0
// The carry of additions in several steps, which functions of a device thread hand to each other (inline PTX: add.cc,
// addc). A GPU's thread has it in a register; here it is one of the OS thread, and what takes a thread off its stack
// between two such steps (preempt.cpp, executors/fibers.cpp) puts it back when that thread goes on. Threads that wait
// hand on none.
#pragma once

namespace simt::sim {

bool& carry_flag();

// Keeps the running thread's while others run.
class kept_carry {
 public:
  kept_carry() : carry_(carry_flag()) {}
  ~kept_carry() { carry_flag() = carry_; }
  kept_carry(const kept_carry&) = delete;
  kept_carry& operator=(const kept_carry&) = delete;

 private:
  bool carry_;
};

}  // namespace simt::sim
