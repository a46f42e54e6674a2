// SPDX-License-Identifier: Apache-2.0
// Code that is counted: a load whose value is used on one side of a branch only is made on that side, as nvcc makes it.
// clang does so itself where the use stands right behind the branch. Where a structure is copied whole, a question
// whether its address suits (aligned_copies.hpp) stands between.
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

void sink_loads(llvm::Function& f);

}  // namespace simt::compile
