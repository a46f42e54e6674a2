// SPDX-License-Identifier: Apache-2.0
#include "lane_dependence.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "engine_calls.hpp"
#include "markers.hpp"
#include "warp_operations.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr int kDeepestTerm = 8;
constexpr unsigned kLaneBits = 5;

// The value of v's lower bits that are a lane; none: v is no constant.
const APInt* constant_of(const Value* v) {
  const APInt* c = nullptr;
  return match(v, m_APInt(c)) && c->getBitWidth() > kLaneBits ? c : nullptr;
}
std::uint64_t end_of(const APInt& c) { return c.extractBitsAsZExtValue(kLaneBits, 0); }
bool ends_in_zeros(const APInt& c) { return end_of(c) == 0; }
bool ends_in_ones(const APInt& c) { return end_of(c) == kLanes - 1; }

bool is_wide_cast(const Value* v) {
  return (isa<TruncInst>(v) || isa<ZExtInst>(v) || isa<SExtInst>(v)) && v->getType()->isIntegerTy() &&
         v->getType()->getIntegerBitWidth() > kLaneBits;
}
const Value* operand_of(const Value* v, unsigned k) { return cast<Instruction>(v)->getOperand(k); }

}  // namespace

lane_dependence::lane_dependence(const kernel_form& k) : k_(k) {
  DenseSet<Value*> the_same;
  for (bool more = true; more;) {
    spread(the_same);
    more = false;
    for (Instruction& i : instructions(k.f))
      if (found_->has(&i) && is_same_for_warp(i)) more |= the_same.insert(&i).second;
  }
}

void lane_dependence::spread(const DenseSet<Value*>& the_same) {
  found_ = std::make_unique<dependence>(k_.f);
  for (Value* v : the_same) found_->exclude(v);
  found_->add(k_.index[0]);
  if (k_.rows == row_kind::any) {  // a warp may lie in several rows
    found_->add(k_.index[1]);
    found_->add(k_.index[2]);
  }
  for (Instruction& i : instructions(k_.f)) {
    bool source = isa<AllocaInst>(i) || isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i);
    if (auto* load = dyn_cast<LoadInst>(&i)) source = !load->isSimple();
    if (auto* call = dyn_cast<CallBase>(&i)) source = !is_any_marker(call) && !call->doesNotAccessMemory();
    source |= is_marker(&i, marker::rank);
    if (is_marker(&i, marker::warp)) {
      source = differs_in_warp(cast<CallInst>(i));
      if (!source) found_->exclude(&i);  // whatever the lanes bring
    }
    if (source) found_->add(&i);
  }
  found_->propagate();
}

bool lane_dependence::is_place(const Value* v) const {
  if (is_marker(v, marker::rank) || (v == k_.index[0] && k_.rows != row_kind::any)) return true;
  const Value* wide = nullptr;
  const APInt *mask = nullptr, *up = nullptr, *down = nullptr;
  if (match(v, m_AShr(m_Shl(m_Value(wide), m_APInt(up)), m_APInt(down))))  // cut to a narrow number and widened again
    return *up == *down && up->ule(32) && v->getType()->isIntegerTy(64) && is_place(wide);
  if (match(v, m_And(m_Value(wide), m_APInt(mask))))
    return (mask->getLimitedValue() & kPlaceMask) == kPlaceMask && is_place(wide);
  return is_wide_cast(v) && v->getType()->getIntegerBitWidth() > kPlaceBits && is_place(operand_of(v, 0));
}

bool lane_dependence::is_lane(const Value* v) const {
  const Value* of = nullptr;
  const APInt* mask = nullptr;
  return match(v, m_And(m_Value(of), m_APInt(mask))) && *mask == kLanes - 1 && is_aligned(of);
}

bool lane_dependence::is_aligned(const Value* v, int depth) const {
  if (is_place(v)) return true;
  if (depth > kDeepestTerm || !isa<Instruction>(v)) return false;
  if (is_wide_cast(v)) return is_aligned(operand_of(v, 0), depth + 1);
  const auto plus_multiple = [&](unsigned a, unsigned b) {
    return is_aligned(operand_of(v, a), depth + 1) && is_multiple(operand_of(v, b), depth + 1);
  };
  switch (cast<Instruction>(v)->getOpcode()) {
    case Instruction::Add:
    case Instruction::Or:
    case Instruction::Xor:
      return plus_multiple(0, 1) || plus_multiple(1, 0);
    case Instruction::Sub:
      return plus_multiple(0, 1);
    case Instruction::And: {
      const APInt* const c = constant_of(operand_of(v, 1));
      return c != nullptr && ends_in_ones(*c) && is_aligned(operand_of(v, 0), depth + 1);
    }
    default:
      return false;
  }
}

