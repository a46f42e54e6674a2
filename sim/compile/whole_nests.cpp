// SPDX-License-Identifier: Apache-2.0
#include "whole_nests.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <vector>

#include "guarded_loop.hpp"
#include "index_lines.hpp"
#include "lane_vectors.hpp"
#include "loop_bodies.hpp"
#include "loop_bounds.hpp"
#include "loop_nest.hpp"
#include "nest_turns.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr const char* kNestMark = "simt.whole_nest";
constexpr std::size_t kMostOfNest = 800, kMostNestTerms = 48;  // instructions that are copied, and what is asked

// What is asked of the whole nest.
struct nest_term {
  enum class kind { answer, line, widened } what;
  Instruction* i;
  // answer: `line` p `other` is to be `holds`; line: i is its operand `is` while line p other; widened: i is the line.
  index_line line, other;
  ICmpInst::Predicate p = ICmpInst::BAD_ICMP_PREDICATE;
  turn_ranges in{};
  bool holds = true;
  unsigned is = 0;
};

class nest_maker {
 public:
  nest_maker(Loop& rows, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators)
      : rows_(rows),
        loops_(loops),
        evolution_(evolution),
        dominators_(dominators),
        lines_(rows, evolution),
        turns_(rows, evolution, dominators) {}

  bool make() {
    if (!looks_right()) return false;
    find_terms();
    const line_maker lines(evolution_, preheader_->getTerminator());
    erase_if(terms_, [&](const nest_term& t) { return !lines.can_make(t.line) || !lines.can_make(t.other); });
    if (terms_.empty()) return false;
    put_together();
    return true;
  }

