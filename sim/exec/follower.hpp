// SPDX-License-Identifier: Apache-2.0
// What the engine asks of whoever follows the device threads of instrumented code (check variant), about the thread
// that runs on this OS thread. The sim variant has no follower.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

class follower {
 public:
  virtual ~follower() = default;
  // Writes up to `room` code addresses of its calls, innermost first, and gives their number; before them where its
  // last access was, if `last_access`. Called in signal handlers.
  virtual std::size_t active_calls(std::uintptr_t* out, std::size_t room, bool last_access) = 0;
  // Another number whenever it has touched memory, called the engine, or waited for another OS thread. Called in signal
  // handlers.
  virtual std::uint64_t steps() = 0;
  // It is to yield at its next access. Called in signal handlers.
  virtual void ask_for_yield() = 0;
  // The worker gives the launch up, and its threads are about to be forgotten.
  virtual void launch_given_up() = 0;
};

// The follower of this process, or null. Set before the first launch.
follower* current_follower();
void set_follower(follower* f);

}  // namespace simt::sim
