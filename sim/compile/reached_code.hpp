// SPDX-License-Identifier: Apache-2.0
// What code can call, by whatever way: a function whose address is taken may be called through it.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace simt::compile {

// The functions that `code` names, and those that they name in turn. through_variables: also by variables that they
// name, as through tables of functions.
llvm::SmallPtrSet<const llvm::Function*, 32> reached_from(llvm::SmallVector<const llvm::Value*> code,
                                                          bool through_variables);

}  // namespace simt::compile
