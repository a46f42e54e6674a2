// SPDX-License-Identifier: Apache-2.0
#include "scalar_members.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

namespace simt::compile {

using namespace llvm;

bool part_members(Function& f, FunctionAnalysisManager& analyses) {
  const auto is_vector = [](const Value* v) { return isa<FixedVectorType>(v->getType()); };
  if (none_of(instructions(f), [&](const Instruction& i) { return is_vector(&i) || any_of(i.operands(), is_vector); }))
    return false;
  ScalarizerPass by_members;
  by_members.setScalarizeLoadStore(true);
  analyses.invalidate(f, PreservedAnalyses::none());
  by_members.run(f, analyses);
  analyses.invalidate(f, PreservedAnalyses::none());
  InstCombinePass().run(f, analyses);  // a member that was put into a vector and taken out again
  analyses.invalidate(f, PreservedAnalyses::none());
  return true;
}

}  // namespace simt::compile
