// SPDX-License-Identifier: Apache-2.0
#include "region_accesses.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <cstring>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "read_only.hpp"

namespace simt::compile {

using namespace llvm;
using sim::loop_access;
using sim::loop_form;
using sim::loop_test;
using sim::loop_turns;

static_assert(kMostDimensions == sim::kLoopDimensions);

namespace {
constexpr std::size_t kMostAccesses = 256, kMostNumbers = 1024;

bool is_private_object(const kernel_form& k, const Value* object) {
  if (isa<AllocaInst>(object)) return true;
  if (auto* g = dyn_cast<GlobalVariable>(object)) return g->isConstant();
  return object == k.f.getArg(parameter::block) || object == k.f.getArg(parameter::args) ||
         object == k.f.getArg(parameter::arrays);
}

template <class T>
std::vector<std::uint32_t> words_of(const std::vector<T>& all) {
  std::vector<std::uint32_t> words(all.size() * sizeof(T) / 4);
  if (!words.empty()) std::memcpy(words.data(), all.data(), words.size() * 4);
  return words;
}
}  // namespace

bool is_private_access(const kernel_form& k, const Instruction& i) {
  const Value* at = getLoadStorePointerOperand(&i);
  if (at == nullptr) return false;
  if (i.hasMetadata(LLVMContext::MD_nosanitize)) return true;
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(at, objects, nullptr, 0);
  for (const Value* o : objects)
    if (!is_private_object(k, o)) return false;
  return !objects.empty();
}

bool is_announced(const Instruction& i) {
  if (auto* call = dyn_cast<CallBase>(&i)) {
    auto* intrinsic = dyn_cast<IntrinsicInst>(call);
    if (intrinsic != nullptr) return isa<MemIntrinsic>(intrinsic);
    return !is_any_marker(call) && !(call->getCalledFunction() != nullptr && is_math(*call->getCalledFunction()));
  }
  return i.mayReadOrWriteMemory() && !i.hasMetadata(LLVMContext::MD_nosanitize);
}

region_accesses::region_accesses(kernel_form& k, loop_nest& n, const group* in, ArrayRef<BasicBlock*> blocks,
                                 const DominatorTree& dominators, const LoopInfo& loops,
                                 const read_only_arrays& read_only)
    : k_(k),
      n_(n),
      in_(in),
      blocks_(blocks),
      dominators_(dominators),
      loops_(loops),
      read_only_(read_only),
      post_dominators_(k.f),
      row_(loops.getLoopFor(n.x)) {}

// The loops that each thread runs.
bool region_accesses::find_turns() {
  for (Loop* l : row_->getLoopsInPreorder())
    if (l != row_) turn_loops_.push_back(l);
  for (const Loop* l : turn_loops_) {
    BasicBlock* const latch = l->getLoopLatch();
    if (latch == nullptr || l->getExitingBlock() != latch || l->getLoopPredecessor() == nullptr) return false;
  }
  // 32 lanes that touch little are watched in less time than a question takes.
  return (in_ == nullptr || !turn_loops_.empty()) && turn_loops_.size() <= sim::kLoopTurns;
}

// How often they run.
bool region_accesses::count_turns() {
  if (turn_loops_.empty()) return true;
  TargetLibraryInfoImpl known{Triple(k_.f.getParent()->getTargetTriple())};
  TargetLibraryInfo library(known, &k_.f);
  AssumptionCache assumptions(k_.f);
  ScalarEvolution evolution(k_.f, library, assumptions, const_cast<DominatorTree&>(dominators_),
                            const_cast<LoopInfo&>(loops_));
  SCEVExpander expander(evolution, k_.f.getParent()->getDataLayout(), "turns");
  Instruction* const in_front = n_.before->getTerminator();
  const Loop* all = loops_.getLoopFor(n_.z != nullptr ? n_.z : n_.y);
  if (n_.z == nullptr && (all == nullptr || all->getHeader() != n_.y)) all = row_;  // a warp in one row
  for (Loop* l : turn_loops_) {
    loop_turns t{};
    affine_form zero;
    zero.base = ConstantInt::get(Type::getInt64Ty(k_.f.getContext()), 0);
    t.start = t.bound = places(zero);
    t.count = t.step = t.most = -1;
    t.compared = static_cast<std::int32_t>(sim::loop_compared::with_sign);
    const SCEV* const count = evolution.getBackedgeTakenCount(l);
    if (!isa<SCEVCouldNotCompute>(count) && evolution.isLoopInvariant(count, all) &&
        expander.isSafeToExpandAt(count, in_front) && count->getType()->getIntegerBitWidth() <= 64) {
      Value* const back = expander.expandCodeFor(count, count->getType(), in_front);
      IRBuilder<> b(in_front);
      t.count = place(b.CreateAdd(b.CreateZExt(back, b.getInt64Ty()), b.getInt64(1)));
    } else if (!count_by_step(*l, t)) {
      return false;
    }
    turns_.push_back(t);
  }
  return true;
}

namespace {
// A loop that goes on while what it counts, as it is after the turn or was in it, is below a bound.
struct counting {
  PHINode* counted;
  BinaryOperator* next;
  Value *step, *bound;
  CmpInst::Predicate below;
  bool asks_before_step;
};
std::optional<counting> counting_of(const Loop& l) {
  BasicBlock* const latch = l.getLoopLatch();
  auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto* again = branch == nullptr || !branch->isConditional() ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
  if (again == nullptr) return {};
  const auto below = l.contains(branch->getSuccessor(0)) ? again->getPredicate() : again->getInversePredicate();
  for (PHINode& phi : l.getHeader()->phis()) {
    auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
    if (next == nullptr || next->getOpcode() != Instruction::Add || next->getType()->getIntegerBitWidth() > 64)
      continue;
    const unsigned at = next->getOperand(0) == &phi ? 0 : 1;
    if (next->getOperand(at) != &phi) continue;
    for (const unsigned side : {0U, 1U}) {
      Value* asked = again->getOperand(side);
      if (auto* cut = dyn_cast<TruncInst>(asked)) asked = cut->getOperand(0);  // it counts in more bits than it was
      if (asked != next && asked != &phi) continue;
      return counting{&phi,
                      next,
                      next->getOperand(1 - at),
                      again->getOperand(1 - side),
                      side == 0 ? below : ICmpInst::getSwappedPredicate(below),
                      asked == &phi};
    }
  }
  return {};
}
}  // namespace

// Each thread may begin elsewhere, and all may still run as often.
bool region_accesses::count_by_step(const Loop& l, loop_turns& t) {
  const auto c = counting_of(l);
  if (!c) return false;
  const bool is_signed = c->below == ICmpInst::ICMP_SLT || c->below == ICmpInst::ICMP_SLE,
             is_unsigned = c->below == ICmpInst::ICMP_ULT || c->below == ICmpInst::ICMP_ULE;
  const bool is_cut = c->next->getType() != c->bound->getType();
  // Until a bound is met, it counts by the number that it is met with.
  if (!is_signed && !is_unsigned && (c->below != ICmpInst::ICMP_NE || c->asks_before_step || is_cut)) return false;
  using sim::loop_compared;
  t.compared = static_cast<std::int32_t>(is_signed     ? loop_compared::with_sign
                                         : is_unsigned ? loop_compared::without_sign
                                                       : loop_compared::unequal);
  t.inclusive = c->below == ICmpInst::ICMP_SLE || c->below == ICmpInst::ICMP_ULE;
  const unsigned bits = c->bound->getType()->getIntegerBitWidth();
  const form start = forms_->of(c->counted->getIncomingValueForBlock(l.getLoopPredecessor()), !is_unsigned),
             end = forms_->of(c->bound, !is_unsigned), step = forms_->of(c->step);
  if (!start || !end || !step || !step->is_constant()) return false;
  affine_form bound = *end;
  IRBuilder<> b(n_.before->getTerminator());
  if (c->asks_before_step) {
    bound.base = b.CreateAdd(bound.base, step->base);
    constexpr std::int64_t kFar = std::int64_t{1} << 62;  // the sum of two numbers up to that is no other number
    const int low = place(b.getInt64(-kFar)), high = place(b.getInt64(kFar));
    for (const form& f : {end, step}) always_.push_back(add(loop_test::in_range, low, high, &*f));
  }
  const bool whole = is_signed || bits == 64;
  const APInt most = whole ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  const APInt least = is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits);
  if (is_cut)
    always_.push_back(add(loop_test::in_range, place(b.getInt64(static_cast<std::uint64_t>(least.getSExtValue()))),
                          place(b.getInt64(most.getZExtValue())), &*start));
  if (is_unsigned && bits == 64) {  // they may be too large to be told with a sign
    affine_form zero;
    zero.base = b.getInt64(0);
    always_.push_back(add(loop_test::less_or_equal, 0, 0, &zero, &*start));
    always_.push_back(add(loop_test::less_or_equal, 0, 0, &zero, &bound));
  }
  t.step = place(step->base);
  t.start = places(*start);
  t.bound = places(bound);
  // i += blockDim.x is a sum of numbers without sign, which may wrap.
  if (is_cut || (is_unsigned ? !c->next->hasNoUnsignedWrap() : is_signed && !c->next->hasNoSignedWrap()))
    t.most = place(b.getInt64(most.getZExtValue()));
  return true;
}

