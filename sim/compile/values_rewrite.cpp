// SPDX-License-Identifier: Apache-2.0
// The second half of value_places: code is changed.
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "canonical_form.hpp"
#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "values.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
// Right behind the definition of i.
void set_behind(IRBuilder<>& b, Instruction* i) {
  if (isa<PHINode>(i))
    b.SetInsertPoint(i->getParent(), i->getParent()->getFirstInsertionPt());
  else
    b.SetInsertPoint(i->getParent(), std::next(i->getIterator()));
}
// Ways meet of which some bring no value: who has come by the others keeps it.
bool skips_none(const PHINode& phi) {
  return any_of(phi.incoming_values(), [](const Use& u) { return isa<UndefValue>(u.get()); }) &&
         brings_values_alone(phi);
}
}  // namespace

// The place of a uniform value.
Value* value_places::slot_of(Value* v) {
  if (Value* known = slots_.lookup(v)) return known;
  AllocaInst* const slot = new_slot(v->getType(), v->getName() + ".uniform");
  slots_[v] = slot;
  auto* i = cast<Instruction>(v);
  region* const home = home_.lookup(i);
  IRBuilder<> b(k_.f.getContext());
  if (is_front(v) || is_alike_in_front(v, home)) {
    Value* const once = is_front(v) ? in_front(v, home) : of_first_thread(v, home);
    b.SetInsertPoint(nests_[home].before->getTerminator());
    b.CreateStore(once, slot);
  } else if (is_of_warp(v)) {
    set_behind(b, i);
    leave_by_lanes(v, slot, home, nests_[home].after, b);
  } else {  // by every thread, the same
    set_behind(b, i);
    b.CreateStore(v, slot);
  }
  return slot;
}

// Each lane of r leaves v at b, the same, in a place of its own, for which the vectoriser has an instruction. Behind
// their loop it comes into the slot.
void value_places::leave_by_lanes(Value* v, Value* slot, region* r, BasicBlock* behind, IRBuilder<>& b) {
  Type* const type = type_in_memory_of(v->getType());
  Value* const lanes = new_lanes(type, "of.warp");
  store_element(v, lanes, nests_[r].lane, b);
  IRBuilder<> once(behind, behind->begin());
  if (auto* live = dyn_cast<Instruction>(r->in->live); live != nullptr && live->getParent() == behind)
    set_behind(once, live);
  Value* const one = of_first_there(type, lanes, *r, once);
  once.CreateStore(type == v->getType() ? one : once.CreateTrunc(one, v->getType()), slot);
}

// The array of a value that differs between threads.
Value* value_places::array_of(Value* v) {
  if (Value* known = arrays_.lookup(v)) return known;
  auto* i = cast<Instruction>(v);
  region* const home = home_.lookup(i);
  Value* const array = new_array_for(v, v->getName() + ".each");
  arrays_[v] = array;
  IRBuilder<> b(k_.f.getContext());
  if (is_of_warp(v) && is_head_phi(v)) {
    b.SetInsertPoint(nests_[home].x);
    store_element(in_front(v, home), array, nests_[home].rank, b);
  } else if (is_head_phi(v)) {
    Value* const loaded = inside_.lookup({home, v});
    set_behind(b, cast<Instruction>(loaded));
    store_element(loaded, array, place_of(v, nests_[home]), b);
  } else if (auto* phi = dyn_cast<PHINode>(v); phi != nullptr && is_of_row(v) && skips_none(*phi)) {
    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n) {
      if (isa<UndefValue>(phi->getIncomingValue(n))) continue;
      b.SetInsertPoint(phi->getIncomingBlock(n)->getTerminator());
      store_element(inside(phi->getIncomingValue(n), home), array, nests_[home].row, b);
    }
  } else {
    set_behind(b, i);
    store_element(v, array, place_of(v, nests_[home]), b);
  }
  return array;
}

Value* value_places::in_front(Value* v, region* r) {
  if (is_known_at_entry(k_, v)) return v;
  region* const home = home_.lookup(cast<Instruction>(v));
  if (home == r && !is_head_phi(v)) return v;
  if (Value* known = in_front_.lookup({r, v})) return known;
  Value* const slot = slot_of(v);
  BasicBlock* const before = nests_[r].before;
  IRBuilder<> b(before, before->begin());
  return in_front_[{r, v}] = b.CreateLoad(v->getType(), slot, v->getName());
}

