// SPDX-License-Identifier: Apache-2.0
#include "watched_region.hpp"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/CodeExtractor.h>
#include <llvm/Transforms/Utils/Local.h>

#include "canonical_form.hpp"
#include "copied_blocks.hpp"
#include "engine_calls.hpp"
#include "hidden.hpp"
#include "loop_bodies.hpp"
#include "markers.hpp"
#include "region_accesses.hpp"
#include "told_accesses.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char* kWatchedLoops = "simt.watched_loops";  // of a function: some of its loops are

// Functions of the runtime: sim/instrument/checked_loops.cpp and tsan_abi.hpp.
FunctionCallee runtime(Function& f, const Twine& name, Type* result, ArrayRef<Type*> parameters) {
  FunctionCallee found = f.getParent()->getOrInsertFunction(name.str(), FunctionType::get(result, parameters, false));
  cast<Function>(found.getCallee())->setDoesNotThrow();
  return found;
}
Type* nothing(Function& f) { return Type::getVoidTy(f.getContext()); }
Type* number(Function& f) { return Type::getInt64Ty(f.getContext()); }
Type* pointer(Function& f) { return PointerType::getUnqual(f.getContext()); }

// All blocks of the loops around the region.
SmallVector<BasicBlock*> blocks_of(const loop_nest& n, const LoopInfo& loops) {
  if (n.z != nullptr) return SmallVector<BasicBlock*>(loops.getLoopFor(n.z)->blocks());
  const Loop* const lanes = loops.getLoopFor(n.x);
  if (lanes->getParentLoop() != nullptr && lanes->getParentLoop()->getHeader() == n.y)
    return SmallVector<BasicBlock*>(lanes->getParentLoop()->blocks());
  SmallVector<BasicBlock*> blocks{n.y};  // the lanes of a warp in one row
  blocks.append(lanes->block_begin(), lanes->block_end());
  blocks.push_back(n.y_next);
  return blocks;
}

// It announces something, or a fault there is to name its thread.
bool names_its_thread(const Instruction& i) {
  return is_announced(i) || (i.isIntDivRem() && !isSafeToSpeculativelyExecute(&i));
}

// Where threads begin that announce something: at one block in front of all their accesses, but behind the question
// that decides whether a thread makes any, as of the lane that writes its warp's sum. What tells of a defect in the
// program, and else never runs, begins its thread by itself.
SmallVector<Instruction*, 4> places_of_beginning(kernel_form& k, const loop_nest& n) {
  DominatorTree dominators(k.f);
  LoopInfo loops(dominators);
  const Loop* const row = loops.getLoopFor(n.x);
  BasicBlock* all = nullptr;
  SmallVector<Instruction*, 4> places;
  for (BasicBlock* bb : row->blocks()) {
    const auto first = find_if(*bb, names_its_thread);
    if (first == bb->end()) continue;
    auto* const call = dyn_cast<CallBase>(&*first);
    if (call != nullptr && call->hasFnAttr(Attribute::Cold) && count_if(*bb, names_its_thread) == 1)
      places.push_back(&*first);
    else
      all = all == nullptr ? bb : dominators.findNearestCommonDominator(all, bb);
  }
  if (all == nullptr) return places;
  while (all != n.x && loops.getLoopFor(all) != row) all = dominators.getNode(all)->getIDom()->getBlock();
  erase_if(places, [&](const Instruction* i) { return dominators.dominates(all, i->getParent()); });
  places.push_back(all == n.x ? nullptr : &*all->getFirstInsertionPt());
  return places;
}

void announce_threads(kernel_form& k, region& r, loop_nest& n) {
  const FunctionCallee begins = runtime(k.f, "simt_loop_thread", nothing(k.f),
                                        {pointer(k.f), number(k.f), number(k.f), number(k.f), number(k.f)});
  for (Instruction* place : places_of_beginning(k, n)) {
    if (place == nullptr) {
      BasicBlock* const head = r.head->getSinglePredecessor() == n.x ? r.head : SplitEdge(n.x, r.head);
      place = &*head->getFirstInsertionPt();
    }
    IRBuilder<> b(place);
    b.SetCurrentDebugLocation(place_in_function(k.f));
    b.CreateCall(begins, {k.f.getArg(parameter::block), n.rank, n.index[0], n.index[1], n.index[2]});
  }
}