bool region_accesses::is_listable(Instruction& i) const {
  Type* type = nullptr;
  Align align;
  if (auto* load = dyn_cast<LoadInst>(&i); load != nullptr && load->isSimple())
    type = load->getType(), align = load->getAlign();
  else if (auto* store = dyn_cast<StoreInst>(&i); store != nullptr && store->isSimple())
    type = store->getValueOperand()->getType(), align = store->getAlign();
  if (type == nullptr || getLoadStoreAddressSpace(&i) != 0) return false;
  const TypeSize bits = k_.f.getParent()->getDataLayout().getTypeStoreSizeInBits(type);
  if (bits.isScalable()) return false;
  const auto size = bits.getFixedValue() / 8;
  // With less alignment the sanitizer has an announcement of its own.
  return isPowerOf2_64(size) && size <= 16 && align.value() >= std::min<std::uint64_t>(size, 8);
}

// May it be announced while the other accesses of the piece are committed? An atomic operation that orders would order
// accesses that come after it, too; a compare-and-swap takes back what its thread has read.
bool region_accesses::may_be_lone(Instruction& i) const {
  if (in_ != nullptr) return false;
  auto* call = dyn_cast<CallInst>(&i);
  if (call == nullptr) return is_listable(i);
  const Function* const callee = call->getCalledFunction();
  if (callee == nullptr || engine_call_of(*callee) != engine_call::atomic || call->arg_size() != 7) return false;
  auto* action = dyn_cast<ConstantInt>(call->getArgOperand(2));
  auto* order = dyn_cast<ConstantInt>(call->getArgOperand(5));
  return action != nullptr && order != nullptr && order->isZero() &&
         action->getZExtValue() != std::uint64_t{sim::kCompareAndSwap};
}

