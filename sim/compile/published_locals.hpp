// SPDX-License-Identifier: Apache-2.0
// Addresses of a thread's own variables that other threads can find. Using such a variable from another thread is a
// defect, which loops cannot see: there all variables of a block lie in one piece of the host's stack.
#pragma once

#include "refusal.hpp"

namespace simt::compile {

// Of a watched kernel in which everything is inlined: on fibers each thread has a stack of its own.
maybe_refused refuse_published_locals(llvm::Function& f);

}  // namespace simt::compile
