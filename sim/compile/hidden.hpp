// SPDX-License-Identifier: Apache-2.0
// Accesses of watched code that are not to be announced. ThreadSanitizer's pass leaves them out, and so does this one.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>

namespace simt::compile {

inline void hide(llvm::Instruction& i) {
  i.setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(i.getContext(), {}));
}
inline bool is_hidden(const llvm::Instruction& i) { return i.hasMetadata(llvm::LLVMContext::MD_nosanitize); }

}  // namespace simt::compile
