// SPDX-License-Identifier: Apache-2.0
// Where a thread of a watched kernel leaves it. clang gives all ways out of a function one place, its closing brace, so
// that a thread that returned before a barrier looks like one that went around it. Kernels with several ways out get a
// call of simt_leaves_kernel (sim/instrument/checked_loops.hpp) on each of them, with the line of the `return`.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

inline constexpr const char* kLeavesKernel = "simt_leaves_kernel";

// To be called before anything is optimised. Kernels are the functions whose address a function annotated
// "simt.kernel_body" stores. True: the module has changed.
bool name_kernel_exits(llvm::Module& m);

}  // namespace simt::compile
