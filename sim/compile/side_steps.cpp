// SPDX-License-Identifier: Apache-2.0
#include "side_steps.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <memory>
#include <optional>

#include "canonical_form.hpp"
#include "engine_calls.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr int kDearest = 14;  // operations that are worth it to compute a value again: kMostCost of values.cpp
constexpr int kMostParted = 16;
constexpr unsigned kMostCases = 4;

using part_blocks = SmallPtrSet<BasicBlock*, 16>;

// if (condition) { side } join: what lies between two barriers, in three parts.
struct side_step {
  BasicBlock* asks;
  BasicBlock* join;
  part_blocks before, side, after;  // `asks` is in before
};

class step_finder {
 public:
  explicit step_finder(kernel_form& k) : k_(k), dominators_(k.f), post_dominators_(k.f), varying_(find_varying(k)) {
    heads_.insert(k.barriers.begin(), k.barriers.end());
    for (const warp_operation& o : k.warp_operations) heads_.insert(o.behind);
    heads_.insert(k.warp_turns.begin(), k.warp_turns.end());
  }

  // A switch by a thread's place, which clang has made of such questions, becomes these again. True: k has changed.
  bool part_switch() const {
    for (BasicBlock& bb : k_.f)
      if (auto* by = dyn_cast<SwitchInst>(bb.getTerminator());
          by != nullptr && is_place(by->getCondition()) && all_come_to(bb) && part_switch(*by))
        return true;
    return false;
  }

  // if (condition) { side } else if (other) { side } becomes two questions, one after the other. True: k has changed.
  bool part_alternatives() const {
    for (BasicBlock& bb : k_.f)
      if (BasicBlock* const join = joins_without_values(bb))
        for (const unsigned first : {0U, 1U})
          if (part_alternatives(bb, join, first)) return true;
    return false;
  }

  std::optional<side_step> find() const {
    for (BasicBlock& bb : k_.f)
      if (auto s = look_at(bb)) return s;
    return {};
  }

 private:
  std::optional<side_step> look_at(BasicBlock& bb) const {
    BasicBlock* const join = joins_without_values(bb);
    if (join == nullptr || !is_contained(successors(&bb), join)) return {};
    auto* const branch = cast<BranchInst>(bb.getTerminator());
    if (!asks_for_place(branch->getCondition(), branch->getSuccessor(1) == join)) return {};
    side_step s{&bb, join, {}, {}, {}};
    if (!find_side(s)) return {};
    add_before(s, &bb);
    add_after(s, join);
    if (!has_accesses(s.side) || !(has_accesses(s.before) || has_accesses(s.after)) || keeps_more(s)) return {};
    return s;
  }

  // Where the ways of a branch that all threads come to, and that divides them, have met; null if values meet there.
  BasicBlock* joins_without_values(BasicBlock& bb) const {
    auto* const branch = dyn_cast<BranchInst>(bb.getTerminator());
    if (branch == nullptr || !branch->isConditional() || varying_->decides_alike(&bb) || &bb == k_.entry)
      return nullptr;
    auto* const node = post_dominators_.getNode(&bb);
    BasicBlock* const join = node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
    return join != nullptr && join->phis().empty() && all_come_to(bb) ? join : nullptr;
  }

  bool part_switch(SwitchInst& by) const {
    BasicBlock* at = by.getParent();
    if (by.getNumCases() == 0 || by.getNumCases() > kMostCases) return false;
    SmallPtrSet<BasicBlock*, kMostCases + 1> reached;
    if (!all_of(successors(at), [&](BasicBlock* to) { return reached.insert(to).second; })) return false;
    for (auto one = by.case_begin(); one != by.case_end(); ++one) {
      const bool last = std::next(one) == by.case_end();
      BasicBlock* const others = last ? by.getDefaultDest() : BasicBlock::Create(k_.f.getContext(), "ask", &k_.f);
      IRBuilder<> b(at);
      if (at == by.getParent()) b.SetInsertPoint(&by);
      b.CreateCondBr(b.CreateICmpEQ(by.getCondition(), one->getCaseValue()), one->getCaseSuccessor(), others);
      one->getCaseSuccessor()->replacePhiUsesWith(by.getParent(), at);
      if (last) others->replacePhiUsesWith(by.getParent(), at);
      at = others;
    }
    by.eraseFromParent();
    return true;
  }