void region_accesses::add_lone(Instruction& i, int condition) {
  lone_.push_back(&i);
  makes_lone_always_ |= condition == kAlways || turns_around(i.getParent()) != 0;
}

bool region_accesses::find_unlisted() {
  for (BasicBlock* bb : row_->blocks())
    for (Instruction& i : *bb)
      if (is_announced(i) && !is_listable(i) && !may_be_lone(i)) unlisted_.insert(bb);
  affine_scope scope{n_.before->getTerminator(), dominators_, k_.f.getParent()->getDataLayout()};
  if (in_ == nullptr) {
    for (unsigned d = 0; d < 3; ++d) scope.indices[n_.index[d]] = d;
  } else {
    warp_ = look_ahead(*in_, n_);
    scope.indices[n_.step] = 0;
    scope.known = warp_->first;
  }
  for (unsigned t = 0; t < turn_loops_.size(); ++t) scope.turns[turn_loops_[t]->getHeader()] = 3 + t;
  for (BasicBlock* bb : row_->blocks())
    for (BasicBlock* u : unlisted_)
      if (dominators_.dominates(u, bb)) scope.never_entered.insert(bb);
  forms_.emplace(std::move(scope));
  if (warp_) {
    first_ = ConstantInt::get(warp_->lanes->getType(), 0);
    end_ = warp_->lanes;
    return true;
  }
  first_ = forms_->invariant(cast<PHINode>(n_.index[0])->getIncomingValueForBlock(n_.y));
  auto* back = dyn_cast<BranchInst>(n_.x_next->getTerminator());
  auto* again = back == nullptr || !back->isConditional() ? nullptr : dyn_cast<ICmpInst>(back->getCondition());
  end_ = again == nullptr ? nullptr : forms_->invariant(again->getOperand(1));
  return first_ != nullptr && end_ != nullptr;
}

