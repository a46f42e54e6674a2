// SPDX-License-Identifier: Apache-2.0
#include "warp_operations.hpp"

#include <llvm/IR/MDBuilder.h>

#include "engine_calls.hpp"
#include "lane_dependence.hpp"
#include "lane_patterns.hpp"
#include "loop_bodies.hpp"
#include "loop_nest.hpp"
#include "regions.hpp"
#include "values.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// simt::sim::warp_op (sim/exec/warp.hpp), which checks these numbers.
enum warp_op : unsigned {
  kSync,
  kFirstShuffle,
  kLastShuffle = kFirstShuffle + 3,
  kAny,
  kAll,
  kBallot = kBallotOperation,
  kMatchAny,
  kMatchAll,
};

constexpr int kMostLaneArrays = 8;  // of one type, on a stack that may be small

enum argument : unsigned { kOp, kType, kMask, kValue, kParam = kAskedLane };
unsigned op_of(const CallInst& c) {
  return static_cast<unsigned>(cast<ConstantInt>(c.getArgOperand(kOp))->getZExtValue());
}

// Of __activemask(): nobody takes part in anything.
bool asks_only(const CallInst& c) {
  auto* const param = dyn_cast<ConstantInt>(c.getArgOperand(kParam));
  return op_of(c) == kBallot && param != nullptr && param->getZExtValue() == kAsksOnly;
}

class lowering {
 public:
  lowering(kernel_form& k, region_map& m, DenseMap<region*, loop_nest>& nests, value_places& values)
      : k_(k), m_(m), nests_(nests), values_(values), number_(Type::getInt32Ty(k.f.getContext())) {}

  void run() {
    for (warp_operation& o : k_.warp_operations) {
      lower(o);
      ++operations_;
      o.call->removeFromParent();
      o.call->dropAllReferences();
    }
  }

 private:
  void lower(const warp_operation& o) {
    CallInst& call = *o.call;
    const unsigned op = op_of(call);
    // Of lanes that name the same ones all are named, or it is a fault.
    const bool one_mask = is_alike(mask_of(call));
    if (one_mask) look_at_mask(o);
    Value* const masks = one_mask || names_known_lanes(call) ? nullptr : compare_masks(o);
    if (watched_ && !o.shuffles && !asks_only(call)) announce(o, *m_.of(&call), masks, nullptr);
    if (op == kSync) return give(o, [&](IRBuilder<>& b) { return b.getInt64(0); });
    if (o.shuffles) return lower_shuffle(o, masks);
    region* const r = m_.of(&call);
    if (op >= kAny && op <= kBallot) return lower_vote(o, op, *r);
    Value* const in = array(Type::getInt64Ty(call.getContext()), "in");
    Value* const out = array(Type::getInt64Ty(call.getContext()), "out");
    Instruction* const last = call.getPrevNode();
    IRBuilder<> b(&call);
    b.CreateStore(call.getArgOperand(kValue), element(in, b.getInt64Ty(), *r, b));
    mark_made(last, &call);
    IRBuilder<> once(nests_[r].after);
    if (masks != nullptr)
      tell_engine("simt_loop_warp_of_masks", o, once,
                  {call.getArgOperand(kOp), call.getArgOperand(kType), r->in->live, masks, in, out});
    else
      tell_engine("simt_loop_warp", o, once,
                  {call.getArgOperand(kOp), call.getArgOperand(kType), r->in->live,
                   once.getInt32(one_mask ? kLanes : tile_size(call)), in, out});
    if (m_.alike_in_warp.count(&call) != 0) return give_one(o, *r, out, b.getInt64Ty());
    give(o, [&](IRBuilder<>& at) {
      return at.CreateLoad(at.getInt64Ty(), element(out, at.getInt64Ty(), *region_behind(o), at));
    });
  }

  void tell_engine(const char* name, const warp_operation& o, IRBuilder<>& b, ArrayRef<Value*> values) {
    SmallVector<Type*> types;
    for (Value* v : values) types.push_back(v->getType());
    FunctionCallee told = k_.f.getParent()->getOrInsertFunction(name, FunctionType::get(b.getVoidTy(), types, false));
    cast<Function>(told.getCallee())->setDoesNotThrow();
    b.SetCurrentDebugLocation(o.call->getDebugLoc());
    b.CreateCall(told, values);
  }

