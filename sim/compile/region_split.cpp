// SPDX-License-Identifier: Apache-2.0
// A part of region_accesses: whether the threads of a row are to count as rows of a power of two. Products in registers
// find their places by i / 16 and i % 16, which are linear in the two indices of such rows, and not in i.
#include <llvm/ADT/SmallPtrSet.h>

#include <map>

#include "index_parts.hpp"
#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
constexpr unsigned kMostBits = 9;         // of rows: a block has up to 1,024 threads
constexpr std::size_t kMostValues = 256;  // that an address is made of

// v is x and something that is the same for the row.
bool goes_with(const Value* v, const Value* x, const Loop& row) {
  while (isa<CastInst>(v) || isa<FreezeInst>(v)) v = cast<Instruction>(v)->getOperand(0);
  if (v == x) return true;
  auto* const sum = dyn_cast<BinaryOperator>(v);
  if (sum == nullptr || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Or)) return false;
  for (const unsigned side : {0U, 1U})
    if (row.isLoopInvariant(sum->getOperand(1 - side)) && goes_with(sum->getOperand(side), x, row)) return true;
  return false;
}
}  // namespace

// The bits of the rows' places; 0: x stays one index.
unsigned region_accesses::find_split() const {
  if (in_ != nullptr || counted_) return 0;
  std::map<unsigned, std::size_t> gained;  // accesses that are linear then, those in loops more than others
  const auto asks_for = [&](const Value* at, std::size_t weight) {
    SmallPtrSet<const Value*, 32> seen;
    SmallVector<const Value*, 32> open{at};
    unsigned by = 0;
    bool others = false;
    while (!open.empty() && seen.size() < kMostValues) {
      auto* const i = dyn_cast<Instruction>(open.pop_back_val());
      if (i == nullptr || !seen.insert(i).second) continue;
      if (i == n_.index[1] || i == n_.index[2]) return false;
      if (i == n_.index[0] || !row_->contains(i) || isa<LoadInst>(i)) continue;
      if (const auto field = field_of(*i); field && goes_with(field->number, n_.index[0], *row_)) {
        const unsigned bits = field->from == 0 ? field->to : field->from;
        others |= by != 0 && by != bits;
        by = bits;
      }
      for (const Value* o : i->operand_values()) open.push_back(o);
    }
    if (by != 0 && by <= kMostBits && !others) gained[by] += weight;
    return true;
  };
  for (const BasicBlock* bb : row_->blocks()) {
    const std::size_t weight = std::size_t{1} << 3 * std::min<unsigned>(loops_.getLoopDepth(bb), 8);
    for (const Instruction& i : *bb) {
      if (!is_announced(i)) continue;
      auto* const copy = dyn_cast<MemCpyInst>(&i);
      const Value* const at = copy != nullptr ? copy->getRawSource() : getLoadStorePointerOperand(&i);
      if (at != nullptr && !asks_for(at, weight)) return 0;
      if (copy != nullptr && !asks_for(copy->getRawDest(), weight)) return 0;
    }
  }
  unsigned best = 0;
  for (const auto& [bits, weight] : gained)
    if (best == 0 || weight > gained[best]) best = bits;
  return best;
}

}  // namespace simt::compile
