// SPDX-License-Identifier: Apache-2.0
// From   guard -> preheader -> header ... latch -> header, or exit -> join        guard -> join
// to     guard -> preheader -> meet -> turn -> ask -> header ... latch -> turned -> turn
//                                      guard -> meet       ask -> turned       turn -> done -> exit, or join
// `ask` asks whether the running thread takes part in this turn. A sum has its condition at the end: turned -> done.
#include "turns.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "turn_loop.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

class turner {
 public:
  explicit turner(kernel_form& k) : k_(k), c_(k.f.getContext()) {}

  turned_loops run() {
    while (turn_one()) ++turned_;
    if (turned_ == 0) return {};
    return {holds_ == nullptr ? ConstantInt::getTrue(c_) : holds_, any_geometry_ && turned_ == 1};
  }

 private:
  bool turn_one() {
    DominatorTree dominators(k_.f);
    LoopInfo loops(dominators);
    for (Loop* outer : loops) {
      simplifyLoop(outer, &dominators, &loops, nullptr, nullptr, nullptr, false);
      formLCSSARecursively(*outer, dominators, &loops, nullptr);
    }
    const auto varying = find_varying(k_);
    PostDominatorTree post_dominators(k_.f);
    for (Loop* l : loops.getLoopsInPreorder()) {
      if (!l->isInnermost() || !seen_.insert(l->getHeader()).second) continue;
      std::optional<turn_loop> t = find_turn_loop(k_, *l, *varying, post_dominators, dominators);
      if (!t) continue;
      any_geometry_ = t->any_geometry;
      turn(*t, *varying);
      return true;
    }
    return false;
  }
  void move_to_turn(const turn_loop& t, Value* v, Instruction* before) {
    auto* i = dyn_cast<Instruction>(v);
    if (i == nullptr || !t.loop->contains(i) || isa<PHINode>(i)) return;
    for (Use& o : i->operands()) move_to_turn(t, o.get(), before);
    i->moveBefore(before);
  }

  // Afterwards the guard leads to the preheader, and that is empty. Returns whether there is any turn.
  Value* ask_in_guard(turn_loop& t) {
    if (t.asks_for_any == nullptr) return nullptr;
    auto* const branch = cast<BranchInst>(t.asks_for_any->getTerminator());
    Instruction* const end = t.guard->getTerminator();
    for (BasicBlock* bb : {t.asks_for_any, t.preheader})
      for (Instruction& i : make_early_inc_range(*bb)) {
        if (i.isTerminator()) break;
        if (auto* phi = dyn_cast<PHINode>(&i)) {
          phi->replaceAllUsesWith(phi->getIncomingValue(0));
          phi->eraseFromParent();
          continue;
        }
        i.dropUnknownNonDebugMetadata();
        i.moveBefore(end);
      }
    IRBuilder<> b(end);
    Value* const condition = branch->getCondition();
    return branch->getSuccessor(0) == t.preheader ? condition : b.CreateNot(condition);
  }