// A division by zero must be met by a thread that is known.
bool region_accesses::is_safe_division(Instruction& i) {
  if (!i.isIntDivRem() || isSafeToSpeculativelyExecute(&i)) return true;
  const bool is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
  const form by = forms_->of(i.getOperand(1), is_signed);
  if (!by) return false;
  affine_form zero;
  zero.base = ConstantInt::get(Type::getInt64Ty(i.getContext()), 0);
  always_.push_back(add(loop_test::less, 0, 0, &zero, &*by));
  return true;
}

// Does each thread that may make this access write the same bytes, whatever data decide? The runtime looks again. In a
// loop it does so in each turn.
bool region_accesses::is_written_anyway(const Instruction& i) {
  const unsigned turns = turns_around(i.getParent());
  const Value* const at = getLoadStorePointerOperand(&i);
  for (BasicBlock* bb : row_->blocks())
    for (Instruction& other : *bb) {
      auto* store = dyn_cast<StoreInst>(&other);
      if (store != nullptr && store->getPointerOperand() == at && turns_around(bb) == turns &&
          unlisted_.count(bb) == 0 && !is_uncertain(when(bb)))
        return true;
    }
  return false;
}

// only_silent: its announcement has no place, so that the loops can be proved only where nobody has to hear of it.
void region_accesses::list(Instruction& i, Instruction* announced, const affine_form& at, int condition,
                           bool only_silent) {
  const bool write = isa<StoreInst>(i);
  Type* const type = write ? cast<StoreInst>(i).getValueOperand()->getType() : i.getType();
  loop_access a{};
  a.address = places(at);
  a.when = condition;
  a.turns = static_cast<std::int32_t>(turns_around(i.getParent()));
  a.size = static_cast<std::int32_t>(k_.f.getParent()->getDataLayout().getTypeStoreSize(type).getFixedValue());
  a.write = write;
  a.only_silent = only_silent;
  described_.push_back(a);
  listed_.push_back({announced, nullptr, static_cast<unsigned>(a.size), write});
}

// The last thread to update a word may write it plainly (docs/race_model.md): who that is, is known behind its update.
bool region_accesses::writes_what_lone_ones_update() const {
  for (const Instruction* i : lone_) {
    auto* const call = dyn_cast<CallInst>(i);
    if (call == nullptr) continue;
    const Value* const updated = getUnderlyingObject(call->getArgOperand(0), 0);
    for (const listed_access& one : listed_)
      if (one.write && getUnderlyingObject(getLoadStorePointerOperand(one.instruction), 0) == updated) return true;
  }
  return false;
}

bool region_accesses::list_accesses() {
  for (BasicBlock* bb : row_->blocks()) {
    if (unlisted_.count(bb) != 0) continue;
    const int known = when(bb);
    for (Instruction& i : *bb) {
      if (!is_safe_division(i)) unlisted_.insert(bb);
      if (!is_announced(i)) continue;
      const form at = isa<CallInst>(i) ? form() : forms_->of(getLoadStorePointerOperand(&i));
      if (auto* load = dyn_cast<LoadInst>(&i); !at && load != nullptr && list_choices(*load, known)) continue;
      if (!at && may_be_lone(i)) {
        add_lone(i, known);
        continue;
      }
      if (!at) {
        unlisted_.insert(bb);
        break;
      }
      // What some threads read of an array that nobody writes is no matter, whichever they are; nor is what each of
      // them writes in any case.
      if (is_uncertain(known) && !read_only_.may_be_silent(i) && !is_written_anyway(i)) {
        if (!may_be_lone(i)) return false;
        add_lone(i, known);
        continue;
      }
      list(i, &i, *at, known == kUnknown ? unknown() : known, false);
      if (described_.size() > kMostAccesses) return false;
    }
  }
  for (BasicBlock* bb : unlisted_) {
    const int condition = when(bb);
    if (condition == kAlways || is_uncertain(condition)) return false;
    never_.push_back(condition);
  }
  return !described_.empty() && !writes_what_lone_ones_update();
}

unsigned region_accesses::turns_around(const BasicBlock* bb) const {
  unsigned mask = 0;
  for (unsigned t = 0; t < turn_loops_.size(); ++t)
    if (turn_loops_[t]->contains(bb)) mask |= 1U << t;
  return mask;
}