  // Lanes name some of the warp. All who are there have come; the engine looks whether those who are named name the
  // same ones, and gives the array of the masks.
  Value* compare_masks(const warp_operation& o) {
    CallInst& call = *o.call;
    region& mine = *m_.of(&call);
    Value* const masks = array(number_, "masks");
    Instruction* const last = call.getPrevNode();
    IRBuilder<> b(&call);
    b.CreateStore(mask_of(call), element(masks, number_, mine, b));
    mark_made(last, &call);
    IRBuilder<> once(nests_[&mine].after);
    tell_engine("simt_loop_masks", o, once,
                {k_.f.getArg(parameter::block), once.CreateTrunc(mine.in->first_rank, number_), mine.in->live, masks,
                 call.getArgOperand(kOp)});
    return masks;
  }
  // The same for all lanes of a warp.
  bool is_alike(Value* v) const {
    if (watched_ || isa<Constant>(v)) return !watched_ && !cast<Constant>(v)->isAllOnesValue();
    return m_.alike_in_warp.count(v) != 0 || !m_.varying->has(v);
  }
  // All lanes name the same ones, and have to be among them.
  void look_at_mask(const warp_operation& o) {
    Value* mask = mask_of(*o.call);
    region& mine = *m_.of(o.call);
    BasicBlock*& after = nests_[&mine].after;
    IRBuilder<> once(after);
    if (!isa<Constant>(mask)) mask = once.CreateLoad(number_, values_.left_for_warp(mask, &mine));
    Value* const live = mine.in->live;
    auto* const missing = BasicBlock::Create(once.getContext(), "lanes.missing", &k_.f);
    auto* const on = BasicBlock::Create(once.getContext(), "lanes.named", &k_.f);
    Value* const all_named = once.CreateICmpEQ(once.CreateAnd(live, once.CreateNot(mask)), once.getInt32(0));
    once.CreateCondBr(all_named, on, missing, MDBuilder(once.getContext()).createBranchWeights(1 << 20, 1));
    IRBuilder<> b(missing);
    Value* const masks = array(number_, "masks");
    b.CreateAlignedStore(b.CreateVectorSplat(kLanes, mask), masks, Align(kArrayAlign));
    tell_engine("simt_loop_masks", o, b,
                {k_.f.getArg(parameter::block), b.CreateTrunc(mine.in->first_rank, number_), live, masks,
                 o.call->getArgOperand(kOp)});
    b.CreateBr(on);
    after = on;
  }
  bool names_known_lanes(const CallInst& call) const {
    return names_all_lanes(call) || is_mask_of_tile(k_, mask_of(call));
  }

  void lower_shuffle(const warp_operation& o, Value* masks) {
    CallInst& call = *o.call;
    Value* value = call.getArgOperand(kValue);
    Type* const whole = value->getType();
    if (auto* small = dyn_cast<ZExtInst>(value)) value = small->getOperand(0);
    Type* const type = type_in_memory_of(value->getType());
    Value* const in = array(type, "in");
    BasicBlock* const before = call.getParent()->getSinglePredecessor();
    region* const gives = m_.of_block.lookup(before);
    Instruction* const end = before->getTerminator();
    Instruction* const last = end->getPrevNode();
    IRBuilder<> at(end);
    at.CreateStore(at.CreateZExt(value, type), element(in, type, *gives, at));
    mark_made(last, end);
    if (const auto sources = sources_of(call, is_alike(mask_of(call)))) {
      if (watched_) announce(o, masks == nullptr ? *gives : *m_.of(&call), masks, asked_for(call));
      shuffle_at_once(o, *gives, in, type, *sources);
    } else
      shuffle_by_lanes(o, in, type, whole, masks);
  }

