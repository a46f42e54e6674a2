// SPDX-License-Identifier: Apache-2.0
#include "early_leave.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "copied_blocks.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

using block_set = SmallSetVector<BasicBlock*, 16>;

class leaver {
 public:
  leaver(kernel_form& k, BasicBlock* bb, ArrayRef<BasicBlock*> heads)
      : k_(k), bb_(bb), heads_(heads), dominators_(k.f) {}

  std::unique_ptr<guard> make() {
    if (!look_around()) return nullptr;
    ReversePostOrderTraversal<Function*> order(&k_.f);
    for (BasicBlock* candidate : order)
      if (on_.count(candidate) != 0 && find_between(candidate)) return meet_at(candidate);
    return nullptr;
  }

 private:
  // on_: where one can get from bb and still comes to a head. out_: where one can get, and comes to none.
  bool look_around() {
    block_set waiting;  // a head can be reached from there
    SmallVector<BasicBlock*> todo(heads_.begin(), heads_.end());
    while (!todo.empty()) {
      BasicBlock* const x = todo.pop_back_val();
      if (waiting.insert(x)) todo.append(pred_begin(x), pred_end(x));
    }
    todo.assign(succ_begin(bb_), succ_end(bb_));
    while (!todo.empty()) {
      BasicBlock* const x = todo.pop_back_val();
      if (x == bb_) return false;
      if (x == k_.leave || !(waiting.count(x) != 0 ? on_ : out_).insert(x)) continue;
      todo.append(succ_begin(x), succ_end(x));
    }
    return !on_.empty();
  }

  // between_: bb and what lies between it and `join`, where all who do not leave meet. False: they do not.
  bool find_between(BasicBlock* join) {
    between_.clear();
    bool met = false, leaves = false;
    SmallVector<BasicBlock*> todo{bb_};
    while (!todo.empty()) {
      BasicBlock* const x = todo.pop_back_val();
      if (x != bb_ && is_contained(heads_, x)) return false;
      if (!between_.insert(x)) continue;
      for (BasicBlock* s : successors(x)) {
        met |= s == join;
        leaves |= s == k_.leave || out_.count(s) != 0;
        if (s != join && on_.count(s) != 0) todo.push_back(s);
      }
    }
    return met && leaves;
  }

  // The ways out that begin in between_, as copies where others go them too.
  block_set ways_of_their_own() {
    block_set way;
    SmallVector<BasicBlock*> todo;
    for (BasicBlock* b : between_)
      for (BasicBlock* s : successors(b))
        if (out_.count(s) != 0) todo.push_back(s);
    while (!todo.empty()) {
      BasicBlock* const x = todo.pop_back_val();
      if (x != k_.leave && way.insert(x)) todo.append(succ_begin(x), succ_end(x));
    }
    bool shared = false;
    for (BasicBlock* x : way)
      for (BasicBlock* p : predecessors(x)) shared |= between_.count(p) == 0 && way.count(p) == 0;
    if (!shared) return way;
    ValueToValueMapTy map;
    const SmallVector<BasicBlock*> copies = copy_blocks(way.getArrayRef(), map, ".left", k_.f);
    for (BasicBlock* x : way) {
      auto* const copy = cast<BasicBlock>(map.lookup(x));
      for (PHINode& phi : copy->phis())
        for (int n = static_cast<int>(phi.getNumIncomingValues()) - 1; n >= 0; --n) {
          BasicBlock* const from = phi.getIncomingBlock(n);
          if (between_.count(from) == 0 && !is_contained(copies, from)) phi.removeIncomingValue(n, false);
        }
      for (PHINode& phi : x->phis())
        for (int n = static_cast<int>(phi.getNumIncomingValues()) - 1; n >= 0; --n)
          if (between_.count(phi.getIncomingBlock(n)) != 0) phi.removeIncomingValue(n, false);
    }
    for (BasicBlock* b : between_) {
      Instruction* const t = b->getTerminator();
      for (unsigned s = 0; s < t->getNumSuccessors(); ++s)
        if (way.count(t->getSuccessor(s)) != 0) t->setSuccessor(s, cast<BasicBlock>(map.lookup(t->getSuccessor(s))));
    }
    return block_set(copies.begin(), copies.end());
  }