 private:
  bool looks_right() {
    preheader_ = rows_.getLoopPreheader(), exit_ = rows_.getUniqueExitBlock(), latch_ = rows_.getLoopLatch();
    if (preheader_ == nullptr || exit_ == nullptr || latch_ == nullptr || rows_.getExitingBlock() != latch_)
      return false;
    std::size_t instructions = 0;
    for (const BasicBlock* bb : rows_.blocks())
      for (const Instruction& i : *bb) {
        if (any_of(i.users(), [&](const User* u) { return !rows_.contains(cast<Instruction>(u)); })) return false;
        if (const auto* call = dyn_cast<CallBase>(&i); call != nullptr && call->cannotDuplicate()) return false;
        ++instructions;
      }
    return instructions <= kMostOfNest &&
           all_of(rows_.getLoopsInPreorder(), [&](const Loop* l) { return note_loop(*l); });
  }
  // How many turns it makes is known in front of the nest, and it has an index that grows by one.
  bool note_loop(const Loop& l) {
    const SCEV* const turns = evolution_.getBackedgeTakenCount(&l);
    if (isa<SCEVCouldNotCompute>(turns) || !turns->getType()->isIntegerTy(64) ||
        !evolution_.isLoopInvariant(turns, &rows_) || evolution_.getUnsignedRangeMin(turns).ugt(kMostTurnsOfNest))
      return false;
    turns_.note_loop(l, turns);
    for (PHINode& phi : l.getHeader()->phis()) {
      auto* const line = phi.getType()->isIntegerTy(64) ? dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi)) : nullptr;
      if (line != nullptr && line->getLoop() == &l && line->isAffine() && line->getOperand(1)->isOne() &&
          evolution_.isLoopInvariant(line->getStart(), &rows_))
        index_[&l] = {&phi, line->getStart()};
    }
    return index_.count(&l) != 0;
  }

  void find_terms() {
    SmallVector<Instruction*> casts;
    for (BasicBlock* bb : rows_.blocks()) {
      for (Instruction& i : *bb)
        if (auto* const of_two = dyn_cast<MinMaxIntrinsic>(&i))
          look_at_minimum(*of_two);
        else if (isa<SExtInst>(i) || isa<ZExtInst>(i))
          casts.push_back(&i);
        else if (auto* const choice = dyn_cast<SelectInst>(&i))
          look_at_choice(*choice);
      auto* const branch = dyn_cast<BranchInst>(bb->getTerminator());
      if (branch != nullptr && branch->isConditional() && !loops_.getLoopFor(bb)->isLoopExiting(bb))
        look_at_question(*branch);
    }
    for (Instruction* i : casts) look_at_cast(cast<CastInst>(*i));
  }
  bool takes_more() const { return terms_.size() < kMostNestTerms; }

  // Something of the block or of a loop around decides: what constants and the block's shape say is the same for all.
  bool depends_on_block(const index_line& a, const index_line& b) const {
    const auto is_of_block = [](const SCEV* v) {
      return SCEVExprContains(v, [](const SCEV* part) {
        auto* const unknown = dyn_cast<SCEVUnknown>(part);
        if (unknown == nullptr) return isa<SCEVAddRecExpr>(part);
        auto* const given = dyn_cast<Argument>(unknown->getValue());
        return given == nullptr || given->getArgNo() < parameter::extent || given->getArgNo() >= parameter::place;
      });
    };
    return any_of(a.sum.begin, is_of_block) || any_of(b.sum.begin, is_of_block);
  }

  static bool is_signed(ICmpInst::Predicate p) { return ICmpInst::isEquality(p) || ICmpInst::isSigned(p); }
  // Null: `a` p `b` is no question of the nest.
  nest_term* add_comparison(Instruction& i, Value* a, Value* b, ICmpInst::Predicate p) {
    if (!takes_more() || p == ICmpInst::ICMP_EQ || !a->getType()->isIntegerTy()) return nullptr;
    const SCEV *const of_a = evolution_.getSCEV(a), *const of_b = evolution_.getSCEV(b);
    if (evolution_.isLoopInvariant(of_a, &rows_) && evolution_.isLoopInvariant(of_b, &rows_)) return nullptr;
    auto line = lines_.find(of_a, is_signed(p)), other = lines_.find(of_b, is_signed(p));
    if (!line || !other || !depends_on_block(*line, *other)) return nullptr;
    terms_.push_back({nest_term::kind::answer, &i, std::move(*line), std::move(*other), p});
    return &terms_.back();
  }

  // Which of two a thread within the image takes: the one that goes on from thread to thread. Else a place, which grows
  // with the number of the block (max(x - 1, 0) of the first column), and not what is left to an edge (max(0, -x)).
  std::optional<unsigned> usual_of(Value* a, Value* b, bool is_signed) const {
    const bool first = moves(a, is_signed, 0), second = moves(b, is_signed, 0);
    if (first != second) return first ? 0 : 1;
    if (first) return {};
    for (const unsigned which : {0U, 1U}) {
      Value *const one = which == 0 ? a : b, *const other = which == 0 ? b : a;
      if (moves(other, is_signed, 1) || moves(other, is_signed, -1)) continue;
      if (moves(one, is_signed, 1)) return which;
      if (moves(one, is_signed, -1)) return 1 - which;
    }
    return {};
  }
  // From thread to thread (0), or from block to block, up (1) or down (-1).
  bool moves(Value* v, bool is_signed, int way) const {
    const auto line = lines_.find(evolution_.getSCEV(v), is_signed);
    return line && any_of(line->sum.steps, [&](const line_step& s) {
             if (!is_over_blocks(*s.loop)) return way == 0;
             return way == 1 ? evolution_.isKnownPositive(s.value) : way == -1 && evolution_.isKnownNegative(s.value);
           });
  }
  void look_at_minimum(MinMaxIntrinsic& of_two) {
    const auto p = ICmpInst::getNonStrictPredicate(of_two.getPredicate());
    Value *const a = of_two.getLHS(), *const b = of_two.getRHS();
    const std::optional<unsigned> usual = usual_of(a, b, ICmpInst::isSigned(p));
    if (!usual) return;
    const bool first = *usual == 0;
    nest_term* const made = add_comparison(of_two, first ? a : b, first ? b : a, p);
    if (made == nullptr) return;
    made->what = nest_term::kind::line, made->is = first ? 0 : 1, made->in = turns_.of_uses(of_two);
    lines_.note(evolution_.getSCEV(&of_two), made->line);
  }

  // A number of fewer bits, of which nobody knows that it does not wrap on its way to 64.
  void look_at_cast(CastInst& i) {
    if (!i.getType()->isIntegerTy(64) || i.use_empty() || !takes_more()) return;
    const SCEV* const of = evolution_.getSCEV(&i);
    if (isa<SCEVAddRecExpr>(of) || evolution_.isLoopInvariant(of, &rows_)) return;
    if (evolution_.getTypeSizeInBits(i.getOperand(0)->getType()) < 32) return;
    auto line = lines_.find(evolution_.getSCEV(i.getOperand(0)), isa<SExtInst>(i));
    if (!line || !line->moves()) return;
    terms_.push_back({nest_term::kind::widened, &i, std::move(*line), {}});
    terms_.back().in = turns_.of_uses(i);
  }

  // What decides over accesses. The usual way is the one on which a thread can make more of them.
  void look_at_question(BranchInst& branch) {
    const unsigned if_true = most_accesses(*branch.getSuccessor(0)), if_false = most_accesses(*branch.getSuccessor(1));
    if (if_true == if_false && !leads_to_accesses(branch)) return;
    const bool usual = if_true >= if_false;
    ask(*branch.getCondition(), usual, turns_.with(turns_.at(*branch.getParent()), *branch.getCondition(), usual));
  }
  bool leads_to_accesses(const BranchInst& branch) const {
    return any_of(rows_.blocks(), [&](const BasicBlock* bb) {
      const auto is_behind = [&](const BasicBlock* way) {
        return way->getSinglePredecessor() == branch.getParent() && dominators_.dominates(way, bb);
      };
      return any_of(branch.successors(), is_behind) && accesses(*bb) > 0;
    });
  }
  static unsigned accesses(const BasicBlock& bb) {
    return static_cast<unsigned>(
        count_if(bb, [](const Instruction& i) { return getLoadStorePointerOperand(&i) != nullptr; }));
  }
  // From bb to the end of the row, in one turn of each loop.
  unsigned most_accesses(const BasicBlock& bb) {
    if (const auto known = most_accesses_.find(&bb); known != most_accesses_.end()) return known->second;
    unsigned most = 0;
    for (const BasicBlock* next : successors(&bb))
      if (rows_.contains(next) && !dominators_.dominates(next, &bb)) most = std::max(most, most_accesses(*next));
    return most_accesses_[&bb] = most + accesses(bb);
  }
  // `x > 0 ? x - 1 : 0`
  void look_at_choice(SelectInst& choice) {
    if (!choice.getType()->isIntegerTy() || choice.getType()->isIntegerTy(1)) return;
    std::optional<unsigned> taken = usual_of(choice.getTrueValue(), choice.getFalseValue(), true);
    if (!taken && moves(choice.getTrueValue(), true, 0)) taken = 0;
    if (const bool usual = taken == 0U; taken)
      ask(*choice.getCondition(), usual, turns_.with(turns_.at(*choice.getParent()), *choice.getCondition(), usual));
  }
  void ask(Value& condition, bool usual, const turn_ranges& in) {
    for_each_asked(condition, usual, [&](Value& part, bool holds) {
      auto* const compare = dyn_cast<ICmpInst>(&part);
      if (compare == nullptr || !rows_.contains(compare)) return;
      if (any_of(terms_, [&](const nest_term& t) { return t.i == compare; })) return;
      const auto p = holds ? compare->getPredicate() : compare->getInversePredicate();
      nest_term* const made = add_comparison(*compare, compare->getOperand(0), compare->getOperand(1), p);
      if (made == nullptr) return;
      made->holds = holds;
      made->in = is_asked_once(*compare, condition) ? in : turns_.of_uses(*compare);
    });
  }

  // As a part of this condition only.
  static bool is_asked_once(const Value& part, const Value& condition) {
    const Value* at = &part;
    while (at->hasOneUse() && at != &condition) at = *at->user_begin();
    return at == &condition && at->hasOneUse();
  }

  void put_together() {
    asks_ = preheader_;
    preheader_ = SplitBlock(asks_, asks_->getTerminator(), &dominators_, &loops_, nullptr, "nest");
    SmallVector<BasicBlock*> blocks;
    ValueToValueMapTy map;
    Instruction* const front = asks_->getTerminator();
    line_maker lines(evolution_, front);
    Instruction* const before = front->getPrevNode();
    Value* const whole = ask_in_front(lines);
    SmallVector<Value*> begins = begins_of_widened(lines);

    Loop* const copy = cloneLoopWithPreheader(preheader_, asks_, &rows_, map, ".asks", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, map);
    lines.builder().SetInsertPoint(front);
    lines.builder().CreateCondBr(whole, preheader_, copy->getLoopPreheader());
    front->eraseFromParent();
    auto* const latch_of_copy = cast<BasicBlock>(map.lookup(latch_));
    for (PHINode& phi : exit_->phis()) phi.addIncoming(phi.getIncomingValueForBlock(latch_), latch_of_copy);
    for (Loop* nest : {&rows_, copy})
      for (Loop* l : nest->getLoopsInPreorder())
        if (!l->isInnermost()) addStringMetadataToLoop(l, kNestMark, 1);
    answer(begins);
    join_alike(before == nullptr ? &asks_->front() : before->getNextNode(), asks_->getTerminator());
  }

  Value* ask_in_front(line_maker& lines) {
    IRBuilder<>& b = lines.builder();
    Value* whole = b.getTrue();
    const auto ask_turns = [&](const Loop* l) {
      const SCEV* const turns = turns_.turns_of(*l);
      if (!isa<SCEVConstant>(turns))
        whole = b.CreateAnd(b.CreateICmpULE(lines.in_front(turns), b.getInt64(kMostTurnsOfNest)), whole);
    };
    for_each(rows_.getLoopsInPreorder(), ask_turns);
    for (const nest_term& t : terms_) {
      whole = b.CreateAnd(lines.fits(t.line, t.in), whole);
      if (t.what == nest_term::kind::widened) continue;
      whole = b.CreateAnd(lines.fits(t.other, t.in), whole);
      whole = b.CreateAnd(compare(t, lines), whole, "whole");
    }
    return whole;
  }
  // line p other, in all turns.
  static Value* compare(const nest_term& t, line_maker& lines) {
    IRBuilder<>& b = lines.builder();
    Value* const zero = b.getInt64(0);
    const auto extreme = [&](bool largest) {
      return b.CreateSub(lines.extreme(t.line.sum, t.in, largest), lines.extreme(t.other.sum, t.in, !largest));
    };
    switch (t.p) {
      case ICmpInst::ICMP_SLT:
      case ICmpInst::ICMP_ULT:
        return b.CreateICmpSLT(extreme(true), zero);
      case ICmpInst::ICMP_SLE:
      case ICmpInst::ICMP_ULE:
        return b.CreateICmpSLE(extreme(true), zero);
      case ICmpInst::ICMP_SGT:
      case ICmpInst::ICMP_UGT:
        return b.CreateICmpSGT(extreme(false), zero);
      case ICmpInst::ICMP_SGE:
      case ICmpInst::ICMP_UGE:
        return b.CreateICmpSGE(extreme(false), zero);
      default:  // not equal
        return b.CreateOr(b.CreateICmpSLT(extreme(true), zero), b.CreateICmpSGT(extreme(false), zero));
    }
  }
  // Of what is widened: the line where the loops' indices are 0.
  SmallVector<Value*> begins_of_widened(line_maker& lines) {
    SmallVector<Value*> begins;
    IRBuilder<>& b = lines.builder();
    for (const nest_term& t : terms_) {
      Value* begin = nullptr;
      if (t.what == nest_term::kind::widened) {
        begin = lines.begin(t.line.sum);
        for (const line_step& s : t.line.sum.steps)
          begin = b.CreateSub(begin, b.CreateMul(lines.step(s), lines.in_front(index_.lookup(s.loop).second)));
        for (const line_step& s : t.line.sum.steps) steps_[s.value] = lines.step(s);
      }
      begins.push_back(begin);
    }
    return begins;
  }
  // What was asked or made several times is so once.
  static void join_alike(Instruction* first, Instruction* end) {
    SmallVector<Instruction*> seen;
    for (Instruction* i = first; i != end;) {
      Instruction* const next = i->getNextNode();
      const auto is_alike = [&](Instruction* other) { return i->isIdenticalTo(other); };
      const auto known = i->mayReadOrWriteMemory() || isa<FreezeInst>(i) ? seen.end() : find_if(seen, is_alike);
      if (known == seen.end())
        seen.push_back(i);
      else
        i->replaceAllUsesWith(*known), i->eraseFromParent();
      i = next;
    }
  }

  void answer(ArrayRef<Value*> begins) {
    SmallVector<BasicBlock*> blocks(rows_.blocks());
    SmallVector<WeakTrackingVH> answered;
    for (std::size_t n = 0; n < terms_.size(); ++n) {
      const nest_term& t = terms_[n];
      Value* is = t.what == nest_term::kind::line ? t.i->getOperand(t.is) : nullptr;
      if (t.what == nest_term::kind::answer) {
        is = ConstantInt::getBool(t.i->getContext(), t.holds);
      } else if (t.what == nest_term::kind::widened) {
        IRBuilder<> b(t.i);
        is = begins[n];
        for (const line_step& s : t.line.sum.steps) {
          Value* const index = index_.lookup(s.loop).first;
          Value* const by = steps_.lookup(s.value);
          is = b.CreateAdd(is, match(by, m_One()) ? index : b.CreateMul(index, by));
        }
      }
      t.i->replaceAllUsesWith(is);
      answered.emplace_back(t.i);
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(answered);
    fold_answers(blocks);
    removeUnreachableBlocks(*asks_->getParent());
  }

  Loop& rows_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  DominatorTree& dominators_;
  line_finder lines_;
  BasicBlock *preheader_ = nullptr, *exit_ = nullptr, *latch_ = nullptr, *asks_ = nullptr;
  nest_turns turns_;
  DenseMap<const Loop*, std::pair<PHINode*, const SCEV*>> index_;  // its index, and where this begins
  std::vector<nest_term> terms_;
  DenseMap<const BasicBlock*, unsigned> most_accesses_;
  DenseMap<const SCEV*, Value*> steps_;  // of what is widened
};

}  // namespace

bool make_nests_whole(Function& f, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators) {
  if (!is_loops_of_block(f) || is_told_step_by_step(f)) return false;
  bool simplified = false;
  const auto is_over_threads = [](const Loop* l) {
    return l->isInnermost() && findOptionMDForLoop(l, kParallelMark) != nullptr && !takes_lanes_at_once(*l);
  };
  const auto is_over_rows = [&](const Loop* l) {
    if (l->isInnermost()) return is_over_blocks(*l);  // of each row, one thread
    return all_of(*l, is_over_threads);
  };
  for (Loop* rows : loops.getLoopsInPreorder()) {
    if (rows->isInnermost() || (!is_over_rows(rows) && !all_of(*rows, is_over_rows))) continue;  // rows, or planes
    if (findOptionMDForLoop(rows, kNestMark) != nullptr) continue;
    for (Loop* l : rows->getLoopsInPreorder())
      if (!l->isInnermost()) simplified |= simplifyLoop(l, &dominators, &loops, &evolution, nullptr, nullptr, false);
    if (nest_maker(*rows, loops, evolution, dominators).make()) return true;
  }
  return simplified;
}

}  // namespace simt::compile
