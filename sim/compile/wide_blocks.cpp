// SPDX-License-Identifier: Apache-2.0
#include "wide_blocks.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::uint64_t kLow32 = 0xffffffff;

// What a value has of the two. Anything may be made of a place in the grid.
enum class part { neither, thread, block, blocks_before, place };

// Without what cuts it to 32 bits and widens it again.
const Value* uncut(const Value* v) {
  for (const Value* inner = nullptr;; v = inner)
    if (!match(v, m_Trunc(m_Value(inner))) && !match(v, m_ZExtOrSExt(m_Value(inner))) &&
        !match(v, m_And(m_Value(inner), m_SpecificInt(kLow32))))
      return v;
}

class follower {
 public:
  explicit follower(Function& f) : f_(f), width_(f.getArg(parameter::extent)) {
    parts_[f.getArg(parameter::thread)] = part::thread;
    parts_[f.getArg(parameter::place)] = part::block;
  }

  bool run() {
    for (BasicBlock* bb : ReversePostOrderTraversal<Function*>(&f_))
      for (Instruction& i : *bb) {
        if (isa<DbgInfoIntrinsic>(i)) continue;
        const bool asks = any_of(i.operands(), [&](const Use& o) { return is_piece(part_of(o.get())); });
        if (!asks) continue;
        const part made = made_by(i);
        if (made == part::neither) return false;
        parts_[&i] = made;
      }
    // What comes round a loop was not known yet.
    return all_of(instructions(f_), [&](Instruction& i) {
      return !isa<PHINode>(i) || none_of(i.operands(), [&](const Use& o) { return is_piece(part_of(o.get())); });
    });
  }

 private:
  static bool is_piece(part p) { return p == part::thread || p == part::block || p == part::blocks_before; }
  part part_of(const Value* v) const { return parts_.lookup(v); }
  // Neither: something that may tell blocks apart.
  part made_by(Instruction& i) const {
    if (isa<TruncInst>(i) || isa<ZExtInst>(i) || isa<SExtInst>(i)) {
      const bool narrow = i.getType()->isIntegerTy(32) || i.getType()->isIntegerTy(64);
      return narrow ? part_of(i.getOperand(0)) : part::neither;
    }
    if (match(&i, m_And(m_Value(), m_SpecificInt(kLow32)))) return part_of(i.getOperand(0));
    if (i.getOpcode() != Instruction::Mul && i.getOpcode() != Instruction::Add) return part::neither;
    part left = part_of(i.getOperand(0)), right = part_of(i.getOperand(1));
    if (i.getOpcode() == Instruction::Mul) {
      const Value* const other = i.getOperand(left == part::block ? 1 : 0);
      const bool counts = (left == part::block) != (right == part::block) && uncut(other) == width_;
      return counts ? part::blocks_before : part::neither;
    }
    if (left > right) std::swap(left, right);
    if (left == part::neither) return right == part::block ? part::neither : right;
    return left == part::thread && right == part::blocks_before ? part::place : part::neither;
  }

  Function& f_;
  const Value* width_;
  DenseMap<const Value*, part> parts_;
};

// Is all that v is used for to be multiplied by one of `others`?
bool counts_only(const Value& v, ArrayRef<const Value*> others) {
  return all_of(v.users(), [&](const User* u) {
    if (isa<TruncInst>(u) || isa<ZExtInst>(u) || isa<SExtInst>(u)) {
      const bool narrow = u->getType()->isIntegerTy(32) || u->getType()->isIntegerTy(64);
      return narrow && counts_only(*u, others);
    }
    if (match(u, m_And(m_Value(), m_SpecificInt(kLow32)))) return counts_only(*u, others);
    auto* const product = dyn_cast<BinaryOperator>(u);
    if (product == nullptr || product->getOpcode() != Instruction::Mul) return isa<DbgInfoIntrinsic>(u);
    const Value *const left = uncut(product->getOperand(0)), *const right = uncut(product->getOperand(1));
    return left != right && (is_contained(others, left) || is_contained(others, right));
  });
}

// Threads of it meet at memory only, and nowhere in memory that each block has of its own.
bool only_computes(Function& f) {
  return all_of(instructions(f), [](const Instruction& i) {
    if (i.isAtomic() || i.isVolatile()) return false;
    auto* const call = dyn_cast<CallBase>(&i);
    if (call == nullptr) return !isa<FenceInst>(i);
    const Function* const callee = call->getCalledFunction();
    if (callee == nullptr) return false;
    if (callee->isIntrinsic()) {
      auto* const whole = dyn_cast<MemIntrinsic>(call);
      return whole == nullptr || !whole->isVolatile();
    }
    return is_math(*callee) || is_report_of_pass(*callee) || is_cold_report(*callee);
  });
}

}  // namespace

bool asks_for_place_in_grid_only(Function& f) { return follower(f).run(); }

joins joins_neighbours(Function& f) {
  const Argument *const width = f.getArg(parameter::extent), *const count = f.getArg(parameter::grid),
                        *const place = f.getArg(parameter::place);
  if (!only_computes(f) || !counts_only(*width, {place, count}) || !counts_only(*count, {width}) || !follower(f).run())
    return joins::no;
  return count->use_empty() ? joins::yes : joins::evenly;
}

}  // namespace simt::compile
