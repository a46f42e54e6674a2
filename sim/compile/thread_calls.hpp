// SPDX-License-Identifier: Apache-2.0
// Kernels of CUDA source that wait: on fibers they run by a call for each thread, from one loop over threads that the
// runtime has (simt_cuda::run_thread_calls), instead of a loop of their own each. That loop would be for the
// vectoriser, which has nothing to do where threads wait, and took half of the time that such a kernel took to compile.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "loop_bodies.hpp"

namespace simt::compile {

// Replaces simt_cuda::kernel_waits(&body) by what is true of the kernel of that loop_body, and drops the code that is
// not reached then. Before prepare(). Says whether anything was replaced.
bool choose_thread_calls(llvm::Module& m, const std::vector<loop_source>& sources);

}  // namespace simt::compile