CallInst* announce_copy(kernel_form& k, MemCpyInst& copy, Value* site, IRBuilder<>& b) {
  const FunctionCallee told =
      runtime(k.f, "simt_loop_copy", nothing(k.f), {pointer(k.f), pointer(k.f), number(k.f), pointer(k.f)});
  Value* const bytes = b.CreateZExtOrTrunc(copy.getLength(), b.getInt64Ty());
  return b.CreateCall(told, {copy.getRawDest(), copy.getRawSource(), bytes, site});
}

using announcing_calls = DenseMap<Instruction*, CallInst*>;
// The watched loops announce the listed accesses by calls that note where they are made.
announcing_calls announce_accesses(kernel_form& k, const region_accesses& a) {
  announcing_calls calls;
  for (const listed_access& one : a.accesses()) {
    IRBuilder<> b(one.instruction);
    if (!one.instruction->getDebugLoc()) b.SetCurrentDebugLocation(place_in_function(k.f));
    if (is_block_marker(*one.instruction)) {
      auto* const marker = cast<CallInst>(one.instruction);
      b.CreateCall(runtime(k.f, "simt_loop_begins", nothing(k.f), {b.getInt32Ty(), pointer(k.f), pointer(k.f)}),
                   {marker->getArgOperand(0), marker->getArgOperand(1), one.site});
      marker->eraseFromParent();
      continue;
    }
    if (copy_call_of(*one.instruction) == copy_call::issue) {
      auto* const issue = cast<CallInst>(one.instruction);
      SmallVector<Value*, 5> arguments(issue->args());
      arguments.push_back(one.site);
      b.CreateCall(runtime(k.f, "simt_loop_issue", nothing(k.f),
                           {pointer(k.f), pointer(k.f), pointer(k.f), number(k.f), pointer(k.f)}),
                   arguments);
      issue->eraseFromParent();
      continue;
    }
    hide(*one.instruction);
    if (auto* copy = dyn_cast<MemCpyInst>(one.instruction)) {
      announce_copy(k, *copy, one.site, b);
      continue;
    }
    const FunctionCallee told = runtime(k.f, Twine(one.write ? "simt_loop_write" : "simt_loop_read") + Twine(one.size),
                                        nothing(k.f), {pointer(k.f), pointer(k.f)});
    calls[one.instruction] = b.CreateCall(told, {getLoadStorePointerOperand(one.instruction), one.site});
  }
  return calls;
}

bool is_named(const Metadata* word, StringRef name) {
  const auto* node = dyn_cast_or_null<MDNode>(word);
  const auto* first = node != nullptr && node->getNumOperands() > 0 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
  return first != nullptr && first->getString() == name;
}

// The blocks from `first` on, up to `behind`.
SmallVector<BasicBlock*> blocks_between(BasicBlock& first, const BasicBlock& behind) {
  SmallSetVector<BasicBlock*, 16> found;
  found.insert(&first);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (BasicBlock* next : successors(found[i]))
      if (next != &behind) found.insert(next);
  return SmallVector<BasicBlock*>(found.begin(), found.end());
}

// In a copy of the loops, where a thread is about to be heard of that is not the one heard of last.
void name_thread(kernel_form& k, const loop_nest& n, const ValueToValueMapTy& map, IRBuilder<>& b,
                 const DebugLoc& place) {
  b.SetCurrentDebugLocation(place ? place : place_in_function(k.f));
  const auto here = [&](Value* v) {
    Value* const mapped = map.lookup(v);
    return mapped == nullptr ? v : mapped;
  };
  b.CreateCall(
      runtime(k.f, "simt_loop_lone", nothing(k.f), {pointer(k.f), number(k.f), number(k.f), number(k.f), number(k.f)}),
      {k.f.getArg(parameter::block), here(n.rank), here(n.index[0]), here(n.index[1]), here(n.index[2])});
}

