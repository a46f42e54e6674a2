// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "canonical_form.hpp"
#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "place_questions.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

Type* type_in_memory_of(Type* t) { return t->isIntegerTy(1) ? Type::getInt8Ty(t->getContext()) : t; }

value_places::value_places(kernel_form& k, region_map& m, DenseMap<region*, loop_nest>& nests)
    : k_(k), m_(m), nests_(nests), layout_(k.f.getParent()->getDataLayout()) {}

AllocaInst* value_places::new_slot(Type* type, const Twine& name) {
  IRBuilder<> b(k_.entry, k_.entry->begin());
  AllocaInst* const slot = b.CreateAlloca(type, nullptr, name);
  made_slots_.push_back(slot);
  return slot;
}

AllocaInst* value_places::left_for_warp(Value* v, region* r) {
  AllocaInst* const slot = new_slot(v->getType(), "of.warp");
  left_for_warps_.push_back({v, r, nests_[r].after, slot});
  return slot;
}

void value_places::read_once_a_warp(LoadInst& i) {
  m_.alike_in_warp.insert(&i);
  read_once_.insert(&i);
}

// ------------------------------------------------------------------------------------------------ arrays
Value* value_places::new_array(Type* element, Align align, const Twine& name) {
  IRBuilder<> b(k_.entry->getTerminator());
  if (threads_ == nullptr) {
    Value* all = b.CreateMul(k_.extent[0], b.CreateMul(k_.extent[1], k_.extent[2], "", true, true), "", true, true);
    Value* up = b.CreateAdd(all, b.getInt64(kThreadsRounding - 1), "", true, true);
    threads_ = b.CreateAnd(up, b.getInt64(-kThreadsRounding), "threads");
  }
  // Arrays begin at multiples of kThreadsRounding bytes, whatever their elements are.
  Value* const at = b.CreateMul(threads_, b.getInt64(bytes_), "", true, true);
  Value* const array = b.CreateInBoundsGEP(b.getInt8Ty(), k_.f.getArg(parameter::arrays), at, name);
  bytes_ += alignTo(layout_.getTypeAllocSize(element), align);
  return array;
}

Value* value_places::new_lanes(Type* element, const Twine& name) {
  // What the entry has is used as it is; an alloca would be taken for a private array.
  Type* const type = ArrayType::get(element, kLanes);
  IRBuilder<> b(k_.entry, k_.entry->begin());
  AllocaInst* const lanes = b.CreateAlloca(type, nullptr, name);
  lanes->setAlignment(Align(kArrayAlign));
  b.SetInsertPoint(k_.entry->getTerminator());
  return b.CreateInBoundsGEP(type, lanes, {b.getInt64(0), b.getInt64(0)}, name + ".lanes");
}

// Of the warp that is running, and nobody of which may be there: then it is any lane's.
LoadInst* value_places::of_first_there(Type* type, Value* lanes, const region& r, IRBuilder<>& b) {
  Type* const number = b.getInt32Ty();
  Value* const first = b.CreateIntrinsic(Intrinsic::cttz, {number}, {r.in->live, b.getFalse()});
  Value* const lane = b.CreateZExt(b.CreateAnd(first, kLanes - 1), b.getInt64Ty());
  return b.CreateLoad(type, b.CreateInBoundsGEP(type, lanes, lane));
}

Value* value_places::new_array_for(Value* v, const Twine& name) {
  Type* const type = type_in_memory_of(v->getType());
  if (of_lanes_.count(v) != 0) return new_lanes(type, name);
  Value* const all = common_.of(v);
  if (all == nullptr) return new_array(type, layout_.getABITypeAlign(type), name);
  Value*& array = common_arrays_[all];
  if (array == nullptr) array = new_array(type, layout_.getABITypeAlign(type), name);
  return array;
}

