// SPDX-License-Identifier: Apache-2.0
#include "separate_loads.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "loop_bodies.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// Variables of the function itself are to become registers, and a kernel's parameters to be seen where they are used.
bool is_own(const Value* object) {
  if (isa<AllocaInst>(object)) return true;
  auto* const parameter = dyn_cast<Argument>(object);
  return parameter != nullptr && is_marked_source(*parameter->getParent());
}

}  // namespace

bool keep_loads_separate(Module& m) {
  bool changed = false;
  for (Function& f : m) {
    if (!is_watched(f) || f.isDeclaration() || f.hasOptNone()) continue;
    for (Instruction& i : make_early_inc_range(instructions(f))) {
      auto* const load = dyn_cast<LoadInst>(&i);
      if (load == nullptr || is_own(getUnderlyingObject(load->getPointerOperand()))) continue;
      Value* const kept = IRBuilder<>(load->getNextNode()).CreateFreeze(load);
      load->replaceUsesWithIf(kept, [&](const Use& u) { return u.getUser() != kept; });
      changed = true;
    }
  }
  return changed;
}

void let_loads_join(Function& f) {
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    if (!isa<FreezeInst>(i) || !isa<LoadInst>(i.getOperand(0))) continue;
    i.replaceAllUsesWith(i.getOperand(0));
    i.eraseFromParent();
  }
}

}  // namespace simt::compile
