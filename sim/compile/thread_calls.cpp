// SPDX-License-Identifier: Apache-2.0
#include "thread_calls.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

#include "prepare.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
constexpr StringRef kQuestion = "_ZN9simt_cuda12kernel_waitsEPKN4simt3sim9loop_bodyE";

bool waits(const Value& body, const std::vector<loop_source>& sources) {
  const auto of_it = [&](const loop_source& s) { return s.body == body.stripPointerCasts(); };
  const auto source = std::find_if(sources.begin(), sources.end(), of_it);
  return source != sources.end() && may_wait(*source->thread);
}
}  // namespace

bool choose_thread_calls(Module& m, const std::vector<loop_source>& sources) {
  Function* const question = m.getFunction(kQuestion);
  if (question == nullptr) return false;
  SmallVector<CallInst*> calls;
  for (User* u : question->users())
    if (auto* call = dyn_cast<CallInst>(u); call != nullptr && call->getCalledFunction() == question)
      calls.push_back(call);
  for (CallInst* call : calls) {
    Function& asks = *call->getFunction();
    call->replaceAllUsesWith(ConstantInt::getBool(m.getContext(), waits(*call->getArgOperand(0), sources)));
    call->eraseFromParent();
    SmallVector<BasicBlock*> blocks;
    for (BasicBlock& block : asks) blocks.push_back(&block);
    for (BasicBlock* block : blocks) ConstantFoldTerminator(block, true);
    removeUnreachableBlocks(asks);
  }
  return !calls.empty();
}

}  // namespace simt::compile
