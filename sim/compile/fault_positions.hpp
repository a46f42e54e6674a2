// SPDX-License-Identifier: Apache-2.0
// Plain kernels on fibers: a fault names its thread by what the loop over threads has written down
// (sim/exec/executors/thread_loop.hpp, thread_range). Where a kernel makes no call that could read it, the compiler
// leaves those stores out, and so it should: they would keep it from vectorising. But a kernel that divides integers or
// calls itself may end in the middle, and is no vector code.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// At the start of the pipeline: in loops over such kernels the stores are made. Returns whether there was one.
bool keep_fault_positions(llvm::Module& m);

}  // namespace simt::compile