  // What phi is on all ways from between_, if it is there for those who leave, too: no phi is needed for it, by which a
  // uniform value would come to differ. Takes these ways out of phi.
  Value* the_same_for_all(PHINode& phi) {
    Value* same = nullptr;
    for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
      if (between_.count(phi.getIncomingBlock(n)) == 0) continue;
      if (same != nullptr && same != phi.getIncomingValue(n)) return nullptr;
      same = phi.getIncomingValue(n);
    }
    if (auto* i = dyn_cast<Instruction>(same); i != nullptr && !dominators_.dominates(i->getParent(), bb_))
      return nullptr;
    for (int n = static_cast<int>(phi.getNumIncomingValues()) - 1; n >= 0; --n)
      if (between_.count(phi.getIncomingBlock(n)) != 0) phi.removeIncomingValue(n, false);
    return same;
  }

  // Who leaves goes on to `gone`, and from there with the others to `pre`, `stay` (the guard) and `join`.
  std::unique_ptr<guard> meet_at(BasicBlock* join) {
    LLVMContext& c = k_.f.getContext();
    auto* const stay = BasicBlock::Create(c, "stay", &k_.f, join);
    auto* const pre = BasicBlock::Create(c, "meet", &k_.f, stay);
    auto* const gone = BasicBlock::Create(c, "gone", &k_.f, pre);
    auto g = std::make_unique<guard>();
    g->head = stay;
    // One branch alone says who leaves: its condition is often cheap to ask for again.
    auto* const only = dyn_cast<BranchInst>(bb_->getTerminator());
    const bool by_condition = between_.size() == 1 && only != nullptr && only->isConditional();
    if (by_condition) {
      g->condition = only->getCondition();
      g->left_if = only->getSuccessor(1) == join;
    }
    block_set way = ways_of_their_own();
    way.insert(between_.begin(), between_.end());
    for (BasicBlock* x : way) x->getTerminator()->replaceUsesOfWith(k_.leave, gone);
    auto* const left = PHINode::Create(Type::getInt1Ty(c), 2, "left", pre);
    for (PHINode& phi : join->phis()) {
      if (Value* same = the_same_for_all(phi)) {
        phi.addIncoming(same, stay);
        continue;
      }
      auto* const met = PHINode::Create(phi.getType(), 2, phi.getName() + ".met", pre);
      for (int n = static_cast<int>(phi.getNumIncomingValues()) - 1; n >= 0; --n)
        if (between_.count(phi.getIncomingBlock(n)) != 0) {
          met->addIncoming(phi.getIncomingValue(n), phi.getIncomingBlock(n));
          phi.removeIncomingValue(n, false);
        }
      met->addIncoming(PoisonValue::get(phi.getType()), gone);
      phi.addIncoming(met, stay);
    }
    for (BasicBlock* b : between_) {
      Instruction* const t = b->getTerminator();
      for (unsigned s = 0; s < t->getNumSuccessors(); ++s)
        if (t->getSuccessor(s) == join) {
          t->setSuccessor(s, pre);
          left->addIncoming(ConstantInt::getFalse(c), b);
        }
    }
    left->addIncoming(ConstantInt::getTrue(c), gone);
    BranchInst::Create(pre, gone);
    BranchInst::Create(stay, pre);
    BranchInst::Create(join, stay);
    if (by_condition) {
      left->eraseFromParent();
    } else {
      g->condition = left;
      g->left_if = true;
    }
    return g;
  }

  kernel_form& k_;
  BasicBlock* bb_;
  ArrayRef<BasicBlock*> heads_;
  DominatorTree dominators_;  // as it was
  block_set on_, out_, between_;
};

}  // namespace

std::unique_ptr<guard> leave_early(kernel_form& k, BasicBlock* bb, ArrayRef<BasicBlock*> heads) {
  auto made = leaver(k, bb, heads).make();
  if (made != nullptr) EliminateUnreachableBlocks(k.f);  // ways out of which only the copy is left
  return made;
}

}  // namespace simt::compile
