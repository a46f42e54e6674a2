// SPDX-License-Identifier: Apache-2.0
// Where a debugger meets device threads: `simrun debug` (docs/debugging.md).
//
// Kernels that are compiled with SIMT_DEBUG announce each thread before it begins. The one that SIMT_DEBUG_THREAD names
// calls simt_debug_reached, where the debugger has a breakpoint; simt_gdb.py knows the names below. Everything here
// reads the engine's data and nothing else, and is called from the debugger only, while the program is stopped.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace simt::sim {

struct block_context;

struct thread_in_grid {
  std::int64_t block[3], thread[3];
};

// The thread is about to call the kernel, whose code begins at `kernel` (null: not known).
void debug_thread_begins(const block_context& b, const thread_in_grid& who, const void* kernel);

// The first instruction of a function, or of the call of a lambda; null where it has several.
template <class F>
const void* code_of(const F& function) {
  if constexpr (std::is_pointer_v<F>) {
    return reinterpret_cast<const void*>(function);
  } else if constexpr (requires { &F::operator(); }) {
    const auto call = &F::operator();
    const void* code = nullptr;  // the first word of a pointer to a member that is not virtual (Itanium C++ ABI, 2.3)
    std::memcpy(&code, &call, sizeof code);
    return code;
  } else {
    return nullptr;
  }
}

}  // namespace simt::sim

extern "C" {
extern const void* simt_debug_kernel;  // of the thread that has been reached
void simt_debug_reached();
// All threads of the blocks that have begun, a line for each run of neighbours in the same state. Valid until the next
// call.
const char* simt_debug_threads();
const char* simt_debug_thread();  // the one that runs: "thread (3,0,0) of block (1,0,0) of kernel reduce"
// Whether the thread that runs is this one; for conditions of breakpoints.
int simt_debug_is(std::int64_t block_x, std::int64_t block_y, std::int64_t block_z, std::int64_t x, std::int64_t y,
                  std::int64_t z);
}
