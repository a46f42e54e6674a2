// SPDX-License-Identifier: Apache-2.0
#include "nest_turns.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "guarded_loop.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
constexpr int kDeepestUse = 8;
}

// As for_each_part, also where LLVM has frozen what is asked in front of a loop.
void for_each_asked(Value& condition, bool holds, function_ref<void(Value&, bool)> look) {
  for_each_part(condition, holds, [&](Value& part, bool each_holds) {
    if (auto* const frozen = dyn_cast<FreezeInst>(&part))
      return for_each_asked(*frozen->getOperand(0), each_holds, look);
    look(part, each_holds);
  });
}

turn_ranges nest_turns::at(const BasicBlock& bb) const {
  turn_ranges in = every_;
  const auto* node = dominators_.getNode(&bb);
  for (const BasicBlock* to = &bb; node != nullptr && nest_.contains(to) && to != nest_.getHeader();) {
    node = node->getIDom();
    const BasicBlock* const from = node == nullptr ? nullptr : node->getBlock();
    if (from == nullptr || !nest_.contains(from)) break;
    auto* const branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch != nullptr && branch->isConditional())
      for (const unsigned way : {0U, 1U})
        if (branch->getSuccessor(way) == to && to->getSinglePredecessor() == from)
          in = with(in, *branch->getCondition(), way == 0);
    to = from;
  }
  return in;
}
turn_ranges nest_turns::with(turn_ranges in, Value& condition, bool holds) const {
  for_each_asked(condition, holds, [&](Value& part, bool each_holds) {
    auto* const compare = dyn_cast<ICmpInst>(&part);
    if (compare == nullptr || !compare->getOperand(0)->getType()->isIntegerTy()) return;
    const APInt* number;
    auto* const line = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(compare->getOperand(0)));
    if (line == nullptr || !line->isAffine() || !match(compare->getOperand(1), m_APInt(number))) return;
    auto* const begin = dyn_cast<SCEVConstant>(line->getStart());
    const auto of = in.find(line->getLoop());
    if (begin == nullptr || of == in.end() || !line->getOperand(1)->isOne()) return;
    const APInt most = evolution_.getUnsignedRangeMax(of->second.turns);
    const unsigned bits = number->getBitWidth();
    if (bits < 32 || most.ugt(kMostTurnsOfNest)) return;
    const auto p = each_holds ? compare->getPredicate() : compare->getInversePredicate();
    const APInt past = APInt(bits, most.getZExtValue() + 1);
    const ConstantRange turns = ConstantRange::makeExactICmpRegion(p, *number)
                                    .subtract(begin->getAPInt())
                                    .intersectWith(ConstantRange(APInt(bits, 0), past), ConstantRange::Unsigned);
    if (turns.isEmptySet()) return;
    turn_range& range = of->second;
    range.first = std::max(range.first, static_cast<std::int64_t>(turns.getUnsignedMin().getZExtValue()));
    const auto last = static_cast<std::int64_t>(turns.getUnsignedMax().getZExtValue());
    range.last = range.last < 0 ? last : std::min(range.last, last);
  });
  return in;
}
turn_ranges nest_turns::of_uses(const Instruction& i, int depth) const {
  if (i.mayReadOrWriteMemory() || i.isTerminator() || isa<PHINode>(i) || i.isIntDivRem() || depth > kDeepestUse)
    return at(*i.getParent());
  std::optional<turn_ranges> all;
  for (const Use& u : i.uses()) {
    auto* const user = cast<Instruction>(u.getUser());
    auto* const phi = dyn_cast<PHINode>(user);
    const turn_ranges here = phi != nullptr ? at(*phi->getIncomingBlock(u)) : of_uses(*user, depth + 1);
    if (!all) {
      all = here;
      continue;
    }
    for (auto& [l, range] : *all) {
      const turn_range other = here.lookup(l);
      range.first = std::min(range.first, other.first);
      range.last = range.last < 0 || other.last < 0 ? -1 : std::max(range.last, other.last);
    }
  }
  return all.value_or(every_);
}

}  // namespace simt::compile
