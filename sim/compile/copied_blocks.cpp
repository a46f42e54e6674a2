// SPDX-License-Identifier: Apache-2.0
#include "copied_blocks.hpp"

#include <llvm/Transforms/Utils/Cloning.h>

namespace simt::compile {

using namespace llvm;

SmallVector<BasicBlock*> copy_blocks(ArrayRef<BasicBlock*> blocks, ValueToValueMapTy& map, const char* suffix,
                                     Function& f) {
  SmallVector<BasicBlock*> copies;
  for (BasicBlock* bb : blocks) {
    copies.push_back(CloneBasicBlock(bb, map, suffix, &f));
    map[bb] = copies.back();
  }
  remapInstructionsInBlocks(copies, map);
  return copies;
}

}  // namespace simt::compile
