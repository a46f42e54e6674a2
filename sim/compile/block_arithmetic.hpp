// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a basic block as nvcc makes it by default, for code that is counted: additions, multiplications and
// fused multiply-adds of float and double, by source line. It goes into a variable of the module beside the block's
// marker; sim/instrument/block_arithmetic.hpp reads it.
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

namespace simt::compile {

// A pointer to the variable; null where the block has no arithmetic. `dominators`: of the block's function.
llvm::Constant* arithmetic_of(const llvm::BasicBlock& bb, const llvm::DominatorTree& dominators, llvm::Module& m);

}  // namespace simt::compile