Value* value_places::place_of(Value* v, const loop_nest& n) const {
  return of_lanes_.count(v) != 0 ? n.lane : is_of_row(v) ? n.row : n.rank;
}
void value_places::store_element(Value* v, Value* array, Value* place, IRBuilder<>& b) {
  Type* const type = type_in_memory_of(v->getType());
  Value* const word = v->getType() == type ? v : b.CreateZExt(v, type);
  b.CreateStore(word, b.CreateInBoundsGEP(type, array, place));
}
Value* value_places::load_element(Type* type, Value* array, Value* place, IRBuilder<>& b) {
  Type* const stored = type_in_memory_of(type);
  Value* const word = b.CreateLoad(stored, b.CreateInBoundsGEP(stored, array, place));
  return stored == type ? word : b.CreateTrunc(word, type);
}

// ------------------------------------------------------------------------------------------------ what a value is
bool value_places::is_head_phi(const Value* v) const {
  auto* phi = dyn_cast<PHINode>(v);
  return phi != nullptr && m_.of_head.count(const_cast<BasicBlock*>(phi->getParent())) != 0;
}

bool value_places::is_front(Value* v) {
  if (is_known_at_entry(k_, v)) return true;
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr || isa<AllocaInst>(i)) return false;
  const auto [known, fresh] = front_.try_emplace(v, false);
  if (!fresh) return known->second;
  bool is = is_uniform(v);
  if (is && !is_head_phi(v) && !is_marker(v, marker::votes)) {
    is = !isa<PHINode>(i) && !i->isTerminator() && !i->mayReadOrWriteMemory() &&
         (!isa<CallInst>(i) || isa<IntrinsicInst>(i) || is_marker(i, marker::shared) ||
          is_marker(i, marker::dynamic_shared)) &&
         isSafeToSpeculativelyExecute(i);
    for (Use& o : i->operands()) is = is && (is_front(o.get()) || (is_uniform(o.get()) && m_.of(o.get()) != m_.of(v)));
  }
  return front_[v] = is;
}

constexpr int kDear = 1000;    // more than any that are computed anew
constexpr int kMostCost = 14;  // operations; a load and a store of an element are worth some
constexpr int kMostCostOfQuestion = 64;
constexpr int kCostOfShifts = 4;       // of a quotient or a remainder by a power of two
constexpr unsigned kMostOfLanes = 16;  // arrays, on a stack that may be small

namespace {
bool can_be_computed_anew(const Instruction& i) {
  return !isa<PHINode>(i) && !i.isTerminator() && !isa<AllocaInst>(i) && !i.mayReadOrWriteMemory() &&
         (!isa<CallInst>(i) || isa<IntrinsicInst>(i)) && isSafeToSpeculativelyExecute(&i);
}
}  // namespace

bool value_places::is_of_warp(Value* v) const {
  if (m_.alike_in_warp.count(v) == 0) return false;
  const region* const home = home_.lookup(cast<Instruction>(v));
  return home != nullptr && home->in != nullptr && !(is_head_phi(v) && home == home->in->first);
}

bool value_places::is_of_row(const Value* v) const {
  return m_.groups.empty() && m_.varying_in_row != nullptr && !m_.varying_in_row->has(v);
}

bool value_places::has_of_first_thread(Value* v, region* r, int depth) {
  if (is_known_at_entry(k_, v) || is_contained(k_.index, v) || is_marker(v, marker::rank)) return true;
  auto* const i = dyn_cast<Instruction>(v);
  if (i != nullptr && (i == r->in->live || is_contained(made_slots_, i))) return true;
  region* const home = i == nullptr ? nullptr : home_.lookup(i);
  if (home == nullptr) return false;
  if (is_uniform(v)) return is_front(v) || home != r;
  if (is_of_warp(v) && home->in == r->in && (home != r || is_head_phi(v))) return true;
  if (read_once_.count(v) != 0 && home != r) return false;  // there may be something else by then
  const auto known = computed_.find(v);
  constexpr int kDeepest = 12;
  return known != computed_.end() && depth < kDeepest &&
         all_of(known->second, [&](Value* o) { return has_of_first_thread(o, r, depth + 1); });
}

// What is read in its own region alone needs no place.
bool value_places::leaves_region(Instruction& i) const {
  return any_of(i.users(), [&](User* u) {
    auto* const user = cast<Instruction>(u);
    return isa<PHINode>(user) || cheap_.count(user) != 0 || home_.lookup(user) != home_.lookup(&i);
  });
}

