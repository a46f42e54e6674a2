// SPDX-License-Identifier: Apache-2.0
// What a launch may do and how it may be run, by name. Settled before a launch begins and fixed while it
// runs; the engine asks these and derives nothing from a pointer that is null.
#pragma once

#include <cstdint>

namespace simt::sim {

// In the order of kScheduleNames (simt/module.hpp).
enum class schedule : std::uint8_t { natural, lockstep, reverse, random, pct, explore };

struct launch_traits {
  // The kernel's code announces its own accesses (check variant). Each is a place where the thread can be asked to
  // yield; but it may be in the middle of the runtime that it calls, so it is never suspended by force, and a stack
  // that goes on with another block goes on inside the loop over threads, whose calls stay on its shadow call stack.
  bool instrumented = false;
  // Somebody listens to the engine's events (observer.hpp), and is told of one block after another on each stack.
  bool observed = false;
  // Every block is resident at once, so that a thread may wait for any other of the grid (CUDA: cooperative launch).
  // One worker must be able to hold them all: nothing says how many workers the system really runs at a time.
  bool co_resident = false;
  // Blocks of a cluster share their shared memory and their barrier: they start together, on one worker.
  bool clustered = false;
  // Not the natural schedule (sim/exec/scheduler): a run can be repeated, so it has one worker, which takes block by
  // block.
  bool scheduled = false;
  // Each thread runs in a loop of its own (fiber::alone), so that a fault's thread is known: plain code only, for code
  // that is instrumented says who runs.
  bool one_by_one = false;
  // The scheduler is asked at accesses who goes on.
  bool switches_at_accesses = false;
  // The scheduler may rest: it is not asked meanwhile, and blocks that begin then run as loops where they can.
  bool rests = false;
  // Blocks, and the threads of a block, begin by falling number.
  bool begins_backwards = false;

  // A thread may be suspended by a signal wherever it is (preempt.cpp): code that calls nothing has no other place.
  bool preemptible() const { return !instrumented; }
  // Nobody can tell in which order blocks come, or which worker takes which.
  bool any_block_order() const { return !scheduled && !co_resident && !clustered; }
  // Stacks of a block that has ended go on with the next block (executors/fibers.hpp).
  bool teams() const { return any_block_order(); }
  // One stack goes through as many blocks as it can in one loop: no call between two blocks. An observer is told where
  // each begins, so there a stack runs one.
  bool stacks_walk_blocks() const { return !instrumented && !observed && !clustered && !one_by_one; }
};

}  // namespace simt::sim
