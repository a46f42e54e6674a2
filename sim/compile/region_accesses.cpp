// SPDX-License-Identifier: Apache-2.0
#include "region_accesses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstring>

#include "engine_calls.hpp"
#include "hidden.hpp"
#include "loop_bodies.hpp"
#include "markers.hpp"
#include "read_only.hpp"

namespace simt::compile {

using namespace llvm;
using sim::loop_access;
using sim::loop_form;
using sim::loop_test;

static_assert(kMostDimensions == sim::kLoopDimensions);

namespace {
constexpr std::size_t kMostAccesses = 4096, kMostNumbers = 8192;

bool is_private_object(const Function& f, const Value* object) {
  if (isa<AllocaInst>(object)) return true;
  if (auto* g = dyn_cast<GlobalVariable>(object)) return g->isConstant();
  return object == f.getArg(parameter::block) || object == f.getArg(parameter::args) ||
         object == f.getArg(parameter::arrays);
}

const Value* written_by(const Instruction& i) {
  auto* copy = dyn_cast<MemCpyInst>(&i);
  return copy != nullptr ? copy->getRawDest() : getLoadStorePointerOperand(&i);
}

template <class T>
std::vector<std::uint32_t> words_of(const std::vector<T>& all) {
  std::vector<std::uint32_t> words(all.size() * sizeof(T) / 4);
  if (!words.empty()) std::memcpy(words.data(), all.data(), words.size() * 4);
  return words;
}
}  // namespace

bool is_private_access(const Function& f, const Instruction& i) {
  if (auto* memory = dyn_cast<MemIntrinsic>(&i)) {
    auto* copy = dyn_cast<MemTransferInst>(memory);
    return is_private_pointer(f, memory->getRawDest()) &&
           (copy == nullptr || is_private_pointer(f, copy->getRawSource()));
  }
  const Value* at = getLoadStorePointerOperand(&i);
  if (at == nullptr) return false;
  return is_hidden(i) || is_private_pointer(f, at);
}

bool is_private_pointer(const Function& f, const Value* at) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(at, objects, nullptr, 0);
  for (const Value* o : objects)
    if (!is_private_object(f, o)) return false;
  return !objects.empty();
}

bool is_announced(const Instruction& i) {
  if (auto* call = dyn_cast<CallBase>(&i)) {
    auto* intrinsic = dyn_cast<IntrinsicInst>(call);
    if (intrinsic != nullptr) return isa<MemIntrinsic>(intrinsic) && !is_hidden(i);
    return !is_any_marker(call) && !(call->getCalledFunction() != nullptr && is_math(*call->getCalledFunction()));
  }
  return i.mayReadOrWriteMemory() && !is_hidden(i);
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
      counted_(is_counted(*k.f.getParent())),
      post_dominators_(k.f),
      row_(loops.getLoopFor(n.x)) {}

bool region_accesses::is_listable(Instruction& i) const {
  if (is_block_marker(i)) return true;
  if (counted_ && isa<CallBase>(i)) return false;  // copies are counted in the widest pieces that they have
  if (copy_call_of(i) != copy_call::none) return in_ == nullptr;
  if (is_copy_in_pieces(i)) return true;
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
  if (in_ != nullptr || counted_) return false;
  auto* call = dyn_cast<CallInst>(&i);
  if (call == nullptr || isa<MemCpyInst>(call)) return is_listable(i);
  const Function* const callee = call->getCalledFunction();
  if (callee == nullptr || engine_call_of(*callee) != engine_call::atomic || call->arg_size() != 7) return false;
  auto* action = dyn_cast<ConstantInt>(call->getArgOperand(2));
  auto* order = dyn_cast<ConstantInt>(call->getArgOperand(5));
  return action != nullptr && order != nullptr && order->isZero() &&
         action->getZExtValue() != std::uint64_t{sim::kCompareAndSwap};
}

void region_accesses::add_lone(Instruction& i, int condition) {
  lone_.push_back(&i);
  makes_lone_always_ |= condition == kAlways || turns_around(i.getParent()) != 0 || goes_by_data(i.getParent());
}

// It touches no memory that others know of, so nothing of the piece has to be told before it.
bool region_accesses::is_report(const Instruction& i) const {
  auto* const call = dyn_cast<CallInst>(&i);
  return in_ == nullptr && !counted_ && call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == kOutsideOwnArray;
}

bool region_accesses::find_unlisted() {
  for (BasicBlock* bb : row_->blocks())
    for (Instruction& i : *bb) {
      copies_later_ |= copy_call_of(i) != copy_call::none;
      if (is_announced(i) && !is_listable(i) && !may_be_lone(i) && !is_report(i)) unlisted_.insert(bb);
    }
  affine_scope scope{n_.before->getTerminator(), dominators_, k_.f.getParent()->getDataLayout()};
  if (in_ == nullptr) {
    for (unsigned d = 0; d < 3; ++d) scope.indices[n_.index[d]] = d;
  } else {
    warp_ = look_ahead(*in_, n_);
    scope.indices[n_.step] = 0;
    scope.counts_lanes = true;
    scope.known = warp_->first;
  }
  for (unsigned t = 0; t < turn_loops_.size(); ++t) scope.turns[turn_loops_[t]->getHeader()] = 3 + t;
  for (BasicBlock* bb : row_->blocks())
    for (BasicBlock* u : unlisted_)
      if (dominators_.dominates(u, bb)) scope.never_entered.insert(bb);
  scope.split = split_ = find_split();
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
      if (goes_by_data(bb)) break;
      auto* store = dyn_cast<StoreInst>(&other);
      if (store != nullptr && store->getPointerOperand() == at && turns_around(bb) == turns &&
          unlisted_.count(bb) == 0 && !is_uncertain(when(bb)))
        return true;
    }
  return false;
}