bool value_places::stays_in_group(Instruction& i) const {
  const region* const home = home_.lookup(&i);
  if (home->in == nullptr || (is_head_phi(&i) && home == home->in->first)) return false;
  // What is computed anew of it is so wherever that is used; who has left is asked everywhere.
  if (any_of(i.users(), [&](User* u) { return cheap_.count(u) != 0 && !stays_in_group(*cast<Instruction>(u)); }))
    return false;
  if (any_of(m_.guards, [&](const auto& g) { return g->condition == &i; })) return false;
  const auto is_here = [&](const BasicBlock* bb) {
    auto* const block = const_cast<BasicBlock*>(bb);
    const region* const r = m_.is_tail(bb) ? m_.before_tail.lookup(block) : m_.of_block.lookup(block);
    return r != nullptr && r->in == home->in;
  };
  return all_of(i.uses(), [&](const Use& u) {
    auto* const user = cast<Instruction>(u.getUser());
    auto* const phi = dyn_cast<PHINode>(user);
    return is_here(user->getParent()) && (phi == nullptr || is_here(phi->getIncomingBlock(u)));
  });
}

// Where accesses are listed, which row and which place in it a thread has has to be seen (index_parts.hpp), not loaded.
bool value_places::divides_in_watched_code(const Instruction& i) const {
  auto* const by = dyn_cast<ConstantInt>(i.getOperand(1));
  return is_watched(k_.f) && by != nullptr && by->getValue().isPowerOf2();
}

int value_places::cost(Value* v) {
  if (!isa<Instruction>(v) || is_known_at_entry(k_, v) || is_uniform(v) || isa<AllocaInst>(v)) return 0;
  if (is_marker(v, marker::rank)) return 0;  // as an index
  const auto [known, fresh] = cost_.try_emplace(v, kDear);
  if (!fresh) return known->second;
  auto* i = cast<Instruction>(v);
  if (isa<PHINode>(i) || (isa<CallInst>(i) && !isa<MinMaxIntrinsic>(i)) || i->isTerminator() ||
      i->mayReadOrWriteMemory() || i->getOpcode() == Instruction::FDiv || i->getOpcode() == Instruction::FRem ||
      (i->isIntDivRem() && !divides_in_watched_code(*i)) || !isSafeToSpeculativelyExecute(i))
    return kDear;
  int sum = i->isIntDivRem() ? kCostOfShifts : 1;
  for (Use& o : i->operands())
    if (!isa<Function>(o.get())) sum += cost(o.get());
  return cost_[v] = std::min(sum, kDear);
}

void value_places::analyse() {
  for (const auto& r : m_.regions)
    for (BasicBlock* bb : r->blocks)
      for (Instruction& i : *bb) home_[&i] = r.get();
  const place_questions questions(k_, *m_.varying);
  for (auto& [i, r] : home_) {
    if (i->getType()->isVoidTy() || is_front(i) || is_uniform(i)) continue;
    const bool asks = !is_watched(k_.f) && questions.is_one(i);
    if (cost(i) > (asks ? kMostCostOfQuestion : kMostCost)) continue;
    cheap_[i].assign(i->op_begin(), i->op_end());
  }
  if (!m_.alike_in_warp.empty())
    for (auto& [i, r] : home_)
      if (can_be_computed_anew(*i) || read_once_.count(i) != 0) computed_[i].assign(i->op_begin(), i->op_end());
  for (Instruction& i : *k_.entry)
    if (auto* a = dyn_cast<AllocaInst>(&i)) analyse_private_array(a);
  for (const auto& r : m_.regions)
    for (PHINode& phi : r->head->phis())
      if (is_read_by_each_warp(phi) || !may_share_place(phi, r.get())) own_place_.insert(&phi);
  if (is_watched(k_.f)) return;
  for (auto& [i, r] : home_)
    if (of_lanes_.size() < kMostOfLanes && !i->getType()->isVoidTy() && !is_uniform(i) && !is_of_warp(i) &&
        cheap_.count(i) == 0 && leaves_region(*i) && stays_in_group(*i))
      of_lanes_.insert(i);
  common_.find(m_, [&](Value* v) {
    return !is_uniform(v) && !is_of_row(v) && !v->getType()->isIntegerTy(1) && !isa<AllocaInst>(v) &&
           cheap_.count(v) == 0;
  });
}

