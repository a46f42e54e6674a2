// SPDX-License-Identifier: Apache-2.0
// Functions that mean something else in loops. On fibers, device code of CUDA source asks the running stack who it is
// (frontends/cuda/headers/simt_cuda/thread.hpp); in loops the function's parameters say. A function simt_cuda::f has a
// substitute if the module defines simt_cuda::loops::f, which takes f's parameters and then those of a loop function
// (SIMT_LOOP_PARAMETERS), and returns what f returns.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace simt::compile {

class substitutes {
 public:
  explicit substitutes(llvm::Module& m);
  // Null: none.
  llvm::Function* of(const llvm::Function& f) const;

 private:
  llvm::StringMap<llvm::Function*> by_name_;  // of f, without parameters
};

// Replaces `call`, which stands in a loop function, and erases it. Returns the call of the substitute.
llvm::CallBase* call_substitute(llvm::CallBase& call, llvm::Function& substitute);

}  // namespace simt::compile
