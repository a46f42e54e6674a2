// SPDX-License-Identifier: Apache-2.0
#include "reached_code.hpp"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>

namespace simt::compile {

using namespace llvm;

SmallPtrSet<const Function*, 32> reached_from(SmallVector<const Value*> code, bool through_variables) {
  SmallPtrSet<const Function*, 32> functions;
  SmallPtrSet<const Value*, 32> constants;  // of variables, so none is walked twice
  while (!code.empty()) {
    const Value* const v = code.pop_back_val();
    if (const auto* f = dyn_cast<Function>(v)) {
      if (!functions.insert(f).second) continue;
      for (const Instruction& i : instructions(*f))
        for (const Use& operand : i.operands())
          if (isa<Constant>(operand)) code.push_back(operand->stripPointerCasts());
    } else if (through_variables && constants.insert(v).second) {
      for (const Use& part : cast<Constant>(v)->operands()) code.push_back(part->stripPointerCasts());
    }
  }
  return functions;
}

}  // namespace simt::compile