  // The lane that each lane gets its value from, if that is known here; kLanes: it gets 0. one_mask: all lanes name the
  // same ones, whichever these are.
  std::optional<SmallVector<int>> sources_of(CallInst& call, bool one_mask) const {
    const DataLayout& layout = k_.f.getParent()->getDataLayout();
    const auto sources = pattern_of(call.getArgOperand(kParam), layout);
    auto masks = one_mask ? lane_pattern{} : pattern_of(mask_of(call), layout);
    if (one_mask) masks->fill(~std::uint64_t{0});
    if (!sources || !masks) return {};
    SmallVector<int> lanes;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t source = (*sources)[lane] % kLanes;
      lanes.push_back(static_cast<int>(((*masks)[lane] >> source & 1) != 0 ? source : kLanes));
    }
    return lanes;
  }

  // The same as the runtime is told it: an array of the lanes that are asked for.
  Constant* asked_for(CallInst& call) const {
    Module& m = *k_.f.getParent();
    SmallVector<std::uint32_t> asked;
    const std::optional<lane_pattern> pattern = pattern_of(call.getArgOperand(kParam), m.getDataLayout());
    for (const std::uint64_t lane : *pattern) asked.push_back(static_cast<std::uint32_t>(lane % kLanes));
    Constant* const lanes = ConstantDataArray::get(call.getContext(), asked);
    return new GlobalVariable(m, lanes->getType(), true, GlobalValue::PrivateLinkage, lanes, "simt.loops.asked");
  }

  // Once a warp, as one operation on a vector of all lanes' values.
  void shuffle_at_once(const warp_operation& o, region& gives, Value* in, Type* type, ArrayRef<int> sources) {
    Value* const out = array(type, "out");
    IRBuilder<> once(nests_[&gives].after);
    auto* const all = FixedVectorType::get(type, kLanes);
    const Align aligned(kArrayAlign);
    Constant* const zeros = Constant::getNullValue(all);
    Value* const there = once.CreateBitCast(gives.in->live, FixedVectorType::get(once.getInt1Ty(), kLanes));
    Value* const values = once.CreateSelect(there, once.CreateAlignedLoad(all, in, aligned), zeros);
    once.CreateAlignedStore(once.CreateShuffleVector(values, zeros, sources), out, aligned);
    if (m_.alike_in_warp.count(o.call) != 0) return give_one(o, gives, out, type);
    give(o, [&](IRBuilder<>& b) {
      Value* const got = b.CreateLoad(type, element(out, type, *region_behind(o), b));
      return b.CreateZExt(got, o.call->getType());
    });
  }

  // In a loop of its own, each lane takes the value of the lane that it asks for.
  void shuffle_by_lanes(const warp_operation& o, Value* in, Type* type, Type* whole, Value* masks) {
    CallInst& call = *o.call;
    region* const mine = m_.of(&call);
    IRBuilder<> b(&call);
    Value* const source = b.CreateAnd(call.getArgOperand(kParam), b.getInt32(kLanes - 1));
    Value* const there = lanes_with(call, *mine, b);
    Value* const brings = b.CreateTrunc(b.CreateLShr(there, source), b.getInt1Ty());
    LoadInst* const taken = b.CreateLoad(type, b.CreateInBoundsGEP(type, in, b.CreateZExt(source, b.getInt64Ty())));
    Value* const got = b.CreateZExt(b.CreateSelect(brings, taken, Constant::getNullValue(type)), whole);
    if (watched_) {
      Value* const sources = array(number_, "sources");
      b.CreateStore(source, element(sources, number_, *mine, b));
      announce(o, *mine, masks, sources);
    }
    mark_made(nullptr, &call);
    call.replaceAllUsesWith(got);
  }

  // The check variant: behind the loops of r, all lanes have done it. masks: of compare_masks, or null.
  void announce(const warp_operation& o, region& r, Value* masks, Value* sources) {
    IRBuilder<> once(nests_[&r].after);
    Value* const together = masks != nullptr ? masks : once.getInt32(tile_size(*o.call));
    announce_meeting(k_, *r.in, *o.call, together, sources, once);
  }

  // What stands between `last` (null: the beginning of the block) and `end` has been made here, and differs.
  void mark_made(Instruction* last, Instruction* end, bool alike = false) {
    Instruction* i = last != nullptr ? last->getNextNode() : &end->getParent()->front();
    for (; i != end; i = i->getNextNode()) {
      if (isa<PHINode>(i)) continue;
      m_.varying->add(i);
      if (alike) m_.alike_in_warp.insert(i);
    }
  }

  void lower_vote(const warp_operation& o, unsigned op, region& r) {
    CallInst& call = *o.call;
    AllocaInst* const votes = values_.new_slot(number_, "warp.votes");
    loop_nest& n = nests_[&r];
    IRBuilder<>(n.before->getTerminator()).CreateStore(ConstantInt::get(number_, 0), votes);
    Instruction* const last = call.getPrevNode();
    IRBuilder<> b(&call);
    Value* const yes = b.CreateZExt(b.CreateICmpNE(call.getArgOperand(kValue), b.getInt64(0)), number_);
    Value* const mine = b.CreateShl(yes, b.CreateTrunc(n.lane, number_));
    b.CreateStore(b.CreateOr(b.CreateLoad(number_, votes), mine), votes);
    mark_made(last, &call);
    give(o, [&](IRBuilder<>& at) -> Value* {
      Value* const mask = call.getArgOperand(kMask);
      const bool alike = m_.alike_in_warp.count(&call) != 0;
      Value* const all = alike ? read_once(at, number_, votes) : at.CreateLoad(number_, votes);
      Value* const said = at.CreateAnd(all, mask);
      if (op == kBallot) return at.CreateZExt(said, at.getInt64Ty());
      Value* const wanted = op == kAny ? at.getInt32(0) : at.CreateAnd(r.in->live, mask);
      Value* const holds = op == kAny ? at.CreateICmpNE(said, wanted) : at.CreateICmpEQ(said, wanted);
      return at.CreateZExt(holds, at.getInt64Ty());
    });
  }

  region* region_behind(const warp_operation& o) const { return m_.of_head.lookup(o.behind); }

  // All lanes get the same: what the first of them that is there has in `out`, which is filled behind r.
  void give_one(const warp_operation& o, region& r, Value* out, Type* type) {
    IRBuilder<> once(nests_[&r].after);
    AllocaInst* const slot = values_.new_slot(type, "warp.one");
    once.CreateStore(values_.of_first_there(type, out, r, once), slot);
    give(o, [&](IRBuilder<>& b) { return b.CreateZExt(read_once(b, type, slot), o.call->getType()); });
  }
  LoadInst* read_once(IRBuilder<>& b, Type* type, Value* at) {
    LoadInst* const got = b.CreateLoad(type, at);
    values_.read_once_a_warp(*got);
    return got;
  }

  // What the lanes get, made at the beginning of the region that follows.
  template <class Make>
  void give(const warp_operation& o, Make make) {
    Instruction* const end = &*o.behind->getFirstInsertionPt();
    IRBuilder<> b(end);
    Value* const got = make(b);
    mark_made(nullptr, end, m_.alike_in_warp.count(o.call) != 0);
    o.call->replaceAllUsesWith(got);
  }

  // The lanes that the operation is about for this lane, as far as they are there.
  Value* lanes_with(const CallInst& call, const region& r, IRBuilder<>& b) const {
    return names_all_lanes(call) ? r.in->live : b.CreateAnd(r.in->live, mask_of(call));
  }
  unsigned tile_size(const CallInst& call) const {
    if (names_all_lanes(call)) return kLanes;
    auto* const shifted = cast<Instruction>(mask_of(call));  // is_mask_of_tile
    return cast<ConstantInt>(shifted->getOperand(0))->getValue().getActiveBits();
  }

  // Arrays of its own for each operation, which become registers; of many, some have the same.
  Value* array(Type* type, const char* name) {
    Value*& known = arrays_[{type, name[0] + 128 * (operations_ % kMostLaneArrays)}];
    if (known == nullptr) known = values_.new_lanes(type, name);
    return known;
  }
  Value* element(Value* array, Type* type, region& r, IRBuilder<>& b) {
    return b.CreateInBoundsGEP(type, array, nests_[&r].lane);
  }

  kernel_form& k_;
  region_map& m_;
  DenseMap<region*, loop_nest>& nests_;
  value_places& values_;
  Type* const number_;
  const bool watched_ = is_watched(k_.f);
  DenseMap<std::pair<Type*, int>, Value*> arrays_;
  int operations_ = 0;  // so far
};

}  // namespace

