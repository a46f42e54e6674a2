// SPDX-License-Identifier: Apache-2.0
// Watched loads of two branches stay two.
//
// LLVM makes one load of two whose values come together (if (c) v = a[i]; else v = a[j];). That one stands at neither
// line, and a finding would name the condition's. Options keep branches and stores from being joined
// (cmake/variants.cmake), but none keeps loads. So each load's value goes through a `freeze`, which stays in front of
// the place where values come together. It is no instruction of the machine.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// In watched functions, when variables are in registers and nothing else is simplified yet. True: something has
// changed.
bool keep_loads_separate(llvm::Module& m);

// In a function that is no longer watched.
void let_loads_join(llvm::Function& f);

}  // namespace simt::compile
