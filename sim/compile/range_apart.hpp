// SPDX-License-Identifier: Apache-2.0
// No kernel stores into the thread_range (sim/exec/fiber.hpp) of the loop that it runs in. The types of its members say
// so of most stores. A byte, and a structure that is copied, might be of any type: the loop would read its bound in
// each turn, and could not be vectorised.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

// The thread_range of the loop over threads that f has; null: it has none.
llvm::AllocaInst* range_of(llvm::Function& f);

// Says so of the accesses of f, once, where f has a thread_range. To be asked when everything has been inlined into f,
// and before loads are moved. Returns whether anything was said.
bool keep_range_apart(llvm::Function& f);

}  // namespace simt::compile
