// SPDX-License-Identifier: Apache-2.0
// What is the same in the bodies of all launches, of kernels of the API and of CUDA source: the way through the threads
// of one stack, and what happens when one of them throws. The caller says how a thread is run.
#pragma once

#include <exception>

#include <sim/exec/executors/thread_loop.hpp>
#include <sim/exec/launch.hpp>
#if defined(SIMT_DEBUG)
#include <sim/exec/debug_stop.hpp>
#endif
#if defined(SIMT_VARIANT_CHECK)
#include <backends/sim/batch_threads.hpp>
#include <sim/instrument/checked_loops.hpp>
#endif

#if defined(SIMT_PROFILE)
// Asks the compiler's plugin for a marker in each basic block (sim/compile/markers.hpp).
extern "C" {
[[gnu::used]] inline constexpr char simt_profile_wanted = 1;
void simt_code_has_markers();
}
[[maybe_unused]] static const bool simt_said_so = (simt_code_has_markers(), true);
#endif

// Inlines all that a function calls, but not into code that a person steps through.
#if defined(SIMT_DEBUG)
#define SIMT_FLATTEN
#else
#define SIMT_FLATTEN [[gnu::flatten]]
#endif

namespace simt::sim {

// The running thread of `self` threw: records it.
void note_exception(block_context& b, fiber& self, const char* what);

// In a handler: records what was thrown. Out of line: loops over threads hold no more than the call.
[[gnu::noinline, gnu::cold]] inline void note_thrown(block_context& b, fiber& self) {
  try {
    throw;
  } catch (const std::exception& e) {
    note_exception(b, self, e.what());
  } catch (...) {
    note_exception(b, self, "an object that is no std::exception");
  }
}

#if defined(SIMT_VARIANT_CHECK)

// run(walk) runs the thread that the walk has come to, and those that follow it without an event.
template <class Run>
SIMT_UNWATCHED void walk_threads(block_context& b, fiber& self, const Run& run) {
  checked_thread_loop walk(b, self);
  try {
    while (walk.next()) run(walk);
    return;
  } catch (...) {
    walk.leave();
    note_thrown(b, self);
  }
  leave_launch(b);  // outside the handler: the stack is abandoned, the exception must be over
}

#else

// loop_over_threads and loop_over_elements, with what happens when the kernel throws. The handler stands in each of
// them, not once around a lambda: the kernel's parameters, captured twice, would lie in memory that every barrier
// touches (tiled matmul: a tenth slower, tests/bench).
template <class Call>
[[gnu::always_inline]] inline void run_over_threads(block_context& b, fiber& self, const Call& call) {
  try {
    loop_over_threads(b, self, call);
    return;
  } catch (...) {
    note_thrown(b, self);  // here: which thread runs is known while the loop's variables are
  }
  leave_launch(b);  // outside the handler: the stack is abandoned, the exception must be over
}
template <class Call>
[[gnu::always_inline]] inline void run_over_elements(block_context& b, fiber& self, std::int64_t n, const Call& call) {
  try {
    loop_over_elements(b, self, n, call);
    return;
  } catch (...) {
    note_thrown(b, self);
  }
  leave_launch(b);
}

#endif

}  // namespace simt::sim
