// SPDX-License-Identifier: Apache-2.0
// Code that is counted runs on fibers by the same body of one thread of which loops are made: a copy of it, in which
// markers are calls of the engine again. So blocks of code, accesses and arithmetic are the same both ways. Its
// accesses are announced where the loops' are, before either is simplified once more (told_accesses.hpp).
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// Notes which function of the engine's a marker stands for. When calls become markers, in code that is counted.
void note_engine_call(llvm::Module& m, const llvm::Function& marker, llvm::Function& engine);

// `marked`: a body with markers of blocks (mark_loop_source). Null: markers stand where no call can be.
llvm::Function* make_thread_body(llvm::Function& marked);

}  // namespace simt::compile
