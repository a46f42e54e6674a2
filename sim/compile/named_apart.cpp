// SPDX-License-Identifier: Apache-2.0
#include "named_apart.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "engine_calls.hpp"
#include "memory_objects.hpp"
#include "one_access.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

struct index {
  const Value* number;
  unsigned extension;  // the cast to 64 bits; 0: none
  std::int64_t step;   // in bytes
  auto operator<=>(const index&) const = default;
};

// Accesses of one kind and size that differ in a constant distance only.
struct neighbours {
  const Value* root = nullptr;
  SmallVector<index> indices;
  std::uint64_t size = 0;
  members all;
  SmallVector<const Instruction*> passed;  // loads: what came since the first, and may write
  bool are_of(const neighbours& o) const { return root == o.root && size == o.size && indices == o.indices; }
};

// sext(i + 1) is sext(i) and 1, if nothing overflows; of i | 1 the same.
index without_constant(const Value* number, std::int64_t step, const DataLayout& layout, APInt& behind) {
  const auto* const cast = dyn_cast<CastInst>(number);
  const unsigned extension = cast != nullptr && (isa<SExtInst>(cast) || isa<ZExtInst>(cast)) ? cast->getOpcode() : 0;
  const Value* inner = extension != 0 ? cast->getOperand(0) : number;
  const auto* const sum = dyn_cast<BinaryOperator>(inner);
  const auto* const constant = sum != nullptr ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
  if (constant != nullptr) {
    const APInt& bits = constant->getValue();
    const auto* const adds = dyn_cast<OverflowingBinaryOperator>(sum);
    const bool is_signed = extension == Instruction::SExt;
    const bool plain = (sum->getOpcode() == Instruction::Or && !constant->isNegative() &&
                        bits.isSubsetOf(computeKnownBits(sum->getOperand(0), layout).Zero)) ||
                       (sum->getOpcode() == Instruction::Add &&
                        (extension == 0 || (is_signed ? adds->hasNoSignedWrap() : adds->hasNoUnsignedWrap())));
    if (plain) {
      behind += APInt(64, static_cast<std::uint64_t>(constant->getSExtValue() * step), true);
      inner = sum->getOperand(0);
    }
  }
  return {inner, extension, step};
}

// One access alone; no member: it is none of a known place.
neighbours alone(Instruction& i) {
  Value* base = nullptr;
  member m = member_of(i, base);
  neighbours n;
  if (m.size == 0) return n;
  const DataLayout& layout = i.getModule()->getDataLayout();
  const Value* at = base;
  APInt behind(64, static_cast<std::uint64_t>(m.at), true);
  for (const auto* step = dyn_cast<GEPOperator>(at); step != nullptr; step = dyn_cast<GEPOperator>(at)) {
    MapVector<Value*, APInt> factors;
    if (!step->collectOffset(layout, 64, factors, behind)) return n;
    for (const auto& [number, factor] : factors)
      n.indices.push_back(without_constant(number, factor.getSExtValue(), layout, behind));
    at = step->getPointerOperand();
  }
  sort(n.indices);
  n.root = at;
  n.size = m.size;
  m.at = behind.getSExtValue();
  if (is_marker(at, marker::shared))
    m.align = std::max(m.align, alignment_in_shared(getLoadStorePointerOperand(&i), layout));
  n.all.push_back(m);
  return n;
}

// Loads of three floats of four are one of four for nvcc. No byte more is read here: as loads of two and one, next to
// each other and of one place in the source, they are counted as one (sim/profile/block_counts.cpp).
void join_unevenly(ArrayRef<member> chain) {
  const member& first = earliest(chain);
  for (ArrayRef<member> left = chain; !left.empty();) {
    const std::size_t together = bit_floor(left.size());
    load_at(first, left.take_front(together), together * chain.front().size);
    left = left.drop_front(together);
  }
  for (const member& m : chain) m.made->eraseFromParent();
}

void join_neighbours(neighbours& n) {
  stable_sort(n.all, [](const member& a, const member& b) { return a.at < b.at; });
  for (ArrayRef<member> left = n.all; !left.empty();) {
    const std::uint64_t most = std::max<std::uint64_t>(std::min(kWidestMember, left.front().align) / n.size, 1);
    std::size_t chain = 1;
    while (chain < std::min<std::size_t>(left.size(), most) &&
           left[chain].at == left.front().at + static_cast<std::int64_t>(chain * n.size))
      ++chain;
    const bool loads = isa<LoadInst>(left.front().made);
    if (loads && bit_ceil(chain) <= most && !isPowerOf2_64(chain))
      join_unevenly(left.take_front(chain));
    else if (chain = bit_floor(chain); chain > 1)
      join(left.take_front(chain), chain * n.size);
    left = left.drop_front(chain);
  }
}

// Whether `m`, of such a root, and `i` may come the other way round.
bool may_swap(const Instruction& i, const member& m, const Value* root, AAResults& aliases) {
  const Value* const at = getLoadStorePointerOperand(&i);
  if (is_quiet(i) || (at != nullptr && are_different_memory(at, root))) return true;
  const ModRefInfo does = aliases.getModRefInfo(&i, MemoryLocation::get(m.made));
  return isa<StoreInst>(m.made) ? !isModOrRefSet(does) : !isModSet(does);
}

// A load goes to where the first of its neighbours is.
void join_loads(BasicBlock& bb, AAResults& aliases) {
  SmallVector<neighbours> open;
  for (Instruction& i : bb) {
    if (neighbours now = isa<LoadInst>(i) ? alone(i) : neighbours(); !now.all.empty()) {
      const member m = now.all.front();
      const auto goes_to = find_if(open, [&](const neighbours& n) {
        return n.are_of(now) && none_of(n.all, [&](const member& o) { return o.at == m.at; }) &&
               all_of(n.passed, [&](const Instruction* p) { return may_swap(*p, m, n.root, aliases); });
      });
      if (goes_to != open.end())
        goes_to->all.push_back(m);
      else
        open.push_back(std::move(now));
    } else if (i.mayWriteToMemory() && !is_quiet(i)) {
      for (neighbours& n : open) n.passed.push_back(&i);
    }
  }
  for (neighbours& n : open) join_neighbours(n);
}

// Stores go to where the last of them is.
void join_stores(BasicBlock& bb, AAResults& aliases) {
  SmallVector<neighbours> open;
  for (Instruction& i : make_early_inc_range(bb)) {
    neighbours now = isa<StoreInst>(i) ? alone(i) : neighbours();
    neighbours* goes_to = nullptr;
    for (neighbours& n : open) {
      const bool same = !now.all.empty() && n.are_of(now) &&
                        none_of(n.all, [&](const member& m) { return m.at == now.all.front().at; });
      if (same) goes_to = &n;
      if (same || all_of(n.all, [&](const member& m) { return may_swap(i, m, n.root, aliases); })) continue;
      join_neighbours(n);
      n.all.clear();
    }
    if (goes_to != nullptr)
      goes_to->all.push_back(now.all.front());
    else if (!now.all.empty())
      open.push_back(std::move(now));
  }
  for (neighbours& n : open) join_neighbours(n);
}

}  // namespace

void join_named_apart(Function& f, AAResults& aliases) {
  for (BasicBlock& bb : f) {
    join_loads(bb, aliases);
    join_stores(bb, aliases);
  }
}

}  // namespace simt::compile
