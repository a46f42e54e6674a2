// SPDX-License-Identifier: Apache-2.0
// Check variant: indices outside a thread's own arrays. What lies on a thread's stack is not watched, so the compiler
// asks itself: in front of each access of a variable whose place in it is computed, whether that lies within.
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// In device code, again and again: before f has got what it calls, and behind that, before anything is unrolled. An
// access that would lie outside its variable is told to simt_outside_own_array (sim/instrument/own_array_runtime.cpp)
// and is not made; a read gives zero. What LLVM can prove costs nothing. Returns whether it asks anything.
bool guard_own_arrays(llvm::Function& f);

}  // namespace simt::compile