Value* value_places::of_first_thread(Value* v, region* r) {
  if (is_known_at_entry(k_, v) || v == r->in->live || is_contained(made_slots_, v)) return v;
  for (unsigned d = 0; d < 3; ++d)
    if (v == k_.index[d]) return r->in->first_index[d];
  if (auto* i = dyn_cast<Instruction>(v);
      is_uniform(v) || (is_of_warp(v) && home_.lookup(i)->in == r->in && (home_.lookup(i) != r || is_head_phi(v))))
    return in_front(v, r);
  if (Value* known = of_first_.lookup({r, v})) return known;
  IRBuilder<> b(nests_[r].before->getTerminator());
  if (is_marker(v, marker::rank)) return of_first_[{r, v}] = b.CreateTrunc(r->in->first_rank, v->getType());
  const SmallVector<Value*, 4> operands = computed_.lookup(v);
  Instruction* const again = cast<Instruction>(v)->clone();
  for (unsigned o = 0; o < operands.size(); ++o) again->setOperand(o, of_first_thread(operands[o], r));
  again->dropPoisonGeneratingFlags();  // this thread may have gone another way
  b.SetInsertPoint(nests_[r].before->getTerminator());
  return of_first_[{r, v}] = b.Insert(again, v->getName() + ".of_warp");
}

BasicBlock* value_places::before_all(region* r) { return r->in != nullptr ? r->in->before : nests_[r].before; }

Value* value_places::behind_group(Value* v, region* r) {
  if (is_known_at_entry(k_, v)) return v;
  Value* const slot = slot_of(v);
  BasicBlock* const after = r->in->after;
  IRBuilder<> b(after, after->begin());
  return b.CreateLoad(v->getType(), slot, v->getName());
}

Value* value_places::behind(Value* v, region* r, BasicBlock* tail) {
  IRBuilder<> b(tail, tail->begin());
  if (m_.warp_tails.count(tail) != 0 && is_alike_in_front(v, r)) return of_first_thread(v, r);
  if (m_.warp_tails.count(tail) != 0) {  // each lane says it
    AllocaInst* const slot = new_slot(v->getType(), v->getName() + ".of_warp");
    IRBuilder<> lanes(r->last->getTerminator());
    if (is_watched(k_.f))
      lanes.CreateStore(inside(v, r), slot);
    else
      leave_by_lanes(inside(v, r), slot, r, nests_[r].after, lanes);
    return b.CreateLoad(v->getType(), slot);
  }
  if (r->in != nullptr) return behind_group(v, r);
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr || home_.lookup(i) != r || is_head_phi(v) || is_front(v)) return in_front(v, r);
  return b.CreateLoad(v->getType(), slot_of(v));
}

Value* value_places::inside(Value* v, region* r) {
  const loop_nest& n = nests_[r];
  for (unsigned d = 0; d < 3; ++d)
    if (v == k_.index[d]) return n.index[d];
  if (is_marker(v, marker::rank)) {
    Value*& rank = inside_[{r, v}];
    if (rank == nullptr) rank = IRBuilder<>(n.x).CreateTrunc(n.rank, v->getType());
    return rank;
  }
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr || is_known_at_entry(k_, v) || local_arrays_.count(v) != 0) return v;
  region* const home = home_.lookup(i);
  if (home == nullptr && !isa<AllocaInst>(i)) return v;  // made for this use
  if (is_alike_in_front(v, r)) return of_first_thread(v, r);
  if (r->in != nullptr && m_.lane_numbers.count(v) != 0) {
    Value*& lane = inside_[{r, v}];
    if (lane == nullptr) lane = IRBuilder<>(n.x).CreateZExtOrTrunc(n.lane, v->getType());
    return lane;
  }
  if (home == r && !is_head_phi(v)) return v;
  if (is_uniform(v)) return in_front(v, r);
  if (Value* known = inside_.lookup({r, v})) return known;
  Value* made = nullptr;
  if (auto* a = dyn_cast<AllocaInst>(i)) {
    Value* array = arrays_.lookup(a);
    Type* const bytes = Type::getInt8Ty(v->getContext());
    const std::uint64_t stride = alignTo(a->getAllocationSize(layout_)->getFixedValue(), a->getAlign());
    Type* const type = ArrayType::get(bytes, stride);
    if (array == nullptr) array = arrays_[a] = new_array(type, a->getAlign(), a->getName() + ".each");
    IRBuilder<> b(n.x);
    made = b.CreateInBoundsGEP(type, array, n.rank);
  } else if (const auto cheap = cheap_.find(v); cheap != cheap_.end()) {
    const SmallVector<Value*, 4> operands = cheap->second;
    Instruction* const again = i->clone();
    for (unsigned o = 0; o < operands.size(); ++o) again->setOperand(o, inside(operands[o], r));
    IRBuilder<> b(n.x);
    made = b.Insert(again, v->getName());
  } else {
    Value* const array = array_of(v);
    const bool of_row = is_of_row(v);
    IRBuilder<> b(n.x);
    if (of_row) b.SetInsertPoint(n.y->getTerminator());
    made = load_element(v->getType(), array, place_of(v, n), b);
  }
  return inside_[{r, v}] = made;
}

