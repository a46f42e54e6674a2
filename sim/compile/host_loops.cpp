// SPDX-License-Identifier: Apache-2.0
#include "host_loops.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

#include "copied_blocks.hpp"
#include "hidden.hpp"
#include "host_overflow.hpp"
#include "user_code.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
constexpr std::size_t kMostPointers = 8;    // each is asked about in front of the loop
constexpr std::size_t kLargestLoop = 2000;  // instructions
constexpr unsigned kMostCopies = 64;        // in one function

using pointer_set = SmallSetVector<const Value*, kMostPointers>;

// What the memory access goes through, but for the function's own variables and those of the program, which are no
// memory of the device.
void add_pointers_of(const Instruction& i, pointer_set& all) {
  SmallVector<const Value*, 2> places;
  if (auto* copy = dyn_cast<MemIntrinsic>(&i)) {
    places.push_back(copy->getRawDest());
    if (auto* transfer = dyn_cast<MemTransferInst>(copy)) places.push_back(transfer->getRawSource());
  } else {
    places.push_back(getLoadStorePointerOperand(&i));
  }
  for (const Value* place : places) {
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(place, objects, nullptr, 0);
    for (const Value* o : objects)
      if (!isa<AllocaInst>(o) && !isa<GlobalVariable>(o)) all.insert(o);
  }
}

// Does the sanitizer announce it as a plain access?
bool is_plain_access(const Instruction& i) {
  if (auto* load = dyn_cast<LoadInst>(&i)) return load->isSimple();
  if (auto* store = dyn_cast<StoreInst>(&i)) return store->isSimple();
  auto* copy = dyn_cast<MemIntrinsic>(&i);
  return copy != nullptr && !copy->isVolatile();
}

// The pointers that are there before the loop, whichever way led to it, and that all its accesses go through; none: it
// is no such loop.
std::optional<pointer_set> pointers_before(const Loop& l, const DominatorTree& dominators) {
  pointer_set all;
  std::size_t size = 0;
  bool any = false;
  for (BasicBlock* bb : l.blocks()) {
    if (!isa<BranchInst>(bb->getTerminator()) && !isa<SwitchInst>(bb->getTerminator())) return {};
    for (Instruction& i : *bb) {
      if (++size > kLargestLoop) return {};
      if (isa<DbgInfoIntrinsic>(i) || is_hidden(i) || !i.mayReadOrWriteMemory()) continue;
      if (isa<CallBase>(i) && !isa<MemIntrinsic>(i)) continue;  // what it calls is watched by itself
      if (!is_plain_access(i)) return {};
      any = true;
      add_pointers_of(i, all);
    }
  }
  for (const Value* v : all)
    if (auto* i = dyn_cast<Instruction>(v); i != nullptr && !dominators.dominates(i, l.getHeader())) return {};
  return any && all.size() <= kMostPointers ? std::optional(std::move(all)) : std::nullopt;
}

void copy_loop(Function& f, Loop& l, const pointer_set& pointers) {
  BasicBlock* const before = l.getLoopPreheader();
  SmallVector<BasicBlock*> exits;
  l.getUniqueExitBlocks(exits);
  ValueToValueMapTy map;
  const SmallVector<BasicBlock*> copies = copy_blocks(l.getBlocks(), map, ".quiet", f);
  for (BasicBlock* exit : exits)
    for (PHINode& phi : exit->phis())
      for (unsigned n = 0, all = phi.getNumIncomingValues(); n < all; ++n) {
        const auto from = map.find(phi.getIncomingBlock(n));
        if (from == map.end()) continue;
        Value* const v = phi.getIncomingValue(n);
        const auto copy = map.find(v);
        phi.addIncoming(copy != map.end() ? static_cast<Value*>(copy->second) : v,
                        cast<BasicBlock>(static_cast<Value*>(from->second)));
      }
  for (BasicBlock* bb : copies)
    for (Instruction& i : *bb)
      if (is_plain_access(i)) hide(i);
  Instruction* const enter = before->getTerminator();
  IRBuilder<> b(enter);
  b.SetCurrentDebugLocation(place_in_function(f));
  Type* const pointer = PointerType::getUnqual(f.getContext());
  FunctionCallee asked =
      f.getParent()->getOrInsertFunction("simt_host_is_far", FunctionType::get(b.getInt8Ty(), {pointer}, false));
  cast<Function>(asked.getCallee())->setDoesNotThrow();
  const auto ask = [&](Value* at) {
    CallInst* const far = b.CreateCall(asked, {at});
    far->addRetAttr(Attribute::ZExt);
    return far;
  };
  Value* quiet = pointers.empty() ? ask(ConstantPointerNull::get(cast<PointerType>(pointer))) : nullptr;
  for (const Value* v : pointers) {
    Value* const far = ask(const_cast<Value*>(v));
    quiet = quiet == nullptr ? far : b.CreateAnd(quiet, far);
  }
  b.CreateCondBr(b.CreateICmpNE(quiet, b.getInt8(0)), cast<BasicBlock>(static_cast<Value*>(map[l.getHeader()])),
                 l.getHeader());
  enter->eraseFromParent();
}
}  // namespace

bool is_user_code_of_host(const Function& f) {
  const DISubprogram* const s = f.getSubprogram();
  return is_watched(f) && !is_of_device(f) && s != nullptr && !is_of_library(s->getFilename());
}

bool copy_host_loops(Function& f) {
  if (!is_user_code_of_host(f)) return false;
  SmallPtrSet<BasicBlock*, 16> seen;
  for (unsigned copies = 0; copies < kMostCopies;) {  // what is known of loops holds until one is copied
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    Loop* found = nullptr;
    std::optional<pointer_set> pointers;
    for (Loop* l : loops.getLoopsInPreorder())
      if (seen.insert(l->getHeader()).second && (pointers = pointers_before(*l, dominators))) {
        found = l;
        break;
      }
    if (found == nullptr) return copies > 0;
    simplifyLoop(found, &dominators, &loops, nullptr, nullptr, nullptr, false);
    if (!found->isLoopSimplifyForm()) continue;
    formLCSSARecursively(*found, dominators, &loops, nullptr);
    seen.insert(found->block_begin(), found->block_end());
    copy_loop(f, *found, *pointers);
    ++copies;
  }
  return true;
}

}  // namespace simt::compile
