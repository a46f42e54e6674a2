// SPDX-License-Identifier: Apache-2.0
#include "host_overflow.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

namespace simt::compile {

using namespace llvm;

namespace {
constexpr const char* kOfDevice = "simt.device";
}
bool is_of_device(const Function& f) { return f.hasFnAttribute(kOfDevice); }

bool let_host_code_wrap(Module& m, const std::vector<loop_source>& kernels) {
  if (kernels.empty()) return false;
  SmallPtrSet<const Function*, 32> of_device;
  SmallVector<const Function*> todo;
  for (const loop_source& k : kernels) todo.push_back(k.thread);
  while (!todo.empty()) {
    const Function* const f = todo.pop_back_val();
    if (!of_device.insert(f).second) continue;
    // Operands too, not only calls: a function whose address is taken may be called through it.
    for (const Instruction& i : instructions(*f))
      for (const Use& operand : i.operands())
        if (const auto* used = dyn_cast<Function>(operand.get()->stripPointerCasts())) todo.push_back(used);
  }
  bool changed = false;
  for (Function& f : m) {
    if (of_device.contains(&f)) {
      f.addFnAttr(kOfDevice);
      continue;
    }
    for (Instruction& i : instructions(f))
      if (auto* sum = dyn_cast<OverflowingBinaryOperator>(&i); sum != nullptr && sum->hasNoSignedWrap()) {
        i.setHasNoSignedWrap(false);
        changed = true;
      }
  }
  return changed;
}

}  // namespace simt::compile
