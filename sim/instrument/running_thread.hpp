// SPDX-License-Identifier: Apache-2.0
// What compiled kernels of the check variant know of the runtime: the loop over threads (start_launch.hpp) and the
// first steps of an access (inline_checks.hpp), which are too short for a call.
#pragma once

#include <cstdint>

#include <sim/instrument/batch_bounds.hpp>

namespace simt::sim {

struct watched_thread;

// The beginning of access_cursor.
struct running_thread {
  batch_entry* next;  // what the next access is compared with
  // The top of the shadow stack and where that is full; both null until the running thread enters or leaves a function
  // (take_calls), then ahead of what stands in the stack.
  std::uintptr_t *top = nullptr, *top_end = nullptr;
  std::uintptr_t exit_pc = 0;        // where the last function was left
  watched_thread* thread = nullptr;  // null on the host, and where nobody watches
  // thread_exits::count of the threads that leave here; null: not known yet, or the next thread of a batch is not one
  // further in x.
  std::int32_t* leaving = nullptr;
  const batch_bounds* batch = nullptr;  // of this OS thread's recorder
  std::uintptr_t left_from = 0;  // where a kernel that says so was left last (simt_leaves_kernel); 0: see exit_pc
};

}  // namespace simt::sim
