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

#include "copied_blocks.hpp"
#include "lane_dependence.hpp"
#include "merged_guards.hpp"
#include "partial_loads.hpp"
#include "turn_loop.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

class turner {
 public:
  explicit turner(kernel_form& k) : k_(k), c_(k.f.getContext()) {}

  turned_loops run() {
    merge_guards(k_);
    while (turn_one()) ++turned_;
    if (turned_ == 0) return {};
    // Else what comes out of turns by a phi is copied in each turn. All threads end them alike: it is the same behind.
    for (BasicBlock& bb : k_.f)
      if (ends_of_turns_.count(bb.getSinglePredecessor()) != 0)
        for (PHINode& phi : make_early_inc_range(bb.phis())) replace_phi(phi);
    const bool is_all = any_geometry_ && turned_ == 1;
    return {holds_ == nullptr ? ConstantInt::getTrue(c_) : holds_, is_all, is_all ? apart_ : apart_elements{}};
  }

 private:
  bool turn_one() {
    DominatorTree dominators(k_.f);
    LoopInfo loops(dominators);
    for (Loop* outer : loops) {
      simplifyLoop(outer, &dominators, &loops, nullptr, nullptr, nullptr, false);
      formLCSSARecursively(*outer, dominators, &loops, nullptr);
    }
    for (Loop* l : loops.getLoopsInPreorder()) copy_carried(*l);
    const auto varying = find_varying(k_);
    PostDominatorTree post_dominators(k_.f);
    for (Loop* l : loops.getLoopsInPreorder()) {
      if (!seen_.insert(l->getHeader()).second) continue;
      std::optional<turn_loop> t = find_turn_loop(k_, *l, *varying, post_dominators, dominators);
      if (t) {
        any_geometry_ = t->any_geometry;
        if (any_geometry_) apart_ = find_apart_elements(k_, *t);
        turn(*t, *varying);
        return true;
      }
      if (k_.warp_operations.empty() || !l->isInnermost()) continue;
      const lane_dependence lanes(k_);
      t = find_warp_turn_loop(k_, *l, lanes, post_dominators, dominators);
      if (!t) continue;
      any_geometry_ = false;
      turn(*t, lanes.found());
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

  static void replace_phi(PHINode& phi) {  // of a block with one predecessor
    phi.replaceAllUsesWith(phi.getIncomingValue(0));
    phi.eraseFromParent();
  }
  // What the loop carries is another value behind a turn than in it: what is to come out of the turn as it was before
  // gets a name of its own. (`below = here; here = above;`)
  static void copy_carried(const Loop& l) {
    BasicBlock *const latch = l.getLoopLatch(), *const exit = l.getUniqueExitBlock(), *const header = l.getHeader();
    if (latch == nullptr || exit == nullptr) return;
    for (PHINode& phi : header->phis()) {
      Instruction* copy = nullptr;
      for (Use& use : make_early_inc_range(phi.uses())) {
        auto* const user = dyn_cast<PHINode>(use.getUser());
        if (user == nullptr || (user->getParent() != header && user->getParent() != exit)) continue;
        if (copy == nullptr) copy = new BitCastInst(&phi, phi.getType(), "before", &*header->getFirstInsertionPt());
        use.set(copy);
      }
    }
  }

  // Afterwards the guard knows whether there is any turn, which is returned. Threads that would pass by the loop where
  // they asked come to `meet`.
  Value* ask_in_guard(turn_loop& t, BasicBlock* meet) {
    if (t.asks_for_any == nullptr) return nullptr;
    auto* const branch = cast<BranchInst>(t.asks_for_any->getTerminator());
    for (PHINode& phi : make_early_inc_range(t.asks_for_any->phis())) replace_phi(phi);
    Instruction* const end = t.guard->getTerminator();
    move_up(branch->getCondition(), *t.asks_for_any, end);
    const bool any_if = branch->getSuccessor(0) == t.preheader;
    branch->setSuccessor(any_if ? 1 : 0, meet);
    return any_if ? branch->getCondition() : IRBuilder<>(end).CreateNot(branch->getCondition());
  }
  static void move_up(Value* v, const BasicBlock& from, Instruction* before) {
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || i->getParent() != &from) return;
    for (Use& o : i->operands()) move_up(o.get(), from, before);
    i->dropUnknownNonDebugMetadata();
    i->moveBefore(before);
  }

  // What is computed in front of the loop goes to the guard where it can. What is the same for all is made behind the
  // place where all meet, if any thread enters; threads that do not enter have no value of the rest. Returns what leads
  // to the turns.
  BasicBlock* values_at_meet(turn_loop& t, BasicBlock* meet, const dependence& varying) {
    if (t.guard == nullptr) return meet;
    BasicBlock *alike = nullptr, *begin = meet;
    SmallVector<BasicBlock*> ahead, past{t.guard};
    if (t.asks_for_any != nullptr) ahead.push_back(t.asks_for_any);
    ahead.push_back(t.preheader);
    const bool writes = any_of(*t.preheader, [](const Instruction& i) { return i.mayHaveSideEffects(); });
    for (ArrayRef<BasicBlock*> made = ahead; !made.empty(); past.push_back(made.front()), made = made.drop_front())
      for (Instruction& i : make_early_inc_range(*made.front())) {
        if (i.isTerminator()) break;
        if (auto* phi = dyn_cast<PHINode>(&i)) {
          replace_phi(*phi);
          continue;
        }
        const auto uses_of = [&](ArrayRef<BasicBlock*> blocks) {
          return any_of(i.operands(), [&](const Use& o) {
            auto* from = dyn_cast<Instruction>(o.get());
            return from != nullptr && is_contained(blocks, from->getParent());
          });
        };
        const bool there = !uses_of(ahead);
        if (begin != meet && uses_of(begin)) {
          i.moveBefore(*begin, begin->end());
        } else if (there && can_be_made_anywhere(i)) {
          i.dropUnknownNonDebugMetadata();
          i.moveBefore(t.guard->getTerminator());
        } else if (t.by_stride && isa<LoadInst>(i) && there && !writes && !varying.has(&i) && can_follow(i)) {
          if (alike == nullptr) {
            alike = BasicBlock::Create(c_, "alike", &k_.f, t.header);
            begin = BasicBlock::Create(c_, "begin", &k_.f, t.header);
            BranchInst::Create(begin, alike);
            IRBuilder<> b(meet);
            b.CreateCondBr(any_takes_part(*t.by_stride, lowest_at_first(*t.by_stride), b), alike, begin);
          }
          replace_behind(i, *begin, {alike}, {meet}, [](const Instruction&) { return true; });
          i.moveBefore(alike->getTerminator());
        } else if (!i.use_empty()) {
          replace_behind(i, *meet, made, past, [&](const Instruction& user) {
            return !is_contained(ahead, user.getParent()) || isa<PHINode>(user);
          });
        }
      }
    return begin;
  }
  static bool can_be_made_anywhere(const Instruction& i) {
    return !i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i);
  }
  // What is made of i where it is now can be made later.
  static bool can_follow(const Instruction& i) {
    return all_of(i.users(), [&](const User* u) {
      auto* const user = cast<Instruction>(u);
      return user->getParent() != i.getParent() || (can_be_made_anywhere(*user) && can_follow(*user));
    });
  }
  // Where `at` begins, those who come from `made` have i, and those who come by way of `past` have no value of it.
  // Users that are behind use this.
  template <class Test>
  static void replace_behind(Instruction& i, BasicBlock& at, ArrayRef<BasicBlock*> made, ArrayRef<BasicBlock*> past,
                             Test is_behind) {
    auto* const met = PHINode::Create(i.getType(), 2, "met", &at);
    met->moveBefore(at, at.begin());
    i.replaceUsesWithIf(met, [&](Use& u) { return is_behind(*cast<Instruction>(u.getUser())); });
    for (BasicBlock* from : made) met->addIncoming(&i, from);
    for (BasicBlock* from : past) met->addIncoming(PoisonValue::get(i.getType()), from);
  }