// A private array that one region alone uses, once: the threads may have it one after the other.
void value_places::analyse_private_array(AllocaInst* a) {
  SmallVector<Value*> todo{a};
  DenseSet<Value*> seen;
  region* only = nullptr;
  while (!todo.empty()) {
    Value* const v = todo.pop_back_val();
    if (!seen.insert(v).second) continue;
    for (User* u : v->users()) {
      auto* i = cast<Instruction>(u);
      region* const r = m_.of(i);
      if (r == nullptr || (only != nullptr && only != r)) return;
      only = r;
      if (isa<LoadInst>(i) || isa<CmpInst>(i) || isa<MemIntrinsic>(i)) continue;
      if (auto* store = dyn_cast<StoreInst>(i); store != nullptr && store->getValueOperand() != v) continue;
      if (!isa<GetElementPtrInst>(i) && !isa<PHINode>(i) && !isa<SelectInst>(i)) return;
      todo.push_back(i);
    }
  }
  if (only == nullptr) return;
  SmallPtrSet<BasicBlock*, 16> reached;
  SmallVector<BasicBlock*> ways{only->next};
  while (!ways.empty()) {
    BasicBlock* const bb = ways.pop_back_val();
    if (bb == only->head) return;  // it runs again, and may find what it has left
    if (reached.insert(bb).second) ways.append(succ_begin(bb), succ_end(bb));
  }
  local_arrays_.insert(a);
}

// Where a group begins: some warp may have filled the incoming place again before another one reads it.
bool value_places::is_read_by_each_warp(const PHINode& phi) const {
  const region* const r = m_.of_head.lookup(const_cast<BasicBlock*>(phi.getParent()));
  return r->in != nullptr && r == r->in->first;
}

// True if nobody fills the phi's incoming place between the head and a use in another region.
bool value_places::may_share_place(PHINode& phi, region* home) {
  SmallPtrSet<region*, 8> users;
  for (User* u : phi.users()) {
    auto* i = cast<Instruction>(u);
    region* r = m_.of(i);
    if (r == nullptr && m_.is_tail(i->getParent())) r = m_.before_tail.lookup(i->getParent());
    if (auto* other = dyn_cast<PHINode>(i); other != nullptr && is_head_phi(other)) {
      // used at the end of the region that the way comes from
      for (unsigned n = 0; n < other->getNumIncomingValues(); ++n)
        if (other->getIncomingValue(n) == &phi) {
          BasicBlock* const from = other->getIncomingBlock(n);
          users.insert(m_.is_tail(from) ? m_.before_tail.lookup(from) : m_.of_block.lookup(from));
        }
      continue;
    }
    users.insert(r);
  }
  users.erase(home);
  if (users.empty()) return true;
  const auto is_made_of_it = [&](const auto& each) { return is_contained(each.second, static_cast<Value*>(&phi)); };
  if (any_of(cheap_, is_made_of_it)) return false;  // anywhere
  if (is_of_warp(&phi) && any_of(computed_, is_made_of_it)) return false;
  for (BasicBlock* from : phi.blocks()) {  // and on from there, past the head
    SmallPtrSet<BasicBlock*, 16> reached;
    SmallVector<BasicBlock*> ways(succ_begin(from), succ_end(from));
    while (!ways.empty()) {
      BasicBlock* const bb = ways.pop_back_val();
      if (bb == home->head || !reached.insert(bb).second) continue;
      if (users.count(m_.of_block.lookup(bb)) != 0) return false;
      ways.append(succ_begin(bb), succ_end(bb));
    }
  }
  return true;
}

void value_places::promote_slots() {
  DominatorTree dominators(k_.f);
  PromoteMemToReg(made_slots_, dominators);
}

}  // namespace simt::compile
