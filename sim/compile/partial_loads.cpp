// SPDX-License-Identifier: Apache-2.0
#include "partial_loads.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "loop_nest.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

class splitter {
 public:
  splitter(const turn_loop& t, const dependence& varying, Instruction& index, BasicBlock& ask, BasicBlock& turned)
      : body_(*t.header), varying_(varying), index_(&index), lowest_(index.getOperand(0)), ask_(ask), turned_(turned) {}

  void run() {
    for (const Instruction& i : body_)
      if (i.mayHaveSideEffects() || isa<PHINode>(i) || (isa<LoadInst>(i) && !cast<LoadInst>(i).isSimple())) return;
    find_scattered();
    if (scattered_.empty()) return;
    for (Instruction* load : scattered_)
      if (!looks_right(*cast<LoadInst>(load)->getPointerOperand())) return;
    split();
  }

 private:
  static bool is_made_of(const Instruction& i, const SmallSetVector<Instruction*, 16>& set) {
    return any_of(i.operands(), [&](const Use& o) {
      auto* const made = dyn_cast<Instruction>(o.get());
      return made != nullptr && set.count(made) != 0;
    });
  }
  // What is loaded from where loaded elements say, all that is made of it, and what it alone is made of.
  void find_scattered() {
    SmallSetVector<Instruction*, 16> of_data;
    for (Instruction& i : body_) {
      if (i.isTerminator()) continue;
      const bool by_data = is_made_of(i, of_data), is_load = isa<LoadInst>(i);
      if (is_load || by_data) of_data.insert(&i);
      if (is_load && by_data) scattered_.insert(&i);
      if ((is_load && by_data) || is_made_of(i, rest_)) rest_.insert(&i);
    }
    const auto is_of_rest = [&](const User* u) { return rest_.count(cast<Instruction>(const_cast<User*>(u))) != 0; };
    for (Instruction& i : reverse(body_))
      if (!isa<LoadInst>(i) && of_data.count(&i) != 0 && all_of(i.users(), is_of_rest)) rest_.insert(&i);
  }
  bool is_side_by_side(const Value* v) const {
    auto* const i = dyn_cast<Instruction>(v);
    return i != nullptr && i->getParent() == &body_ && rest_.count(const_cast<Instruction*>(i)) == 0;
  }
  // An address of a lane that takes no part can be the first one's: it is made of the index, of what is the same for
  // the warp, and of what is loaded by these.
  bool looks_right(Value& v) {
    if (&v == index_) needed_.insert(&v);
    if (&v == index_ || &v == lowest_) return true;
    auto* const i = dyn_cast<Instruction>(&v);
    if (i == nullptr) return !varying_.has(&v);
    // What has been made for the turns is not known to be the same.
    if (i->getParent() != &body_)
      return !varying_.has(&v) && i->getParent() != &ask_ && i->getParent() != ask_.getSinglePredecessor();
    if (is_side_by_side(&v)) needed_.insert(&v);
    return all_of(i->operands(), [&](const Use& o) { return looks_right(*o.get()); });
  }

  // What v is for the first lane, made where lanes ask whether they take part.
  Value* of_first_lane(Value* v) {
    if (v == index_) return lowest_;
    if (!is_side_by_side(v)) return v;
    Value*& known = of_first_[v];
    if (known != nullptr) return known;
    Instruction* const copy = cast<Instruction>(v)->clone();
    for (Use& o : copy->operands()) o.set(of_first_lane(o.get()));
    copy->insertBefore(ask_.getTerminator());
    return of_first_[v] = copy;
  }

  // Frozen, or LLVM makes one load of two, whose address differs between lanes.
  Value* of_first_loaded(Value* v) {
    Value* const first = of_first_lane(v);
    return isa<LoadInst>(first) ? IRBuilder<>(ask_.getTerminator()).CreateFreeze(first) : first;
  }

  void split() {
    BasicBlock* const all = SplitBlock(&body_, body_.getTerminator());
    all->setName("scattered");
    auto* const asks = cast<BranchInst>(ask_.getTerminator());
    for (Instruction& i : make_early_inc_range(body_))
      if (rest_.count(&i) != 0) i.moveBefore(all->getTerminator());
    // What is made side by side, or the index, is the first lane's for those that do not take part.
    for (Instruction* i : rest_)
      for (Use& o : i->operands())
        if (is_side_by_side(o.get()) || o.get() == index_) o.set(met(o.get(), *all));
    asks->replaceUsesOfWith(&turned_, all);
    const bool first_takes_part = asks->getSuccessor(0) == &body_;
    IRBuilder<> b(all->getTerminator());
    for (PHINode& phi : make_early_inc_range(turned_.phis())) {
      Value *next = phi.getIncomingValueForBlock(all), *const kept = phi.getIncomingValueForBlock(&ask_);
      if (is_side_by_side(next))
        next = meet(next, kept, *all);
      else
        next = b.CreateSelect(asks->getCondition(), first_takes_part ? next : kept, first_takes_part ? kept : next);
      phi.replaceAllUsesWith(next);
      phi.eraseFromParent();
    }
  }
  PHINode* meet(Value* v, Value* without, BasicBlock& at) {
    auto* const phi = PHINode::Create(v->getType(), 2, "of.all", &at.front());
    phi->addIncoming(v, &body_);
    phi->addIncoming(without, &ask_);
    return phi;
  }
  Value* met(Value* v, BasicBlock& at) {
    Value*& known = met_[v];
    if (known == nullptr)
      known = meet(v, needed_.count(v) != 0 ? of_first_loaded(v) : Constant::getNullValue(v->getType()), at);
    return known;
  }

  BasicBlock& body_;
  const dependence& varying_;
  Value *const index_, *const lowest_;
  BasicBlock &ask_, &turned_;
  SmallSetVector<Instruction*, 16> scattered_, rest_;  // the loads; and what all lanes do
  SmallSetVector<Value*, 16> needed_;                  // for addresses, of what only some do
  DenseMap<Value*, Value*> of_first_, met_;
};

}  // namespace

Value* is_one_of_first(const kernel_form& k, Value* left, bool and_one, Value* lane, IRBuilder<>& b,
                       IRBuilder<>& at_turn) {
  Type *const type = left->getType(), *const wide = b.getInt64Ty(), *const narrow = b.getInt32Ty();
  if (!has_whole_rows(k)) {
    Value* const number = b.CreateZExtOrTrunc(lane, type);
    return and_one ? b.CreateICmpULE(number, left) : b.CreateICmpULT(number, left);
  }
  const std::uint64_t one = and_one ? 1 : 0;
  Value* const few = at_turn.CreateBinaryIntrinsic(Intrinsic::umin, left, ConstantInt::get(type, kLanes - one));
  Value* const count = at_turn.CreateAdd(at_turn.CreateZExtOrTrunc(few, wide), ConstantInt::get(wide, one));
  Value* const others = at_turn.CreateLShr(at_turn.getInt64(0xffffffff), count);
  Value* const bits = at_turn.CreateNot(at_turn.CreateTrunc(others, narrow));
  return b.CreateICmpSLT(b.CreateShl(bits, b.CreateZExtOrTrunc(lane, narrow)), ConstantInt::get(narrow, 0));
}

void load_for_all_lanes(const turn_loop& t, const dependence& varying, Instruction& index, BasicBlock& ask,
                        BasicBlock& turned) {
  if (t.header == t.latch && !t.asks_more) splitter(t, varying, index, ask, turned).run();
}

}  // namespace simt::compile
