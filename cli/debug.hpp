// SPDX-License-Identifier: Apache-2.0
// What simrun debug does for programs of modules and of CUDA source alike.
#pragma once

#include <string>
#include <vector>

#include "run_options.hpp"

namespace simt::cli {

// One worker and fibers, and stacks for code that is not optimised.
void settle_for_debugger(run_options& o);

// Becomes gdb, which runs the program up to the thread that the options name. Comes back only with an exit code, where
// there is no gdb; that has been said then.
int start_debugger(const run_options& o, const std::vector<std::string>& program);

// For a CUDA source: builds it for debugging, and starts the debugger.
int debug_cuda_source(const std::vector<std::string>& arguments);

}  // namespace simt::cli
