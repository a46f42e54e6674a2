// SPDX-License-Identifier: Apache-2.0
// Copies of blocks, by which a way through a kernel is there twice.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace simt::compile {

// At f's end, in the order of the blocks, named as these with `suffix` behind. What the copies use is as `map` has it,
// which the caller may have filled with more and which leads from each block and value to its copy afterwards.
llvm::SmallVector<llvm::BasicBlock*> copy_blocks(llvm::ArrayRef<llvm::BasicBlock*> blocks, llvm::ValueToValueMapTy& map,
                                                 const char* suffix, llvm::Function& f);

}  // namespace simt::compile
