// SPDX-License-Identifier: Apache-2.0
// Code that is counted: what clang moves as a whole (a copy of a structure, several members as one number) becomes
// loads and stores as wide as the alignments allow, up to 16 bytes.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace simt::compile {

// At the beginning of the pipeline: a structure that is copied to or from a variable of the thread is copied member by
// member, as nvcc does, without the gaps between them. From memory to memory both copy by the alignment.
bool copy_variables_by_members(llvm::Module& m);
void take_apart_copies(llvm::Function& f);

}  // namespace simt::compile
