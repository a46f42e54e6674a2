// SPDX-License-Identifier: Apache-2.0
#include "block_arithmetic.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <array>
#include <map>
#include <utility>

#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// As simt::sim::arithmetic.
enum kind : unsigned { kAdd, kMultiply, kFma, kOfDoubles = 3, kSpecial = 6, kKinds };
using operations = std::array<std::uint32_t, kKinds>;

bool is_float_or_double(const Type* t) { return t->getScalarType()->isFloatTy() || t->getScalarType()->isDoubleTy(); }
std::uint32_t numbers_in(const Type* t) {
  const auto* vector = dyn_cast<FixedVectorType>(t);
  return vector != nullptr ? vector->getNumElements() : 1;
}
unsigned of_width(kind k, const Type* t) { return k + (t->getScalarType()->isDoubleTy() ? unsigned{kOfDoubles} : 0U); }

// Divisions, roots, and functions of <math.h>: each is several instructions of a GPU, and which ones is nvcc's choice.
bool is_special(const Instruction& i) {
  if (i.getOpcode() == Instruction::FDiv || i.getOpcode() == Instruction::FRem) return true;
  const auto* call = dyn_cast<CallInst>(&i);
  const Function* f = call != nullptr ? call->getCalledFunction() : nullptr;
  if (f == nullptr) return false;
  switch (f->getIntrinsicID()) {
    case Intrinsic::sqrt:
    case Intrinsic::sin:
    case Intrinsic::cos:
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::log:
    case Intrinsic::log2:
    case Intrinsic::log10:
    case Intrinsic::pow:
    case Intrinsic::powi:
      return true;
    case Intrinsic::not_intrinsic:
      break;
    default:
      return false;
  }
  static constexpr StringLiteral kFunctions[] = {
      "sqrt", "cbrt", "exp",    "exp2",   "expm1", "log",       "log2",  "log10",  "log1p", "pow",   "sin",   "cos",
      "tan",  "asin", "acos",   "atan",   "sinh",  "cosh",      "tanh",  "atan2",  "asinh", "acosh", "atanh", "hypot",
      "erf",  "erfc", "lgamma", "tgamma", "fmod",  "remainder", "exp10", "sincos", "j0",    "j1",    "y0",    "y1"};
  StringRef name = f->getName();
  for (const StringLiteral known : kFunctions)
    if (name == known || (name.ends_with("f") && name.drop_back() == known)) return true;
  return false;
}

bool is_fma(const Instruction& i) {
  const auto* call = dyn_cast<CallInst>(&i);
  const Function* f = call != nullptr ? call->getCalledFunction() : nullptr;
  if (f == nullptr) return false;
  return f->getIntrinsicID() == Intrinsic::fma || f->getName() == "fmaf" || f->getName() == "fma";
}

// Where an instruction counts: the user's line, and for what was inlined from a library the call.
struct counted_at {
  const DILocation* line = nullptr;
  const DILocation* call = nullptr;  // null: the user's own
};
counted_at own_place_of(const Instruction& i) {
  const DILocation* at = i.getDebugLoc();
  counted_at found;
  for (; at != nullptr && is_of_library(path_of(*at)); at = at->getInlinedAt()) found.call = at->getInlinedAt();
  if (at != nullptr && at->getLine() != 0) found.line = at;
  return found;
}
// What was moved in front of a condition has no line any more: the user's line that follows in its block stands for it.
counted_at place_of(const Instruction& i) {
  counted_at found = own_place_of(i);
  for (const Instruction* next = &i; found.line == nullptr && found.call == nullptr;) {
    next = next->getNextNode();
    if (next == nullptr) break;
    if (const counted_at near = own_place_of(*next); near.call == nullptr) found = near;
  }
  return found;
}

// An addition to nvcc, before it looks for multiply-adds.
bool is_times_two(const BinaryOperator& multiplies) {
  for (const Value* v : multiplies.operands())
    if (const auto* c = dyn_cast<ConstantFP>(v); c != nullptr && c->isExactlyValue(2.0)) return true;
  return false;
}

const BinaryOperator* multiplication(const Value* v) {
  const Value* of = v;
  if (const auto* negated = dyn_cast<UnaryOperator>(v); negated != nullptr && negated->hasOneUse())
    of = negated->getOperand(0);
  const auto* op = dyn_cast<BinaryOperator>(of);
  return op != nullptr && op->getOpcode() == Instruction::FMul && !is_times_two(*op) ? op : nullptr;
}

// Is `to` the same basic block as `from` to nvcc? Between them only code of libraries branches: what checks an index
// here.
bool goes_on_in(const BasicBlock* from, const BasicBlock* to, const DominatorTree& dominators) {
  while (to != from) {
    const auto* const node = dominators.getNode(to);
    if (node == nullptr || node->getIDom() == nullptr) return false;
    to = node->getIDom()->getBlock();
    const Instruction& branch = *to->getTerminator();
    if (branch.getNumSuccessors() > 1 && !isa<InvokeInst>(branch) && place_of(branch).call == nullptr) return false;
  }
  return true;
}

