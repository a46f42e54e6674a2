// SPDX-License-Identifier: Apache-2.0
// Loops that only wait for a clock (sim/compile/delay_loops.hpp). All threads of a launch wait at the same time on a
// GPU. So the first one waits here as long as the program says; of each later one in the same loop of the same launch
// as much time as that passes at once, for all clocks of the device.
#include <atomic>
#include <cstdint>

#include <frontends/cuda/headers/simt_cuda/thread.hpp>
#include <backends/sim/frontend.hpp>

namespace simt_cuda {

// One for each loop, zeroed, made by the compiler's plugin.
struct delay_place {
  std::atomic<std::uint64_t> launch;   // launch_state::number
  std::atomic<std::uint64_t> longest;  // ns that a thread of it has waited there
};

// Called at the beginning of each turn. `since`: 0 in the first one, later what the last call gave: when the wait
// began.
long delay_turn(delay_place* place, long since) {
  if (!on_device()) return since;
  const std::uint64_t now = simt::sim::now_ns(), launch = self().context().launch->number;
  const bool known = place->launch.load(std::memory_order_acquire) == launch;
  const std::uint64_t longest = known ? place->longest.load(std::memory_order_relaxed) : 0;
  if (since == 0) {
    // A little more, since the readings that end a wait lie behind the last turn's beginning.
    if (longest != 0) simt::sim::let_time_pass(longest + longest / 8);
    return static_cast<long>(now);
  }
  if (const std::uint64_t waited = now - static_cast<std::uint64_t>(since); waited > longest) {
    place->longest.store(waited, std::memory_order_relaxed);
    if (!known) place->launch.store(launch, std::memory_order_release);
  }
  return since;
}

}  // namespace simt_cuda