  // Of the threads that make turns together, the first one's index is the lowest.
  static Value* lowest_at_first(const stride& s) { return s.first_lane != nullptr ? s.first_lane : s.first.base; }
  static Value* any_takes_part(const stride& s, Value* lowest, IRBuilder<>& b) {
    if (s.first_lane != nullptr) return b.CreateICmp(s.goes_on, lowest, s.limit_in_guard);
    return b.CreateICmpSLT(lowest, s.end);
  }

  void turn(turn_loop& t, const dependence& varying) {
    const stride* const by = t.by_stride ? &*t.by_stride : nullptr;
    if (by != nullptr && by->holds != nullptr)
      holds_ = holds_ == nullptr ? by->holds : IRBuilder<>(k_.entry->getTerminator()).CreateAnd(holds_, by->holds);
    const auto block = [&](const char* name) { return BasicBlock::Create(c_, name, &k_.f, t.header); };
    BasicBlock *const meet = block("meet"), *const turn = block("turn"), *const ask = block("ask");
    BasicBlock *const turned = block("turned"), *const done = block("done");
    if (!t.of_warp) ends_of_turns_.insert(t.by_stride ? turn : turned);
    Value* const any = ask_in_guard(t, meet);
    BasicBlock* const begin = values_at_meet(t, meet, varying);  // leads to the turns
    auto* const latch_branch = cast<BranchInst>(t.latch->getTerminator());
    Value* const again = latch_branch->getCondition();
    const bool again_if = latch_branch->getSuccessor(0) == t.header;

    // The ways to the turns.
    t.preheader->getTerminator()->replaceUsesOfWith(t.header, meet);
    if (t.guard != nullptr) {
      auto* const branch = cast<BranchInst>(t.guard->getTerminator());
      branch->setSuccessor(t.enters_if ? 1 : 0, meet);
      for (PHINode& phi : t.join->phis()) phi.replaceIncomingBlockWith(t.guard, done);
    }
    if (any == nullptr)
      BranchInst::Create(turn, begin);
    else
      BranchInst::Create(turn, done, any, begin);
    BranchInst* const end_of_turn = BranchInst::Create(ask, turn);  // replaced below

    // What the loop carries.
    DenseMap<Value*, Value*> carried;  // by the value at the latch: how it comes out of the turns
    const auto carry = [&](Type* type, Value* first, Value* next, bool uniform) {
      auto* const in = PHINode::Create(type, 2, "turn", &turn->front());
      in->addIncoming(first, begin);
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
      auto* const lowest = PHINode::Create(lowest_at_first(*by)->getType(), 2, "lowest", &turn->front());
      lowest->addIncoming(lowest_at_first(*by), begin);
      IRBuilder<> at_end(turned);
      Value* const following =
          t.of_warp ? step_of_warp(t, *by, lowest, at_end) : at_end.CreateAdd(lowest, by->step_wide, "", true, true);
      lowest->addIncoming(following, turned);
      takes_part = t.of_warp ? index_of_lane(*by, lowest, b, at_turn) : index_of_thread(*by, lowest, b);
      if (t.asks_more) takes_part = b.CreateAnd(t.enters_if ? t.entered : b.CreateNot(t.entered), takes_part);
      at_end.CreateBr(turn);
      at_turn.CreateCondBr(any_takes_part(*by, lowest, at_turn), ask, done);
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
    (t.of_warp ? k_.warp_turns : k_.barriers).push_back(turn);
    seen_.insert(turn);
    if (!t.of_warp) return;
    part_whole_turns(t, *begin, *turn, *ask, *turned);
    load_for_all_lanes(t, varying, *index_, *ask, *turned);
  }

  // In front of the turns of a warp, those in which all of its lanes take part: nobody asks there.
  void part_whole_turns(const turn_loop& t, BasicBlock& begin, BasicBlock& turn, BasicBlock& ask, BasicBlock& turned) {
    SmallVector<BasicBlock*> blocks{&turn, &ask};
    append_range(blocks, t.loop->blocks());
    blocks.push_back(&turned);
    ValueToValueMapTy map;
    const SmallVector<BasicBlock*> copies = copy_blocks(blocks, map, ".whole", k_.f);
    const auto copy_of = [&](Value* v) -> Value* { return map.lookup(v); };
    BasicBlock *const whole_turn = copies[0], *const whole_ask = copies[1], *const whole_turned = copies.back();
    for (PHINode& phi : make_early_inc_range(whole_turned->phis())) {
      phi.replaceAllUsesWith(phi.getIncomingValueForBlock(cast<BasicBlock>(copy_of(t.latch))));
      phi.eraseFromParent();
    }
    whole_ask->getTerminator()->eraseFromParent();
    BranchInst::Create(cast<BasicBlock>(copy_of(t.header)), whole_ask);
    auto* const any = cast<BranchInst>(whole_turn->getTerminator());
    IRBuilder<> b(any);
    Value* const left = copy_of(left_);
    const auto more = t.by_stride->counts_limit() ? ICmpInst::ICMP_UGE : ICmpInst::ICMP_UGT;
    Value* const all = b.CreateICmp(more, left, ConstantInt::get(left->getType(), kLanes - 1));
    b.CreateCondBr(b.CreateAnd(any->getCondition(), all), whole_ask, &turn);
    any->eraseFromParent();
    begin.getTerminator()->replaceSuccessorWith(&turn, whole_turn);
    for (PHINode& phi : turn.phis()) {
      phi.setIncomingValueForBlock(&begin, copy_of(&phi));
      phi.replaceIncomingBlockWith(&begin, whole_turn);
    }
    k_.warp_turns.push_back(whole_turn);
    k_.partial_turns.insert(&ask);
    seen_.insert(whole_turn);
  }

  // These make the running thread's index, and return whether it takes part in this turn.
  Value* index_of_thread(const stride& s, Value* lowest, IRBuilder<>& b) {
    Value* index = lowest;
    for (unsigned d = 0; d < 3; ++d) {
      if (s.first.factor[d] == nullptr) continue;
      auto* const one = dyn_cast<ConstantInt>(s.first.factor[d]);
      Value* const part =
          one != nullptr && one->isOne() ? k_.index[d] : b.CreateMul(s.first.factor[d], k_.index[d], "", true, true);
      index = b.CreateAdd(index, part, "", true, true);
    }
    Value* const takes_part = b.CreateICmpSLT(index, s.end);
    replace_index(*s.index, index, b);
    return takes_part;
  }
  // How far the limit is from the lowest index is known of all lanes alike, and no subtraction wraps where any takes
  // part.
  Value* index_of_lane(const stride& s, Value* lowest, IRBuilder<>& b, IRBuilder<>& at_turn) {
    Type* const type = s.index->getType();
    Value* const number = b.CreateAnd(s.place, ConstantInt::get(s.place->getType(), kLanes - 1));
    Value* const lane = b.CreateZExtOrTrunc(number, type);
    left_ = at_turn.CreateSub(s.limit_in_guard, lowest, "left");
    Value* const takes_part = is_one_of_first(k_, left_, s.counts_limit(), number, b, at_turn);
    index_ = cast<Instruction>(b.CreateAdd(lowest, lane, "index", !s.is_signed(), s.is_signed()));
    s.index->replaceAllUsesWith(index_);
    s.index->eraseFromParent();
    return takes_part;
  }
  static Value* step_of_warp(const turn_loop& t, const stride& s, Value* lowest, IRBuilder<>& b) {
    auto* const next = cast<BinaryOperator>(s.index->getIncomingValueForBlock(t.latch));
    return b.CreateAdd(lowest, s.step, "", next->hasNoUnsignedWrap(), next->hasNoSignedWrap());
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
  SmallPtrSet<BasicBlock*, 16> seen_, ends_of_turns_;  // headers, and what leads out of turns
  Value* holds_ = nullptr;
  Value* left_ = nullptr;         // of the warp's turns that were made last
  Instruction* index_ = nullptr;  // of the running lane in them
  int turned_ = 0;
  bool any_geometry_ = false;
  apart_elements apart_;
};

}  // namespace

turned_loops put_threads_inside(kernel_form& k) { return turner(k).run(); }

}  // namespace simt::compile