// The unwatched loops announce what is not listed, by the thread that does it. All other accesses in them are hidden,
// but for reads that may be silent.
void announce_lone(kernel_form& k, const region& r, const loop_nest& n, const region_accesses& a,
                   read_only_arrays& read_only, ValueToValueMapTy& map, unwatched_loops& u, const BasicBlock& behind) {
  for (const listed_access& one : a.accesses()) hide(*cast<Instruction>(map.lookup(one.instruction)));
  SmallVector<Instruction*> announced;
  for (Instruction* original : a.lone()) {
    auto* const i = cast<Instruction>(map.lookup(original));
    auto* const copy = dyn_cast<MemCpyInst>(i);
    if (isa<CallInst>(i) && copy == nullptr) {
      announced.push_back(i);
      continue;
    }
    if (read_only.may_be_silent(*i)) continue;
    IRBuilder<> b(i);
    b.SetCurrentDebugLocation(i->getDebugLoc() ? i->getDebugLoc() : place_in_function(k.f));
    if (copy != nullptr) {
      announced.push_back(announce_copy(k, *copy, ConstantPointerNull::get(b.getPtrTy()), b));
      continue;
    }
    const std::uint64_t size = k.f.getParent()->getDataLayout().getTypeStoreSize(getLoadStoreType(i)).getFixedValue();
    const FunctionCallee tell = runtime(k.f, Twine(isa<StoreInst>(i) ? "__tsan_write" : "__tsan_read") + Twine(size),
                                        nothing(k.f), {pointer(k.f)});
    announced.push_back(b.CreateCall(tell, {getLoadStorePointerOperand(i)}));
    hide(*i);
  }
  read_only.make_silent(k, u.blocks, announcing_calls(), nullptr);
  u.blocks = blocks_between(*u.chosen->getSuccessor(0), behind);
  if (a.makes_lone_always()) {
    auto* const head = cast<BasicBlock>(map.lookup(r.head));
    IRBuilder<> b(head, head->getFirstInsertionPt());
    return name_thread(k, n, map, b, {});
  }
  for (BasicBlock* bb : u.blocks)
    for (Instruction& i : *bb)
      if (auto* call = dyn_cast<CallInst>(&i); call != nullptr && call->getCalledFunction() != nullptr &&
                                               call->getCalledFunction()->getName().starts_with("__tsan_read"))
        if (!is_contained(announced, call)) announced.push_back(call);
  for (Instruction* call : announced) {
    IRBuilder<> b(call);
    name_thread(k, n, map, b, call->getDebugLoc());
  }
}

// What the proof says no thread comes to is not there, nor is the question that leads to it: calls that tell of a
// defect, which would keep the loops from becoming vectors.
void drop_never_entered(BasicBlock& begin, const region_accesses& a, const ValueToValueMapTy& map,
                        SmallVectorImpl<BasicBlock*>& copies) {
  for (BasicBlock* bb : a.never_entered()) {
    auto* const copy = cast<BasicBlock>(map.lookup(bb));
    for (BasicBlock* from : SmallVector<BasicBlock*>(predecessors(copy))) {
      auto* const question = dyn_cast<BranchInst>(from->getTerminator());
      if (question == nullptr || !question->isConditional()) continue;
      BasicBlock* const to = question->getSuccessor(question->getSuccessor(0) == copy ? 1 : 0);
      if (to == copy) continue;
      copy->removePredecessor(from);
      BranchInst::Create(to, question)->setDebugLoc(question->getDebugLoc());
      question->eraseFromParent();
    }
    if (!pred_empty(copy)) changeToUnreachable(copy->getFirstNonPHI());
  }
  df_iterator_default_set<BasicBlock*, 32> reached;
  for (BasicBlock* bb : depth_first_ext(&begin, reached)) (void)bb;
  SmallVector<BasicBlock*> dead;
  for (BasicBlock* bb : copies)
    if (reached.count(bb) == 0) dead.push_back(bb);
  DeleteDeadBlocks(dead);
  erase_if(copies, [&](BasicBlock* bb) { return is_contained(dead, bb); });
}

