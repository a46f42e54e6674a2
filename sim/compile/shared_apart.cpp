// SPDX-License-Identifier: Apache-2.0
#include "shared_apart.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

#include "memory_objects.hpp"

namespace simt::compile {

using namespace llvm;

bool keep_shared_memory_apart(Function& f) {
  SmallVector<Instruction*> in_shared, behind_parameters;
  for (Instruction& i : instructions(f)) {
    const Value* const address = getLoadStorePointerOperand(&i);
    if (address == nullptr) continue;
    if (is_in_shared_memory(address)) in_shared.push_back(&i);
    if (is_behind_parameter(address)) behind_parameters.push_back(&i);
  }
  if (in_shared.empty() || behind_parameters.empty()) return false;
  MDBuilder b(f.getContext());
  MDNode* const scope = b.createAnonymousAliasScope(b.createAnonymousAliasScopeDomain("simt"), "shared");
  MDNode* const only = MDNode::get(f.getContext(), {scope});
  const auto add = [&](ArrayRef<Instruction*> accesses, unsigned kind) {
    for (Instruction* i : accesses) i->setMetadata(kind, MDNode::concatenate(i->getMetadata(kind), only));
  };
  add(in_shared, LLVMContext::MD_alias_scope);
  add(behind_parameters, LLVMContext::MD_noalias);
  return true;
}

}  // namespace simt::compile