  bool part_alternatives(BasicBlock& bb, BasicBlock* join, unsigned first) const {
    auto* const branch = cast<BranchInst>(bb.getTerminator());
    BasicBlock *const side = branch->getSuccessor(first), *const other = branch->getSuccessor(1 - first);
    auto* const asks_other = dyn_cast<BranchInst>(other->getTerminator());
    if (side == join || other == join || side->getSinglePredecessor() != &bb ||  // others' way on is not changed
        other->getSinglePredecessor() != &bb || asks_other == nullptr || !asks_other->isConditional() ||
        !is_contained(successors(other), join) || !asks_for_place(branch->getCondition(), first == 0))
      return false;
    if (any_of(*other, [](const Instruction& i) {
          return !i.isTerminator() && (i.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&i));
        }))
      return false;
    SmallVector<BasicBlock*> ends;
    SmallVector<BasicBlock*> todo{side};
    part_blocks seen;
    while (!todo.empty()) {
      BasicBlock* const at = todo.pop_back_val();
      if (!seen.insert(at).second) continue;
      if (!dominators_.dominates(side, at) || heads_.count(at) != 0) return false;
      if (is_contained(successors(at), join)) ends.push_back(at);
      for (BasicBlock* next : successors(at))
        if (next != join) todo.push_back(next);
    }
    for (BasicBlock* end : ends) end->getTerminator()->replaceUsesOfWith(join, other);
    IRBuilder<> b(asks_other);
    Value* const mine =
        asks_other->getSuccessor(0) != join ? asks_other->getCondition() : b.CreateNot(asks_other->getCondition());
    Value* const not_first = first == 0 ? b.CreateNot(branch->getCondition()) : branch->getCondition();
    BasicBlock* const enters = asks_other->getSuccessor(asks_other->getSuccessor(0) != join ? 0 : 1);
    b.CreateCondBr(b.CreateLogicalAnd(not_first, mine), enters, join);
    asks_other->eraseFromParent();
    return true;
  }

  // All threads come to bb, or none.
  bool all_come_to(BasicBlock& bb) const {
    ReverseIDFCalculator frontier(const_cast<PostDominatorTree&>(post_dominators_));
    SmallPtrSet<BasicBlock*, 2> defined;
    defined.insert(&bb);
    frontier.setDefiningBlocks(defined);
    SmallVector<BasicBlock*> deciding;
    frontier.calculate(deciding);
    return all_of(deciding, [&](BasicBlock* d) { return varying_->decides_alike(d); });
  }

  // Who goes on is told by x, y or z, compared with something that is the same for the launch.
  bool asks_for_place(Value* condition, bool holds) const {
    Value *a, *b;
    if (match(condition, m_Not(m_Value(a)))) return asks_for_place(a, !holds);
    if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
      return asks_for_place(a, holds) || asks_for_place(b, holds);
    auto* const compare = dyn_cast<ICmpInst>(condition);
    if (compare == nullptr) return false;
    a = compare->getOperand(0), b = compare->getOperand(1);
    const auto p = holds ? compare->getPredicate() : compare->getInversePredicate();
    if (p == ICmpInst::ICMP_NE) return false;  // nearly all
    return (is_place(a) && is_known_at_entry(k_, b)) || (is_place(b) && is_known_at_entry(k_, a));
  }
  bool is_place(const Value* v) const {
    const Value* whole;
    const APInt* mask;
    if (match(v, m_Trunc(m_Value(whole))) || match(v, m_ZExtOrSExt(m_Value(whole)))) return is_place(whole);
    if (match(v, m_And(m_Value(whole), m_APInt(mask)))) return mask->isMask() && mask->ugt(1023) && is_place(whole);
    return is_contained(k_.index, v);
  }

  // False: it is no such piece.
  bool find_side(side_step& s) const {
    SmallVector<BasicBlock*> todo(successors(s.asks));
    while (!todo.empty()) {
      BasicBlock* const bb = todo.pop_back_val();
      if (bb == s.join || !s.side.insert(bb).second) continue;
      if (heads_.count(bb) != 0 || bb == k_.leave || !dominators_.dominates(s.asks, bb) || bb == s.asks) return false;
      if (any_of(*bb, [](const Instruction& i) { return is_any_marker(&i) && !is_marker(&i, marker::rank); }))
        return false;
      todo.append(succ_begin(bb), succ_end(bb));
    }
    return true;
  }
  void add_before(side_step& s, BasicBlock* bb) const {
    if (bb == k_.entry || !s.before.insert(bb).second || heads_.count(bb) != 0) return;
    for (BasicBlock* p : predecessors(bb)) add_before(s, p);
  }
  void add_after(side_step& s, BasicBlock* bb) const {
    if (heads_.count(bb) != 0 || bb == k_.leave || s.before.count(bb) != 0 || !s.after.insert(bb).second) return;
    for (BasicBlock* next : successors(bb)) add_after(s, next);
  }
  static bool has_accesses(const part_blocks& blocks) {
    return any_of(blocks, [](const BasicBlock* bb) {
      return any_of(*bb, [](const Instruction& i) { return isa<StoreInst>(i) || isa<AtomicRMWInst>(i); });
    });
  }

  // Something that a thread has computed would have to be kept from one part to the next, and is not kept yet.
  bool keeps_more(const side_step& s) const {
    const auto part_of = [&](const Instruction& i) {
      auto* const bb = const_cast<BasicBlock*>(i.getParent());
      return s.before.count(bb) != 0 ? 0 : s.side.count(bb) != 0 ? 1 : s.after.count(bb) != 0 ? 2 : 3;
    };
    DenseMap<const Value*, int> part_of_array;
    for (const part_blocks* part : {&s.before, &s.side, &s.after})
      for (const BasicBlock* bb : *part)
        for (const Instruction& i : *bb) {
          const int here = part_of(i);
          for (const Use& o : i.operands()) {
            const Value* const array = o->getType()->isPointerTy() ? getUnderlyingObject(o.get()) : nullptr;
            if (array != nullptr && isa<AllocaInst>(array) &&
                part_of_array.try_emplace(array, here).first->second != here)
              return true;
          }
          if (!varying_->has(&i) || operations(&i) <= kDearest) continue;
          bool goes_on = false, is_kept = false;
          for (const User* u : i.users()) {
            const int there = part_of(*cast<Instruction>(u));
            goes_on |= there != here && there != 3;
            is_kept |= there == 3;
          }
          if (goes_on && !is_kept) return true;
        }
    return false;
  }
  // To compute v of the thread's index and of what is the same for all.
  int operations(const Value* v, int depth = 0) const {
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || is_known_at_entry(k_, v) || !varying_->has(v) || is_marker(v, marker::rank)) return 0;
    if (depth > kDearest || isa<PHINode>(i) || (isa<CallInst>(i) && !isa<MinMaxIntrinsic>(i)) || isa<AllocaInst>(i) ||
        i->isTerminator() || i->isIntDivRem() || i->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(i))
      return kDearest + 1;
    int sum = 1;
    for (const Use& o : i->operands())
      if (sum <= kDearest) sum += operations(o.get(), depth + 1);
    return sum;
  }

  kernel_form& k_;
  const DominatorTree dominators_;
  const PostDominatorTree post_dominators_;
  const std::unique_ptr<dependence> varying_;
  part_blocks heads_;
};

}  // namespace

void part_side_steps(kernel_form& k) {
  if (k.barriers.empty()) return;
  for (int parted = 0; parted < kMostParted; ++parted) {
    while (step_finder(k).part_switch() || step_finder(k).part_alternatives()) {
    }
    const auto step = step_finder(k).find();
    if (!step) return;
    k.barriers.push_back(SplitBlock(step->asks, step->asks->getTerminator()));
    if (step->join != k.leave && !is_contained(k.barriers, step->join)) k.barriers.push_back(step->join);
  }
}

}  // namespace simt::compile