  // What the preheader computes goes to the guard where it can; threads that do not enter have no value of the rest.
  void values_at_meet(turn_loop& t, BasicBlock* meet) {
    if (t.guard == nullptr) return;
    for (Instruction& i : make_early_inc_range(*t.preheader)) {
      if (i.isTerminator()) break;
      if (auto* phi = dyn_cast<PHINode>(&i)) {
        phi->replaceAllUsesWith(phi->getIncomingValue(0));
        phi->eraseFromParent();
        continue;
      }
      const bool there = all_of(i.operands(), [&](const Use& o) {
        auto* from = dyn_cast<Instruction>(o.get());
        return from == nullptr || from->getParent() != t.preheader;
      });
      if (there && !i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i)) {
        i.dropUnknownNonDebugMetadata();
        i.moveBefore(t.guard->getTerminator());
        continue;
      }
      if (i.use_empty()) continue;
      auto* const phi = PHINode::Create(i.getType(), 2, "met", meet);
      i.replaceUsesWithIf(phi, [&](Use& u) {
        return cast<Instruction>(u.getUser())->getParent() != t.preheader || isa<PHINode>(u.getUser());
      });
      phi->addIncoming(&i, t.preheader);
      phi->addIncoming(PoisonValue::get(i.getType()), t.guard);
    }
  }

  void turn(turn_loop& t, const dependence& varying) {
    const stride* const by = t.by_stride ? &*t.by_stride : nullptr;
    if (by != nullptr)
      holds_ = holds_ == nullptr ? by->holds : IRBuilder<>(k_.entry->getTerminator()).CreateAnd(holds_, by->holds);
    const auto block = [&](const char* name) { return BasicBlock::Create(c_, name, &k_.f, t.header); };
    BasicBlock *const meet = block("meet"), *const turn = block("turn"), *const ask = block("ask");
    BasicBlock *const turned = block("turned"), *const done = block("done");
    Value* const any = ask_in_guard(t);
    if (any == nullptr) values_at_meet(t, meet);
    auto* const latch_branch = cast<BranchInst>(t.latch->getTerminator());
    Value* const again = latch_branch->getCondition();
    const bool again_if = latch_branch->getSuccessor(0) == t.header;

    // The ways to the turns.
    t.preheader->getTerminator()->replaceUsesOfWith(t.header, meet);
    if (t.guard != nullptr) {
      auto* const branch = cast<BranchInst>(t.guard->getTerminator());
      branch->setSuccessor(t.enters_if ? 1 : 0, meet);
      if (any != nullptr) branch->setSuccessor(t.enters_if ? 0 : 1, meet);
      for (PHINode& phi : t.join->phis()) phi.replaceIncomingBlockWith(t.guard, done);
    }
    if (any == nullptr)
      BranchInst::Create(turn, meet);
    else
      BranchInst::Create(turn, done, any, meet);
    BranchInst* const end_of_turn = BranchInst::Create(ask, turn);  // replaced below

    // What the loop carries.
    DenseMap<Value*, Value*> carried;  // by the value at the latch: how it comes out of the turns
    const auto carry = [&](Type* type, Value* first, Value* next, bool uniform) {
      auto* const in = PHINode::Create(type, 2, "turn", &turn->front());
      in->addIncoming(first, meet);
      Value* out = next;
      if (!uniform && t.guard != nullptr) {  // else all take part in every turn
        auto* const merged = PHINode::Create(type, 2, "turned", turned);
        merged->addIncoming(next, t.latch);
        merged->addIncoming(in, ask);
        out = merged;
      }
      in->addIncoming(out, turned);
      carried[next] = t.by_stride ? in : out;
      return in;
    };
    if (!t.by_stride) move_to_turn(t, again, end_of_turn);
    for (PHINode& phi : make_early_inc_range(t.header->phis())) {
      Value* const first = phi.getIncomingValueForBlock(t.preheader);
      Value* const next = phi.getIncomingValueForBlock(t.latch);
      if (t.by_stride && &phi == t.by_stride->index) continue;
      const bool uniform = !varying.has(&phi) && !varying.has(next) && moves_to_turn(t, next);
      if (uniform) move_to_turn(t, next, end_of_turn);
      PHINode* const in = carry(phi.getType(), first, next, uniform);
      phi.replaceAllUsesWith(in);
      for (auto& [at_latch, out] : carried)
        if (out == &phi) out = in;
      phi.eraseFromParent();
    }
    const auto came_out = [&](Value* v) {
      const auto out = carried.find(v);
      return out == carried.end() ? v : out->second;
    };
    for (PHINode& phi : make_early_inc_range(t.exit->phis())) {
      Value* const v = phi.getIncomingValue(0);
      auto* const i = dyn_cast<Instruction>(v);
      if (i != nullptr && t.loop->contains(i) && carried.count(v) == 0)
        carry(v->getType(), PoisonValue::get(v->getType()), v, false);
      phi.replaceAllUsesWith(came_out(v));
      phi.eraseFromParent();
    }
    if (any != nullptr)  // without a turn, threads come from where they asked
      for (PHINode& phi : t.exit->getSingleSuccessor()->phis()) {
        auto* const either = PHINode::Create(phi.getType(), 2, "either", done);
        either->addIncoming(phi.getIncomingValueForBlock(t.asks_for_any), meet);
        either->addIncoming(phi.getIncomingValueForBlock(t.exit), turned);
        phi.removeIncomingValue(t.asks_for_any, false);
        phi.setIncomingValueForBlock(t.exit, either);
      }

    // Who takes part, and how long.
    IRBuilder<> b(ask);
    Value* takes_part = nullptr;
    IRBuilder<> at_turn(end_of_turn);
    if (t.by_stride) {
      auto* const lowest = PHINode::Create(b.getInt64Ty(), 2, "lowest", &turn->front());
      lowest->addIncoming(by->first.base, meet);
      Value* index = lowest;
      for (unsigned d = 0; d < 3; ++d) {
        if (by->first.factor[d] == nullptr) continue;
        auto* const one = dyn_cast<ConstantInt>(by->first.factor[d]);
        Value* const part = one != nullptr && one->isOne()
                                ? k_.index[d]
                                : b.CreateMul(by->first.factor[d], k_.index[d], "", true, true);
        index = b.CreateAdd(index, part, "", true, true);
      }
      takes_part = b.CreateICmpSLT(index, by->end);
      replace_index(*t.by_stride->index, index, b);
      IRBuilder<> at_end(turned);
      lowest->addIncoming(at_end.CreateAdd(lowest, by->step_wide, "", true, true), turned);
      at_end.CreateBr(turn);
      at_turn.CreateCondBr(at_turn.CreateICmpSLT(lowest, by->end), ask, done);
      end_of_turn->eraseFromParent();
    } else {
      if (t.guard != nullptr) takes_part = t.enters_if ? t.entered : b.CreateNot(t.entered);
      IRBuilder<>(turned).CreateCondBr(again, again_if ? turn : done, again_if ? done : turn);
    }
    if (takes_part != nullptr)
      b.CreateCondBr(takes_part, t.header, turned);
    else
      b.CreateBr(t.header);
    BranchInst::Create(turned, t.latch);
    latch_branch->eraseFromParent();
    if (t.guard != nullptr)
      BranchInst::Create(t.enters_if ? t.exit : t.join, t.enters_if ? t.join : t.exit, t.entered, done);
    else
      BranchInst::Create(t.exit, done);
    if (any != nullptr) {  // nobody comes there any more
      t.asks_for_any->getTerminator()->eraseFromParent();
      new UnreachableInst(c_, t.asks_for_any);
      EliminateUnreachableBlocks(k_.f);
    }
    k_.barriers.push_back(turn);
    seen_.insert(turn);
  }

  // Not negative and far from the end of its type, so that all extensions are the wide index itself.
  static void replace_index(PHINode& phi, Value* wide, IRBuilder<>& b) {
    for (User* u : make_early_inc_range(phi.users()))
      if ((isa<SExtInst>(u) || isa<ZExtInst>(u)) && u->getType() == wide->getType()) {
        u->replaceAllUsesWith(wide);
        cast<Instruction>(u)->eraseFromParent();
      }
    phi.replaceAllUsesWith(b.CreateTrunc(wide, phi.getType()));
    phi.eraseFromParent();
  }

  kernel_form& k_;
  LLVMContext& c_;
  SmallPtrSet<BasicBlock*, 16> seen_;  // headers
  Value* holds_ = nullptr;
  int turned_ = 0;
  bool any_geometry_ = false;
};

}  // namespace

turned_loops put_threads_inside(kernel_form& k) { return turner(k).run(); }

}  // namespace simt::compile