void value_places::make_incoming_places() {
  for (const auto& r : m_.regions) {
    const loop_nest& n = nests_[r.get()];
    for (PHINode& phi : r->head->phis()) {
      Type* const type = phi.getType();
      if (is_uniform(&phi) || is_of_warp(&phi)) {
        AllocaInst* const slot = new_slot(type, phi.getName() + ".in");
        incoming_[&phi] = slot;
        BasicBlock* const before = is_read_by_each_warp(phi) ? r->in->before : n.before;
        IRBuilder<> b(before, before->begin());
        in_front_[{r.get(), &phi}] = b.CreateLoad(type, slot, phi.getName());
        if (own_place_.count(&phi) == 0) slots_[&phi] = slot;
      } else {
        Value* const array = new_array_for(&phi, phi.getName() + ".in");
        incoming_[&phi] = array;
        const bool of_row = is_of_row(&phi);
        IRBuilder<> b(n.x);
        if (of_row) b.SetInsertPoint(n.y->getTerminator());
        inside_[{r.get(), &phi}] = load_element(type, array, place_of(&phi, n), b);
        if (own_place_.count(&phi) == 0 || common_.of(&phi) != nullptr) arrays_[&phi] = array;
      }
    }
  }
}

// The head phi is to be v when its region is entered by `from`.
void value_places::fill(PHINode& phi, Value* v, BasicBlock* from) {
  const bool by_tail = m_.is_tail(from);
  region* const q = by_tail ? m_.before_tail.lookup(from) : m_.of_block.lookup(from);
  const loop_nest& n = nests_[q];
  Value* const place = incoming_[&phi];
  if (common_.are_one(&phi, v)) {  // it is there, behind its definition
    array_of(v);
    return;
  }
  if (is_of_warp(&phi)) {  // all ways to it are the group's
    IRBuilder<> b(q->last->getTerminator());
    if (!has_of_first_thread(v, q)) return leave_by_lanes(inside(v, q), place, q, n.after, b);
    Value* const once = of_first_thread(v, q);
    if (by_tail)
      b.SetInsertPoint(from->getTerminator());
    else
      b.SetInsertPoint(n.after);
    b.CreateStore(once, place);
    return;
  }
  if (!is_uniform(&phi)) {
    if (isa<UndefValue>(v)) return;  // who has none leaves the others' alone
    Value* const mine = inside(v, q);
    IRBuilder<> b(q->last->getTerminator());
    store_element(mine, place, place_of(&phi, n), b);
    return;
  }
  if (q->in != nullptr && q == q->in->last) {  // when all warps have read what was there
    Value* const all = behind_group(v, q);
    IRBuilder<> b(q->in->after);
    if (by_tail) b.SetInsertPoint(from->getTerminator());
    b.CreateStore(all, place);
    return;
  }
  auto* i = dyn_cast<Instruction>(v);
  const bool by_threads = i != nullptr && home_.lookup(i) == q && !is_front(v);
  if (by_threads) {
    IRBuilder<>(q->last->getTerminator()).CreateStore(v, place);
    return;
  }
  Value* const all = in_front(v, q);
  IRBuilder<> b(k_.f.getContext());
  if (by_tail)
    b.SetInsertPoint(from->getTerminator());
  else
    b.SetInsertPoint(n.after);
  b.CreateStore(all, place);
}

