// SPDX-License-Identifier: Apache-2.0
#include "bit_fields.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "hidden.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// The read that belongs to the write of a bit-field; null: `store` is none. clang loads and stores by one pointer, and
// of what type it does not say. A program's own `*p = (*p & mask) | bits` names p twice, and the type.
LoadInst* read_of_bit_field(StoreInst& store) {
  Value* read = nullptr;
  if (store.hasMetadata(LLVMContext::MD_tbaa) || store.isVolatile() || store.isAtomic() ||
      !match(store.getValueOperand(), m_Or(m_OneUse(m_And(m_Value(read), m_ConstantInt())), m_Value())))
    return nullptr;
  auto* const load = dyn_cast<LoadInst>(read);
  const bool is_it = load != nullptr && load->isSimple() && load->hasOneUse() &&
                     load->getPointerOperand() == store.getPointerOperand() && load->getParent() == store.getParent();
  return is_it ? load : nullptr;
}

}  // namespace

bool hide_reads_of_bit_fields(Module& m) {
  bool changed = false;
  for (Function& f : m) {
    if (!f.hasFnAttribute(Attribute::SanitizeThread)) continue;
    for (Instruction& i : instructions(f)) {
      auto* const store = dyn_cast<StoreInst>(&i);
      LoadInst* const load = store == nullptr ? nullptr : read_of_bit_field(*store);
      if (load == nullptr) continue;
      hide(*load);
      changed = true;
    }
  }
  return changed;
}

}  // namespace simt::compile
