// SPDX-License-Identifier: Apache-2.0
#include "meeting_ways.hpp"

#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "canonical_form.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr int kDeepestEqual = 4;   // operands of operands
constexpr int kDeepestNumber = 8;  // of what is made of an index alone

// Both are computed alike of parameters, indices and what stands in the entry.
bool are_computed_alike(const kernel_form& k, const Value* a, const Value* b, int depth = 0) {
  auto *const i = dyn_cast<Instruction>(a), *const j = dyn_cast<Instruction>(b);
  if (a == b && (i == nullptr || i->getParent() == k.entry)) return true;
  if (i == nullptr || j == nullptr || depth > kDeepestEqual || !i->isSameOperationAs(j) ||
      !i->hasSameSubclassOptionalData(j) || !is_computable(*i))
    return false;
  return all_of(zip(i->operands(), j->operands()), [&](const auto& both) {
    return are_computed_alike(k, std::get<0>(both).get(), std::get<1>(both).get(), depth + 1);
  });
}

// What a condition that is `holds` says of v, which is one of its parts or computed alike; none: nothing.
std::optional<bool> implied(const kernel_form& k, const Value* condition, bool holds, const Value* v) {
  if (are_computed_alike(k, condition, v)) return holds;
  const Value *a, *b;
  if (holds ? !match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
            : !match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return {};
  const auto by_first = implied(k, a, holds, v);
  return by_first ? by_first : implied(k, b, holds, v);
}

// The threads that have one number along an axis.
struct places {
  unsigned axis;
  std::uint64_t number;
};

// No block is so large that an index needs more than 16 bits.
std::optional<unsigned> axis_of(const kernel_form& k, const Value* v) {
  const Value* narrow;
  while (match(v, m_Trunc(m_Value(narrow))) || match(v, m_ZExtOrSExt(m_Value(narrow)))) {
    if (v->getType()->getIntegerBitWidth() < 32) return {};
    v = narrow;
  }
  for (unsigned d = 0; d < 3; ++d)
    if (v == k.index[d]) return d;
  return {};
}
// Where the threads are for which a condition is `holds`; none: it does not say.
std::optional<places> places_where(const kernel_form& k, const Value* condition, bool holds) {
  const Value *a, *b;
  if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
            : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    const auto by_first = places_where(k, a, holds);
    return by_first ? by_first : places_where(k, b, holds);
  }
  auto* const compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || compare->getPredicate() != (holds ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE)) return {};
  auto* const number = dyn_cast<ConstantInt>(compare->getOperand(1));
  if (number == nullptr) return {};
  if (const auto axis = axis_of(k, compare->getOperand(0))) return places{*axis, number->getZExtValue()};
  return {};
}

// What v, which is made of the index alone, is for threads there; none: it is made of something else, or of that index
// it must not be made.
std::optional<APInt> number_at(const kernel_form& k, const places& p, Value* v, int depth = 0) {
  if (auto* const number = dyn_cast<ConstantInt>(v)) return number->getValue();
  if (v == k.index[p.axis]) return APInt(64, p.number);
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr || depth > kDeepestNumber || !v->getType()->isIntegerTy() || !is_computable(*i)) return {};
  SmallVector<Constant*> operands;
  for (Value* o : i->operand_values()) {
    const auto number = number_at(k, p, o, depth + 1);
    if (!number) return {};
    operands.push_back(ConstantInt::get(o->getType(), *number));
  }
  auto* const made =
      dyn_cast_or_null<ConstantInt>(ConstantFoldInstOperands(i, operands, k.f.getParent()->getDataLayout()));
  return made == nullptr ? std::nullopt : std::optional(made->getValue());
}

struct element {
  Value* base;
  APInt bytes;
};
element element_at(const kernel_form& k, const places& p, Value* v) {
  const DataLayout& layout = k.f.getParent()->getDataLayout();
  element e{v, APInt(layout.getIndexTypeSizeInBits(v->getType()), 0)};
  const auto number = [&](Value& index, APInt& n) {
    const auto known = number_at(k, p, &index);
    if (known) n = *known;
    return known.has_value();
  };
  for (auto* g = dyn_cast<GEPOperator>(v); g != nullptr; g = dyn_cast<GEPOperator>(e.base)) {
    APInt bytes(e.bytes);
    if (!g->accumulateConstantOffset(layout, bytes, number)) break;
    e = {g->getPointerOperand(), bytes};
  }
  return e;
}

// For threads there, v is what `general` is.
bool are_one_at(const kernel_form& k, const places& p, Value* v, Value* general) {
  if (v->getType()->isIntegerTy()) {
    const auto is = number_at(k, p, v), would_be = number_at(k, p, general);
    return is && would_be && *is == *would_be;
  }
  if (!v->getType()->isPointerTy()) return false;
  const element is = element_at(k, p, v), would_be = element_at(k, p, general);
  return is.bytes == would_be.bytes && are_computed_alike(k, is.base, would_be.base);
}

// Who comes from `from` to `to` has `v`, by what was asked on the way, where others have `general`. for_some: that is
// so where they stand, and no more is known.
bool is_known_by_way(const kernel_form& k, const BasicBlock* from, const BasicBlock* to, Value* v, Value* general,
                     bool& for_some) {
  auto* const answer = v->getType()->isIntegerTy(1) ? dyn_cast<ConstantInt>(v) : nullptr;
  for (int steps = 0; from != nullptr && steps < kDeepestEqual;
       ++steps, to = from, from = from->getSinglePredecessor()) {
    auto* const branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    const bool holds = branch->getSuccessor(0) == to;
    if (answer != nullptr) {
      const auto said = implied(k, branch->getCondition(), holds, general);
      if (said) return *said == answer->isOne();
    } else if (const auto p = places_where(k, branch->getCondition(), holds)) {
      for_some = true;
      return are_one_at(k, *p, v, general);
    }
  }
  return false;
}

// for_some: threads come to it for which nobody has computed it, so it promises nothing of the index.
Value* compute_again(const kernel_form& k, Value* v, Instruction* before, bool for_some) {
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr || i->getParent() == k.entry) return v;
  Instruction* const copy = i->clone();
  for (Use& o : copy->operands()) o.set(compute_again(k, o.get(), before, for_some));
  if (for_some) copy->dropPoisonGeneratingFlags();
  copy->insertBefore(before);
  return copy;
}

// Which of the values that come to phi all others are; null: none.
Value* general_value(const kernel_form& k, PHINode& phi, bool& for_some) {
  for (Value* const general : phi.incoming_values()) {
    if (isa<Constant>(general) || !are_computed_alike(k, general, general)) continue;
    for_some = false;
    const auto is_it = [&](unsigned n) {
      Value* const v = phi.getIncomingValue(n);
      return are_computed_alike(k, general, v) ||
             is_known_by_way(k, phi.getIncomingBlock(n), phi.getParent(), v, general, for_some);
    };
    if (all_of(seq(0u, phi.getNumIncomingValues()), is_it)) return general;
  }
  return nullptr;
}

}  // namespace

void compute_where_ways_meet(kernel_form& k) {
  for (BasicBlock& bb : k.f)
    for (PHINode& phi : make_early_inc_range(bb.phis())) {
      bool for_some = false;
      Value* const general = general_value(k, phi, for_some);
      if (general == nullptr) continue;
      phi.replaceAllUsesWith(compute_again(k, general, &*bb.getFirstInsertionPt(), for_some));
      phi.eraseFromParent();
    }
}

}  // namespace simt::compile