int region_accesses::place(Value* v) {
  const auto [at, fresh] = number_places_.try_emplace(v, static_cast<int>(numbers_.size()));
  if (fresh) numbers_.push_back(v);
  return at->second;
}
loop_form region_accesses::places(const affine_form& f) {
  loop_form p{};
  p.base = place(f.base);
  for (unsigned d = 0; d < kMostDimensions; ++d) p.factor[d] = f.factor[d] == nullptr ? -1 : place(f.factor[d]);
  return p;
}

Constant* region_accesses::words(ArrayRef<std::uint32_t> w, const char* name) {
  LLVMContext& c = k_.f.getContext();
  if (w.empty()) return ConstantPointerNull::get(PointerType::getUnqual(c));
  Constant* const values = ConstantDataArray::get(c, w);
  auto* g = new GlobalVariable(*k_.f.getParent(), values->getType(), true, GlobalValue::PrivateLinkage, values, name);
  g->setAlignment(Align(8));
  return g;
}

Value* region_accesses::ask() {
  if (!find_turns() || !find_unlisted() || !count_turns() || !list_accesses()) return nullptr;
  LLVMContext& c = k_.f.getContext();
  for (const range_condition& r : forms_->in_range()) {
    const auto constant = [&](std::int64_t n) { return place(ConstantInt::getSigned(Type::getInt64Ty(c), n)); };
    always_.push_back(add(loop_test::in_range, constant(r.low), constant(r.high), &r.form));
  }
  IRBuilder<> b(n_.before->getTerminator());
  if (warp_) always_.push_back(add(loop_test::number, place(b.CreateZExt(warp_->in_a_row, b.getInt64Ty())), 0));
  const std::int32_t first = place(first_), end = place(end_), rank = warp_ ? place(in_->first_rank) : -1;
  if (numbers_.size() > kMostNumbers) return nullptr;

  Module& m = *k_.f.getParent();
  auto* const site_table = ArrayType::get(b.getInt64Ty(), described_.size());
  auto* const sites = new GlobalVariable(m, site_table, false, GlobalValue::InternalLinkage,
                                         ConstantAggregateZero::get(site_table), "simt.loops.sites");
  for (std::size_t i = 0; i < listed_.size(); ++i)
    listed_[i].site =
        ConstantExpr::getInBoundsGetElementPtr(site_table, sites, ArrayRef<Constant*>{b.getInt64(0), b.getInt64(i)});
  Constant* const pointers[] = {
      words(words_of(described_), "simt.loops.accesses"), words(words_of(conditions_), "simt.loops.conditions"),
      words(words_of(never_), "simt.loops.never"),        words(words_of(always_), "simt.loops.always"),
      words(words_of(turns_), "simt.loops.turns"),        sites};
  const std::int32_t counts[] = {static_cast<std::int32_t>(described_.size()),
                                 static_cast<std::int32_t>(conditions_.size()),
                                 static_cast<std::int32_t>(never_.size()),
                                 static_cast<std::int32_t>(always_.size()),
                                 static_cast<std::int32_t>(turns_.size()),
                                 first,
                                 end,
                                 rank,
                                 lone_.empty() ? 0 : 1};
  SmallVector<Constant*> members(std::begin(pointers), std::end(pointers));
  for (const std::int32_t n : counts) members.push_back(ConstantInt::getSigned(b.getInt32Ty(), n));
  Constant* const whole = ConstantStruct::getAnon(c, members);
  auto* const region =
      new GlobalVariable(m, whole->getType(), true, GlobalValue::PrivateLinkage, whole, "simt.loops.region");
  region->setAlignment(Align(8));

  auto* const table_type = ArrayType::get(b.getInt64Ty(), numbers_.size());
  AllocaInst* const table = IRBuilder<>(k_.entry, k_.entry->begin()).CreateAlloca(table_type, nullptr, "numbers");
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    StoreInst* const s =
        b.CreateStore(numbers_[i], b.CreateConstInBoundsGEP2_64(table_type, table, 0, static_cast<std::uint64_t>(i)));
    s->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(c, {}));
  }
  Type* const pointer = PointerType::getUnqual(c);
  b.SetCurrentDebugLocation(place_in_function(k_.f));
  const FunctionCallee asked =
      m.getOrInsertFunction("simt_loop_region", FunctionType::get(b.getInt8Ty(), {pointer, pointer, pointer}, false));
  CallInst* const answer = b.CreateCall(asked, {k_.f.getArg(parameter::block), region, table});
  answer->addRetAttr(Attribute::ZExt);
  return answer;
}

}  // namespace simt::compile