// Lists an access, once for each address that it may have; false: data decide about it, and that is not known to be no
// matter.
bool region_accesses::list_access(Instruction& i, ArrayRef<way> ways) {
  // What some threads read of an array that nobody writes is no matter, whichever they are; nor is what each of them
  // writes in any case.
  for (const way& w : ways)
    if (is_uncertain(w.when) && counted_) return false;
  for (const way& w : ways)
    if (is_uncertain(w.when) && !read_only_.may_be_silent(i) && !is_written_anyway(i)) return false;
  const bool write = isa<StoreInst>(i);
  const std::uint64_t size = k_.f.getParent()->getDataLayout().getTypeStoreSize(getLoadStoreType(&i)).getFixedValue();
  const piece whole = piece_at(i, getLoadStorePointerOperand(&i), 0, getLoadStoreAlignment(&i).value());
  for (const way& w : ways) describe(whole, w, size, write);
  listed_.push_back({&i, nullptr, static_cast<unsigned>(size), write});
  return true;
}

// One of the addresses of the access that is listed next.
void region_accesses::describe(const piece& p, const way& w, std::uint64_t size, bool write) {
  loop_access a{};
  a.turns = static_cast<std::int32_t>(turns_around(p.by->getParent()));
  a.size = static_cast<std::int32_t>(size);
  a.write = write;
  a.site = static_cast<std::int32_t>(listed_.size());
  a.address = places(w.address);
  a.when = w.when == kUnknown ? unknown() : w.when;
  described_.push_back(a);
  pieces_.push_back(p);
}

// The last thread to update a word may write it plainly (docs/race_model.md): who that is, is known behind its update.
bool region_accesses::writes_what_lone_ones_update() const {
  for (const Instruction* i : lone_) {
    auto* const call = dyn_cast<CallInst>(i);
    if (call == nullptr || isa<MemCpyInst>(call)) continue;
    const Value* const updated = getUnderlyingObject(call->getArgOperand(0), 0);
    for (const listed_access& one : listed_)
      if (one.write && getUnderlyingObject(written_by(*one.instruction), 0) == updated) return true;
  }
  return false;
}

// A block of code that is counted begins: see loop_access::kBegins.
bool region_accesses::list_marker(CallInst& marker, int known) {
  if (is_uncertain(known)) return false;
  affine_form number;
  number.base = ConstantInt::get(Type::getInt64Ty(marker.getContext()),
                                 cast<ConstantInt>(marker.getArgOperand(0))->getZExtValue());
  describe({&marker, nullptr, 0, 1}, {number, known}, sim::loop_access::kBegins, false);
  listed_.push_back({&marker, nullptr, 0, false});
  return true;
}

// What is counted is told in the order of the program, and so is what is done about copies.
SmallVector<BasicBlock*> region_accesses::blocks_in_order() const {
  SmallVector<BasicBlock*> blocks(row_->blocks());
  if (!counted_ && !copies_later_) return blocks;
  const auto order = program_order(k_.f, loops_);
  sort(blocks, [&](const BasicBlock* a, const BasicBlock* b) { return order.lookup(a) < order.lookup(b); });
  return blocks;
}