void value_places::replace_uses(Instruction& i, region* r) {
  const bool front = i.getParent() == nests_[r].before;
  for (Use& o : i.operands()) {
    Value* const v = o.get();
    if (isa<BasicBlock>(v) || (!isa<Instruction>(v) && !isa<Argument>(v))) continue;
    if (auto* slot = dyn_cast<AllocaInst>(v); slot != nullptr && is_contained(made_slots_, slot)) continue;
    o.set(front ? in_front(v, r) : inside(v, r));
  }
}

// Votes are added up in one slot: threads say theirs right in front of a barrier, and it is read right behind.
void value_places::rewrite_votes() {
  AllocaInst* slot = nullptr;
  DenseSet<region*> begun;
  for (const auto& r : m_.regions)
    for (BasicBlock* bb : r->blocks)
      for (Instruction& i : make_early_inc_range(*bb)) {
        const bool says = is_marker(&i, marker::vote), asks = is_marker(&i, marker::votes);
        if (!says && !asks) continue;
        IRBuilder<> b(&i);
        if (slot == nullptr) slot = new_slot(b.getInt32Ty(), "votes");
        if (says) {
          BasicBlock* const before = before_all(r.get());
          if (begun.insert(r.get()).second) IRBuilder<>(before->getTerminator()).CreateStore(b.getInt32(0), slot);
          Value* const mine = b.CreateZExt(cast<CallInst>(i).getArgOperand(0), b.getInt32Ty());
          b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt32Ty(), slot), mine), slot);
          if (auto* made = dyn_cast<Instruction>(mine)) home_[made] = r.get();
        } else {
          BasicBlock* const before = before_all(r.get());
          IRBuilder<> front(before, before->begin());
          LoadInst* const sum = front.CreateLoad(b.getInt32Ty(), slot, "votes");
          for (auto& [v, operands] : cheap_)
            std::replace(operands.begin(), operands.end(), static_cast<Value*>(&i), static_cast<Value*>(sum));
          i.replaceAllUsesWith(sum);
          home_[sum] = r.get();
          front_[sum] = true;
        }
        home_.erase(&i);
        front_.erase(&i);  // another instruction may come to lie at its address
        cost_.erase(&i);
        i.eraseFromParent();
      }
}

void value_places::fill_places_of_warps() {
  for (const left_value& each : left_for_warps_) {
    Value* const v = each.value;
    if (has_of_first_thread(v, each.by)) {
      Value* const once = of_first_thread(v, each.by);
      IRBuilder<>(nests_[each.by].before->getTerminator()).CreateStore(once, each.slot);
    } else {
      IRBuilder<> b(each.by->last->getTerminator());
      leave_by_lanes(inside(v, each.by), each.slot, each.by, each.behind, b);
    }
  }
}

void value_places::rewrite() {
  for (const auto& r : m_.regions) m_.of_block[nests_[r.get()].before] = r.get();
  rewrite_votes();
  ReversePostOrderTraversal<Function*> order(&k_.f);
  for (BasicBlock* bb : order) {
    region* const r = m_.of_block.lookup(bb);
    if (r == nullptr || bb == nests_[r].before) continue;
    for (Instruction& i : make_early_inc_range(*bb))
      if (!isa<PHINode>(i) && !i.isTerminator() && !i.getType()->isVoidTy() && is_front(&i))
        i.moveBefore(nests_[r].before->getTerminator());
  }
  make_incoming_places();
  for (const auto& r : m_.regions)
    for (PHINode& phi : r->head->phis())
      for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n)
        fill(phi, phi.getIncomingValue(n), phi.getIncomingBlock(n));
  fill_places_of_warps();
  const SmallVector<std::pair<Instruction*, region*>> all(home_.begin(), home_.end());
  for (const auto& [i, r] : all)
    if (!is_head_phi(i)) replace_uses(*i, r);
}

}  // namespace simt::compile
