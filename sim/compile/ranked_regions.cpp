// SPDX-License-Identifier: Apache-2.0
#include "ranked_regions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <array>
#include <optional>

#include "blocks_beside.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::int64_t kMostOfRank = std::int64_t{1} << 20;  // of a factor: no index of a thread makes 2^31 of it
constexpr std::uint64_t kEveryIndex = 1023;                  // no block has more threads

#if LLVM_VERSION_MAJOR >= 20
using offsets = SmallMapVector<Value*, APInt, 4>;
#else
using offsets = MapVector<Value*, APInt>;
#endif

// Fewer than values.cpp computes anew wherever a value is used, so what they make is kept nowhere.
constexpr int kFewOperations = 12;

// A sum of x, y and z, and of what is the same for all threads. narrow: of nothing else, so it is small.
struct sum {
  std::array<std::int64_t, 3> factor{};
  bool narrow = true;
  int operations = 0;
};

class sums {
 public:
  sums(const kernel_form& k, const dependence& varying)
      : k_(k), varying_(varying), layout_(k.f.getParent()->getDataLayout()) {
    for (unsigned d = 0; d < 3; ++d) extent_[d] = static_cast<std::int64_t>(number(k.extent[d]).value_or(0));
  }

  bool know_shape() const { return extent_[0] > 1 && extent_[1] > 0 && extent_[2] > 0 && extent_[1] * extent_[2] > 1; }
  // None: v is something else, too.
  const std::optional<sum>& of(Value* v) {
    const auto known = known_.find(v);
    if (known != known_.end()) return known->second;
    known_[v] = {};  // a phi that comes round
    auto made = make(v);
    if (made && any_of(made->factor, [](std::int64_t f) { return f > kMostOfRank || f < -kMostOfRank; })) made.reset();
    if (made) made->operations = count(v);
    return known_[v] = made;
  }
  bool is_of_rank(Value* v) {
    const std::optional<sum>& s = of(v);
    if (!s) return false;
    const std::int64_t row = s->factor[0] * extent_[0];
    return (extent_[1] == 1 || s->factor[1] == row) && (extent_[2] == 1 || s->factor[2] == row * extent_[1]);
  }

 private:
  int count(const Value* v) const {
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || !varying_.has(v)) return 0;
    int all = 1;
    for (const Use& o : i->operands())
      if (const auto known = known_.find(o.get()); known != known_.end() && known->second)
        all += known->second->operations;
    return std::min(all, 1000);
  }
  // Of what stands in the entry, where extents have become constants: not yet folded.
  static std::optional<std::uint64_t> number(const Value* v, int depth = 0) {
    if (auto* const c = dyn_cast<ConstantInt>(v))
      return c->getBitWidth() <= 64 ? std::optional(c->getZExtValue()) : std::nullopt;
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || depth > 6 || !i->getType()->isIntegerTy()) return {};
    const unsigned bits = i->getType()->getIntegerBitWidth();
    if (bits > 64) return {};
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    if (isa<TruncInst>(i) || isa<ZExtInst>(i) || isa<SExtInst>(i)) {
      const auto of = number(i->getOperand(0), depth + 1);
      if (isa<SExtInst>(i) && of && *of >> (i->getOperand(0)->getType()->getIntegerBitWidth() - 1) != 0) return {};
      return of ? std::optional(*of & mask) : std::nullopt;
    }
    if (i->getOpcode() != Instruction::Mul && i->getOpcode() != Instruction::And) return {};
    const auto a = number(i->getOperand(0), depth + 1), b = number(i->getOperand(1), depth + 1);
    if (!a || !b) return {};
    return (i->getOpcode() == Instruction::Mul ? *a * *b : *a & *b) & mask;
  }

  std::optional<sum> make(Value* v) {
    for (unsigned d = 0; d < 3; ++d)
      if (v == k_.index[d]) {
        sum s;
        s.factor[d] = 1;
        return s;
      }
    if (!varying_.has(v)) return sum{{}, number(v).value_or(kMostOfRank) < kEveryIndex};
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr) return {};
    if (auto* const at = dyn_cast<GetElementPtrInst>(i)) return make_address(*at);
    if (!i->getType()->isIntegerTy() || i->getType()->getIntegerBitWidth() < 32) return {};
    const APInt* mask = nullptr;
    Value* whole = nullptr;
    if (isa<TruncInst>(i)) return of(i->getOperand(0));
    if (match(i, m_And(m_Value(whole), m_APInt(mask))) && mask->isMask() && mask->getActiveBits() >= 32)
      return narrow(whole);
    if (isa<ZExtInst>(i) || isa<SExtInst>(i)) return narrow(i->getOperand(0));
    if (i->getNumOperands() != 2) return {};
    const std::optional<sum> a = of(i->getOperand(0)), b = of(i->getOperand(1));
    if (!a || !b) return {};
    switch (i->getOpcode()) {
      case Instruction::Add:
        return added(*a, *b, 1);
      case Instruction::Sub:
        return added(*a, *b, -1);
      case Instruction::Mul: {
        const auto left = number(i->getOperand(0)), right = number(i->getOperand(1));
        if (right && *right < kMostOfRank) return added({}, *a, static_cast<std::int64_t>(*right));
        if (left && *left < kMostOfRank) return added({}, *b, static_cast<std::int64_t>(*left));
        return {};
      }
      case Instruction::Shl: {
        const auto by = number(i->getOperand(1));
        return by && *by < 20 ? std::optional(added({}, *a, std::int64_t{1} << *by)) : std::nullopt;
      }
      default:
        return {};
    }
  }
  // What is widened must not have wrapped, nor be below 0.
  std::optional<sum> narrow(Value* v) {
    const std::optional<sum> s = of(v);
    const bool good = s && s->narrow && none_of(s->factor, [](std::int64_t f) { return f < 0; });
    return good ? s : std::nullopt;
  }
  static sum added(const sum& a, const sum& b, std::int64_t times) {
    sum s;
    for (unsigned d = 0; d < 3; ++d) s.factor[d] = a.factor[d] + times * b.factor[d];
    s.narrow = a.narrow && b.narrow && times >= 0 && times < kMostOfRank;
    return s;
  }
  std::optional<sum> make_address(GetElementPtrInst& at) {
    offsets variable;
    const unsigned bits = layout_.getIndexTypeSizeInBits(at.getType());
    APInt constant(bits, 0);
    std::optional<sum> s = of(at.getPointerOperand());
    if (!s || !cast<GEPOperator>(at).collectOffset(layout_, bits, variable, constant)) return {};
    for (const auto& [index, scale] : variable) {
      const std::optional<sum> each = of(index);
      if (!each || scale.getActiveBits() > 20) return {};
      s = added(*s, *each, scale.getSExtValue());
    }
    return s;
  }

  const kernel_form& k_;
  const dependence& varying_;
  const DataLayout& layout_;
  std::array<std::int64_t, 3> extent_{};
  DenseMap<Value*, std::optional<sum>> known_;
};