bool region_accesses::list_accesses() {
  for (BasicBlock* bb : blocks_in_order()) {
    if (unlisted_.count(bb) != 0) continue;
    const int known = when(bb);
    const bool may_be_listed = !goes_by_data(bb);
    for (Instruction& i : *bb) {
      if (!is_safe_division(i)) unlisted_.insert(bb);
      if (is_block_marker(i)) {
        if (!list_marker(cast<CallInst>(i), known)) return false;
        continue;
      }
      if (!is_announced(i)) continue;
      if (is_report(i)) {
        reports_.push_back(&i);
        continue;
      }
      needed_of_access_.clear();
      SmallVector<way> ways;
      const bool is_placed = may_be_listed && !isa<CallInst>(i) && ways_of(getLoadStorePointerOperand(&i), known, ways);
      auto* const copy = may_be_listed && is_copy_in_pieces(i) ? cast<MemCpyInst>(&i) : nullptr;
      const bool is_about_copies = copy_call_of(i) != copy_call::none;
      if (is_about_copies   ? may_be_listed && list_copy_call(cast<CallInst>(i), known)
          : copy != nullptr ? list_copy(*copy, known)
                            : is_placed && list_access(i, ways)) {
        if (described_.size() > kMostAccesses) return false;
        needed_.append(needed_of_access_);
        continue;
      }
      if (may_be_lone(i)) {
        add_lone(i, known);
        continue;
      }
      if (is_placed) return false;
      unlisted_.insert(bb);
      break;
    }
  }
  for (BasicBlock* bb : unlisted_) {
    const int condition = when(bb);
    if (!may_hold_for(condition, false)) return false;
    never_.push_back(condition);
  }
  if (!counted_) join_pieces();
  if (!copy_steps_.empty() || promised_to_ != nullptr) return lone_.empty() && promised_to_ == nullptr;
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
  ask_for_ranges();
  for (const auto& [first, of] : forms_->multiples()) {
    affine_form f;
    f.base = first;
    always_.push_back(add(loop_test::no_bits, place(ConstantInt::get(first->getType(), of - 1)), 0, &f));
  }
  IRBuilder<> b(n_.before->getTerminator());
  if (warp_) always_.push_back(add(loop_test::number, place(b.CreateZExt(warp_->in_a_row, b.getInt64Ty())), 0));
  const std::int32_t first = place(first_), end = place(end_), rank = warp_ ? place(in_->first_rank) : -1;
  if (numbers_.size() > kMostNumbers) return nullptr;

  Module& m = *k_.f.getParent();
  auto* const site_table = ArrayType::get(b.getInt64Ty(), listed_.size());
  auto* const sites = new GlobalVariable(m, site_table, false, GlobalValue::InternalLinkage,
                                         ConstantAggregateZero::get(site_table), "simt.loops.sites");
  for (std::size_t i = 0; i < listed_.size(); ++i)
    listed_[i].site =
        ConstantExpr::getInBoundsGetElementPtr(site_table, sites, ArrayRef<Constant*>{b.getInt64(0), b.getInt64(i)});
  Constant* const pointers[] = {
      words(words_of(described_), "simt.loops.accesses"), words(words_of(conditions_), "simt.loops.conditions"),
      words(words_of(never_), "simt.loops.never"),        words(words_of(always_), "simt.loops.always"),
      words(words_of(turns_), "simt.loops.turns"),        sites,
      words(words_of(copy_steps_), "simt.loops.copies")};
  const std::int32_t counts[] = {static_cast<std::int32_t>(described_.size()),
                                 static_cast<std::int32_t>(conditions_.size()),
                                 static_cast<std::int32_t>(never_.size()),
                                 static_cast<std::int32_t>(always_.size()),
                                 static_cast<std::int32_t>(turns_.size()),
                                 first,
                                 end,
                                 rank,
                                 lone_.empty() ? 0 : 1,
                                 static_cast<std::int32_t>(copy_steps_.size()),
                                 split_ == 0 ? 0 : std::int32_t{1} << split_};
  SmallVector<Constant*> members(std::begin(pointers), std::end(pointers));
  for (const std::int32_t n : counts) members.push_back(ConstantInt::getSigned(b.getInt32Ty(), n));
  Constant* const whole = ConstantStruct::getAnon(c, members);
  auto* const region =
      new GlobalVariable(m, whole->getType(), true, GlobalValue::PrivateLinkage, whole, "simt.loops.region");
  region->setAlignment(Align(8));

  auto* const table_type = ArrayType::get(b.getInt64Ty(), numbers_.size());
  AllocaInst* const table = IRBuilder<>(k_.entry, k_.entry->begin()).CreateAlloca(table_type, nullptr, "numbers");
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    Value* const at = b.CreateConstInBoundsGEP2_64(table_type, table, 0, static_cast<std::uint64_t>(i));
    hide(*b.CreateStore(numbers_[i], at));
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