// nvcc takes a product into additions where nothing else wants it: each use is one, in the same block.
bool goes_into_sums(const BinaryOperator& product, const DominatorTree& dominators) {
  return all_of(product.users(), [&](const User* u) {
    if (const auto* negated = dyn_cast<UnaryOperator>(u); negated != nullptr && negated->hasOneUse())
      u = *negated->user_begin();
    const auto* sum = dyn_cast<BinaryOperator>(u);
    return sum != nullptr && (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub) &&
           goes_on_in(product.getParent(), sum->getParent(), dominators);
  });
}

class block_work {
 public:
  block_work(const BasicBlock& bb, const DominatorTree& dominators) : dominators_(dominators) {
    for (const Instruction& i : bb) look_at(i);
    for (const auto& [product, at] : products_) {
      const bool doubles = is_times_two(*product);
      if (!doubles && is_part_of_sums(*product)) continue;
      put(at, of_width(doubles ? kAdd : kMultiply, product->getType()), numbers_in(product->getType()));
    }
  }
  const std::map<std::pair<std::string, unsigned>, operations>& lines() const { return lines_; }

 private:
  void put(const DILocation* at, unsigned k, std::uint32_t times) {
    lines_.try_emplace({path_of(*at), at->getLine()}).first->second[k] += times;
  }

  void look_at(const Instruction& i) {
    const bool special = is_special(i), fused = is_fma(i);
    const unsigned op = i.getOpcode();
    const bool plain = op == Instruction::FAdd || op == Instruction::FSub || op == Instruction::FMul;
    if (!special && !fused && (!plain || !is_float_or_double(i.getType()))) return;
    const counted_at at = place_of(i);
    if (at.line == nullptr) return;
    if (special) {  // of a library's function that divides and takes roots: one
      if (at.call == nullptr || calls_.insert(at.call).second) put(at.line, kSpecial, numbers_in(i.getType()));
    } else if (fused) {
      put(at.line, of_width(kFma, i.getType()), numbers_in(i.getType()));
    } else if (at.call != nullptr) {
      return;  // a library's own arithmetic: how it computes here says nothing of a GPU
    } else if (op == Instruction::FMul) {
      products_.push_back({cast<BinaryOperator>(&i), at.line});
    } else {
      sum(cast<BinaryOperator>(i), at.line);
    }
  }

  // The product that a sum takes in as a multiply-add; of two, the one that is used less. Null: it takes in none.
  const BinaryOperator* taken_by(const BinaryOperator& sum) const {
    const BinaryOperator* chosen = nullptr;
    for (const Value* v : sum.operands()) {
      const BinaryOperator* product = multiplication(v);
      if (product == nullptr || place_of(*product).call != nullptr || !goes_into_sums(*product, dominators_)) continue;
      if (chosen == nullptr || product->getNumUses() < chosen->getNumUses()) chosen = product;
    }
    return chosen;
  }
  void sum(const BinaryOperator& i, const DILocation* at) {
    put(at, of_width(taken_by(i) != nullptr ? kFma : kAdd, i.getType()), numbers_in(i.getType()));
  }
  // Each use is a multiply-add: nothing of its own is left.
  bool is_part_of_sums(const BinaryOperator& product) const {
    return goes_into_sums(product, dominators_) && all_of(product.users(), [&](const User* u) {
             if (isa<UnaryOperator>(u)) u = *u->user_begin();
             const auto& sum = *cast<BinaryOperator>(u);
             return place_of(sum).line != nullptr && place_of(sum).call == nullptr && taken_by(sum) == &product;
           });
  }

  std::map<std::pair<std::string, unsigned>, operations> lines_;
  SmallVector<std::pair<const BinaryOperator*, const DILocation*>> products_;
  const DominatorTree& dominators_;
  SmallPtrSet<const DILocation*, 8> calls_;
};

}  // namespace

Constant* arithmetic_of(const BasicBlock& bb, const DominatorTree& dominators, Module& m) {
  LLVMContext& c = m.getContext();
  auto* const pointer = PointerType::get(c, 0);
  const block_work work(bb, dominators);
  if (work.lines().empty()) return ConstantPointerNull::get(pointer);
  auto* const word = Type::getInt32Ty(c);
  auto* const count = Type::getInt64Ty(c);
  auto* const line = StructType::get(c, {pointer, word, ArrayType::get(word, kKinds)});
  SmallVector<Constant*> lines;
  for (const auto& [at, counted] : work.lines()) {
    auto* const text = ConstantDataArray::getString(c, at.first);
    auto* const path = new GlobalVariable(m, text->getType(), true, GlobalValue::PrivateLinkage, text, "simt.path");
    path->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    lines.push_back(ConstantStruct::get(
        line, {path, ConstantInt::get(word, at.second), ConstantDataArray::get(c, ArrayRef<std::uint32_t>(counted))}));
  }
  auto* const all = ArrayType::get(line, lines.size());
  auto* const block = StructType::get(c, {count, count, all});
  auto* const value = ConstantStruct::get(
      block, {ConstantInt::get(count, 0), ConstantInt::get(count, lines.size()), ConstantArray::get(all, lines)});
  return new GlobalVariable(m, block, false, GlobalValue::InternalLinkage, value, "simt.arithmetic");
}

}  // namespace simt::compile