class rank_finder {
 public:
  rank_finder(const kernel_form& k, const region_map& m, sums& all) : m_(m), sums_(all), beside_ranks_(k.f) {
    for (Instruction& i : instructions(k.f))
      if (m.varying->has(&i) && all.is_of_rank(&i)) beside_ranks_.exclude(&i);
    for (Argument* const index : k.index) beside_ranks_.add(index);
    beside_ranks_.propagate();
  }

  bool asks_for_ranks_only(const region& r) {
    for (BasicBlock* bb : r.blocks)
      for (Instruction& i : *bb) {
        if (beside_ranks_.has(&i) && !is_part_of_sum(i)) return false;
        if (!beside_ranks_.has(&i) && is_of_row(&i)) return false;
        for (Value* o : i.operands()) {
          if (beside_ranks_.has(o) ? !may_use_part(i, *o) : is_of_row(o)) return false;
        }
      }
    return asks_guards_of_ranks(r) && brings_ranks_only(r);
  }

 private:
  // The same for all threads of a row, and different from row to row.
  bool is_of_row(const Value* v) const {
    return isa<Instruction>(v) && m_.varying->has(v) && !m_.varying_in_row->has(v);
  }
  // Of x, y or z in other ways than a rank is, and cheap: whoever needs it computes it anew, of the x, y and z there.
  bool is_part_of_sum(Value& v) {
    const std::optional<sum>& s = sums_.of(&v);
    return s && !isa<PHINode>(v) && s->operations <= kFewOperations;
  }
  bool may_use_part(Instruction& i, Value& part) {
    return is_part_of_sum(part) && !i.getType()->isVoidTy() && !i.isTerminator() && !isa<PHINode>(i) && sums_.of(&i);
  }
  bool asks_guards_of_ranks(const region& r) const {
    const auto asks = [&](const guard* g) { return beside_ranks_.has(g->condition) || is_of_row(g->condition); };
    return none_of(r.guards, asks) &&
           none_of(m_.guards, [&](const auto& g) { return g->head == r.next && asks(g.get()); });
  }
  // What later regions begin with, as far as it comes from here.
  bool brings_ranks_only(const region& r) const {
    const auto comes_from_here = [&](BasicBlock* from) {
      return m_.is_tail(from) ? m_.before_tail.lookup(from) == &r : r.blocks.count(from) != 0;
    };
    for (const auto& other : m_.regions)
      for (PHINode& phi : other->head->phis())
        for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
          if (!comes_from_here(phi.getIncomingBlock(n))) continue;
          Value* const v = phi.getIncomingValue(n);
          if (is_of_row(&phi) || is_of_row(v) || beside_ranks_.has(v)) return false;
        }
    return true;
  }

  const region_map& m_;
  sums& sums_;
  dependence beside_ranks_;  // what depends on x, y or z in other ways than a rank does
};

}  // namespace

SmallPtrSet<const region*, 8> find_ranked_regions(const kernel_form& k, const region_map& m) {
  SmallPtrSet<const region*, 8> found;
  if (is_watched(k.f) || runs_blocks_beside(k.f) || m.varying_in_row == nullptr) return found;
  sums all(k, *m.varying);
  if (!all.know_shape()) return found;
  rank_finder ranks(k, m, all);
  for (const auto& r : m.regions)
    if (r->in == nullptr && ranks.asks_for_ranks_only(*r)) found.insert(r.get());
  return found;
}

bool divides_ranks(const region& r, const dependence& varying) {
  return any_of(r.blocks, [&](const BasicBlock* bb) {
    return any_of(*bb, [&](const Instruction& i) {
      return varying.has(&i) && (i.isIntDivRem() || i.getOpcode() == Instruction::LShr);
    });
  });
}

}  // namespace simt::compile