// A copy of the loops, which the runtime may choose. `choice` says whether it does.
unwatched_loops copy_unwatched(kernel_form& k, const region& r, loop_nest& n, ArrayRef<BasicBlock*> blocks,
                               Value* choice, const region_accesses& a, read_only_arrays& read_only) {
  ValueToValueMapTy map;
  BasicBlock* const behind = BasicBlock::Create(k.f.getContext(), "proved", &k.f);
  map[n.after] = behind;
  SmallVector<BasicBlock*> copies = copy_blocks(blocks, map, ".unwatched", k.f);
  for (BasicBlock* bb : copies) {
    for (Instruction& i : make_early_inc_range(*bb))
      if (is_block_marker(i)) i.eraseFromParent();
    if (MDNode* const id = bb->getTerminator()->getMetadata(LLVMContext::MD_loop)) {
      SmallVector<Metadata*> words(id->op_begin(), id->op_end());
      // -O1 forbids to unroll what the source says. These loops are to be as fast as those of the other variant.
      if (bb != map[n.x_next] && bb != map[n.y_next] && (n.z == nullptr || bb != map[n.z_next]))
        erase_if(words, [](const Metadata* word) { return is_named(word, "llvm.loop.unroll.disable"); });
      MDNode* const own = MDNode::getDistinct(id->getContext(), words);
      own->replaceOperandWith(0, own);
      bb->getTerminator()->setMetadata(LLVMContext::MD_loop, own);
    }
  }
  IRBuilder<> b(behind);
  b.SetCurrentDebugLocation(place_in_function(k.f));
  b.CreateCall(runtime(k.f, "simt_loop_proved", nothing(k.f), {pointer(k.f)}), {k.f.getArg(parameter::block)});
  b.CreateBr(n.after);
  Instruction* const enter = n.before->getTerminator();
  BasicBlock* const outer = n.z != nullptr ? n.z : n.y;
  if (a.copies_later()) copy_at_once(copies);
  if (a.lone().empty()) drop_never_entered(*cast<BasicBlock>(map[outer]), a, map, copies);
  BranchInst* const chosen = BranchInst::Create(cast<BasicBlock>(map[outer]), outer, choice, enter);
  enter->eraseFromParent();
  unwatched_loops made{chosen, std::move(copies), a.lone().empty()};
  for (Instruction* report : a.reports()) {
    IRBuilder<> at(cast<Instruction>(map.lookup(report)));
    name_thread(k, n, map, at, report->getDebugLoc());
  }
  if (!made.silent) announce_lone(k, r, n, a, read_only, map, made, *behind);
  return made;
}

}  // namespace

bool is_watched(const Function& f) { return f.hasFnAttribute(Attribute::SanitizeThread); }

DebugLoc place_in_function(const Function& f) {
  DISubprogram* const s = f.getSubprogram();
  return s == nullptr ? DebugLoc() : DebugLoc(DILocation::get(f.getContext(), s->getLine(), 0, s));
}

bool has_watched_loops(const Function& f) { return f.hasFnAttribute(kWatchedLoops); }

bool keep_private_silent(Function& f) {
  if (!has_watched_loops(f)) return false;
  for (Instruction& i : instructions(f))
    if (is_private_access(f, i)) hide(i);
  return true;
}

bool keep_references_silent(Function& f) {
  if (!is_watched(f)) return false;
  bool any = false;
  for (Instruction& i : instructions(f))
    if (auto* load = dyn_cast<LoadInst>(&i); load != nullptr && is_device_reference(load->getPointerOperand()))
      hide(*load), any = true;
  return any;
}

void announce_block(kernel_form& k) {
  k.f.addFnAttr(kWatchedLoops);
  Value* const block = k.f.getArg(parameter::block);
  BasicBlock::iterator at = k.entry->begin();
  while (isa<AllocaInst>(*at)) ++at;
  IRBuilder<> b(k.entry, at);
  b.SetCurrentDebugLocation(place_in_function(k.f));
  b.CreateCall(runtime(k.f, "simt_loop_block", nothing(k.f), {pointer(k.f)}), {block});
  b.SetInsertPoint(k.leave->getTerminator());
  b.CreateCall(runtime(k.f, "simt_loop_block_ends", nothing(k.f), {pointer(k.f)}), {block});
  for (Instruction& i : *k.entry)
    if (i.mayReadOrWriteMemory() && !isa<CallBase>(i)) hide(i);
}