Value* mask_of(const CallInst& operation) { return operation.getArgOperand(kMask); }
bool names_all_lanes(const CallInst& operation) {
  auto* const mask = dyn_cast<ConstantInt>(mask_of(operation));
  return mask != nullptr && mask->isMinusOne();
}
bool is_shuffle(const CallInst& operation) {
  return op_of(operation) >= kFirstShuffle && op_of(operation) <= kLastShuffle;
}
bool asks_by_number(const CallInst& operation) { return op_of(operation) == kFirstShuffle; }
bool is_match(const CallInst& operation) { return op_of(operation) == kMatchAny; }
bool differs_in_warp(const CallInst& operation) {
  return is_shuffle(operation) || is_match(operation) || !names_all_lanes(operation);
}

bool is_same_for_warp(const CallInst& operation) {
  const bool reads_one_lane = asks_by_number(operation) && isa<ConstantInt>(operation.getArgOperand(kParam));
  return names_all_lanes(operation) && (reads_one_lane || !differs_in_warp(operation));
}

void lower_warp_operations(kernel_form& k, region_map& m, DenseMap<region*, loop_nest>& nests, value_places& values) {
  lowering(k, m, nests, values).run();
}

void delete_warp_operations(kernel_form& k) {
  for (warp_operation& o : k.warp_operations) o.call->deleteValue();
  k.warp_operations.clear();
}

}  // namespace simt::compile