bool lane_dependence::is_multiple(const Value* v, int depth) const {
  if (const APInt* c = constant_of(v)) return ends_in_zeros(*c);
  if (v == k_.extent[0]) return k_.rows == row_kind::whole;
  if (depth > kDeepestTerm || !isa<Instruction>(v) || found_->has(v)) return false;
  if (is_wide_cast(v)) {
    const Type* const from = operand_of(v, 0)->getType();
    return from->getIntegerBitWidth() > kLaneBits && is_multiple(operand_of(v, 0), depth + 1);
  }
  const bool first = is_multiple(operand_of(v, 0), depth + 1);
  switch (cast<Instruction>(v)->getOpcode()) {
    case Instruction::Mul:
    case Instruction::And:
      return first || is_multiple(operand_of(v, 1), depth + 1);
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
    case Instruction::Xor:
      return first && is_multiple(operand_of(v, 1), depth + 1);
    case Instruction::Shl: {
      const APInt* const by = constant_of(operand_of(v, 1));
      return first || (by != nullptr && by->uge(kLaneBits));
    }
    default:
      return false;
  }
}

bool lane_dependence::compares_alike(const ICmpInst& i) const {
  auto predicate = i.getPredicate();
  const Value *left = i.getOperand(0), *right = i.getOperand(1);
  if (!is_aligned(left)) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if (ICmpInst::isEquality(predicate) || !is_aligned(left)) return false;
  const bool from_below = predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_SLT ||
                          predicate == ICmpInst::ICMP_UGE || predicate == ICmpInst::ICMP_SGE;
  if (from_below) return is_multiple(right);
  const APInt* const c = constant_of(right);
  return c != nullptr && ends_in_ones(*c);
}

// Lanes that name the same ones get the same of a vote or a reduction, and of a shuffle by the number of one lane.
bool lane_dependence::gives_alike(const CallInst& call) const {
  if (found_->has(mask_of(call))) return false;
  return is_shuffle(call) ? asks_by_number(call) && !found_->has(call.getArgOperand(kAskedLane)) : !is_match(call);
}

// Behind a loop that lanes leave in different turns even these differ.
bool lane_dependence::is_used_behind_its_loop(const Instruction& i) const {
  const Loop* const l = found_->loops().getLoopFor(i.getParent());
  return l != nullptr &&
         any_of(i.users(), [&](const User* u) { return !l->contains(cast<Instruction>(u)->getParent()); });
}

bool lane_dependence::is_same_for_warp(const Instruction& i) const {
  if (is_marker(&i, marker::warp)) return gives_alike(cast<CallInst>(i)) && !is_used_behind_its_loop(i);
  if (is_used_behind_its_loop(i)) return false;
  if (auto* compare = dyn_cast<ICmpInst>(&i)) return compares_alike(*compare);
  if (!isa<BinaryOperator>(i)) return false;
  const APInt* const c = constant_of(i.getOperand(1));
  if (c == nullptr) return false;
  switch (i.getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr:
      return c->uge(kLaneBits) && is_aligned(i.getOperand(0));
    case Instruction::And:
    case Instruction::UDiv:
      return !c->isZero() && ends_in_zeros(*c) && is_aligned(i.getOperand(0));
    case Instruction::SDiv:
      return c->isStrictlyPositive() && ends_in_zeros(*c) && is_place(i.getOperand(0));
    default:
      return false;
  }
}

// The lanes of the tile of 2^n lanes that this lane is in: 0b1..1 << (rank & 0b1..10..0).
bool is_mask_of_tile(const kernel_form& k, const Value* mask) {
  const APInt *lanes = nullptr, *first = nullptr;
  const Value* rank = nullptr;
  if (!match(mask, m_Shl(m_APInt(lanes), m_And(m_Value(rank), m_APInt(first))))) return false;
  if (!lanes->isMask()) return false;
  const unsigned size = lanes->getActiveBits();
  if (size > kLanes / 2 || !isPowerOf2_32(size) || *first != kLanes - size) return false;
  while (is_wide_cast(rank)) rank = operand_of(rank, 0);
  return is_marker(rank, marker::rank) || (rank == k.index[0] && k.rows != row_kind::any);
}

maybe_refused refuse_partial_warps(const kernel_form& k) {
  // Else whoever is there comes to it, and the engine looks at their masks.
  if (!is_counted(*k.f.getParent())) return {};
  for (const warp_operation& o : k.warp_operations)
    if (!names_all_lanes(*o.call) && !is_mask_of_tile(k, mask_of(*o.call)))
      return refuse("an operation of a warp whose mask is not known to be all lanes", o.call);
  return {};
}

}  // namespace simt::compile