void announce_barrier(kernel_form& k, BasicBlock& after, const DebugLoc& place) {
  IRBuilder<> b(&after, after.begin());
  b.SetCurrentDebugLocation(place ? place : place_in_function(k.f));
  b.CreateCall(runtime(k.f, "simt_loop_barrier", nothing(k.f), {pointer(k.f)}), {k.f.getArg(parameter::block)});
}

void announce_meeting(kernel_form& k, const group& g, const CallInst& operation, Value* together, Value* sources,
                      IRBuilder<>& once) {
  Type *const lanes = once.getInt32Ty(), *const address = pointer(k.f);
  if (sources == nullptr) sources = ConstantPointerNull::get(cast<PointerType>(address));
  once.SetCurrentDebugLocation(operation.getDebugLoc() ? operation.getDebugLoc() : place_in_function(k.f));
  const bool of_masks = together->getType()->isPointerTy();
  once.CreateCall(runtime(k.f, of_masks ? "simt_loop_meeting_of_masks" : "simt_loop_meeting", nothing(k.f),
                          {address, number(k.f), lanes, lanes, together->getType(), address}),
                  {k.f.getArg(parameter::block), g.first_rank, operation.getArgOperand(0), g.live, together, sources});
}

void announce_leaving(kernel_form& k, region& r, loop_nest& n, Value* leaves) {
  DebugLoc place;
  if (auto* i = dyn_cast<Instruction>(leaves)) place = i->getDebugLoc();
  Instruction* const then = SplitBlockAndInsertIfThen(leaves, r.last->getTerminator(), false);
  r.last = then->getParent()->getSingleSuccessor();
  IRBuilder<> b(then);
  b.SetCurrentDebugLocation(place ? place : place_in_function(k.f));
  b.CreateCall(runtime(k.f, "simt_loop_leaves", nothing(k.f), {pointer(k.f), number(k.f)}),
               {k.f.getArg(parameter::block), n.rank});
}

std::optional<unwatched_loops> watch(kernel_form& k, region& r, loop_nest& n, read_only_arrays& read_only) {
  DominatorTree dominators(k.f);
  LoopInfo loops(dominators);
  const SmallVector<BasicBlock*> blocks = blocks_of(n, loops);
  bool silent = true;
  for (BasicBlock* bb : blocks) {
    for (Instruction& i : *bb)
      if (is_private_access(k.f, i)) hide(i);
    for (Instruction& i : *bb) silent = silent && !is_announced(i);
  }
  if (silent) return {};
  region_accesses accesses(k, n, r.in, blocks, dominators, loops, read_only);
  std::optional<unwatched_loops> made;
  announcing_calls calls;
  Value* in_full = nullptr;
  if (Value* const answer = accesses.ask()) {
    IRBuilder<> b(n.before->getTerminator());
    in_full = b.CreateICmpEQ(answer, b.getInt8(static_cast<std::uint8_t>(sim::loop_answer::announced)));
    Value* const proved = b.CreateICmpEQ(answer, b.getInt8(static_cast<std::uint8_t>(sim::loop_answer::proved)));
    made = copy_unwatched(k, r, n, blocks, proved, accesses, read_only);
    calls = announce_accesses(k, accesses);
  }
  read_only.make_silent(k, blocks, calls, in_full);
  announce_threads(k, r, n);
  const DominatorTree of_all(k.f);
  const LoopInfo now(of_all);  // silent reads have split blocks
  if (is_counted(*k.f.getParent()))
    tell_accesses(k.f, blocks_of(n, now));
  else
    tell_watched_accesses(k.f, blocks_of(n, now));
  return made;
}

Function* to_function(const unwatched_loops& u) {
  Function& f = *u.chosen->getFunction();
  CodeExtractor extractor(u.blocks);
  const CodeExtractorAnalysisCache cache(f);
  Function* const made = extractor.isEligible() ? extractor.extractCodeRegion(cache) : nullptr;
  if (made == nullptr) {
    u.chosen->setCondition(ConstantInt::getFalse(f.getContext()));
    return nullptr;
  }
  made->removeFnAttr(Attribute::SanitizeThread);
  made->addFnAttr(Attribute::NoInline);
  return made;
}

}  // namespace simt::compile
