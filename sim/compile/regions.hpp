// SPDX-License-Identifier: Apache-2.0
// Where a kernel is cut: its pieces between barriers, and the control flow between the pieces.
//
// Words
//   head    where a region begins: behind a barrier, or where ways of different regions meet
//   region  the blocks between a head and the next heads; all threads of a block run it before any runs the next
//   tail    a branch that decides over which region comes next, in a block of its own. Threads all decide alike, so it
//           runs once a block
//   leave   a place where some threads leave the kernel and the others go on: a head with a condition (guard). Later
//           regions skip the threads that have left
//
// Invariants, once cut_into_regions has succeeded
//   - every block but the entry, the return and the tails belongs to one region
//   - a region is entered at its head only, and left by one edge: from `last` to a tail, a head or the return
//   - the entry block holds allocas and values that are the same for the whole launch, and ends in a jump to a head
#pragma once

#include "refusal.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <memory>
#include <vector>

#include "dependence.hpp"

namespace simt::compile {

// What the cut begins with; canonical_form.cpp makes it.
struct kernel_form {
  llvm::Function& f;
  llvm::Argument* index[3];                       // of the thread in its block
  llvm::Value* extent[3];                         // of the block: parameters, or constants in a copy for one shape
  llvm::BasicBlock* entry;                        // allocas and what is the same for the whole block
  llvm::BasicBlock* leave;                        // the only return
  llvm::SmallVector<llvm::BasicBlock*> barriers;  // each begins where a barrier was
  using barrier_places = llvm::DenseMap<llvm::BasicBlock*, llvm::DebugLoc>;
  barrier_places places = barrier_places();  // where in the source they were
};

struct guard {
  llvm::BasicBlock* head;
  llvm::Value* condition;
  bool left_if;  // threads for which `condition` is this have left
};

struct region {
  llvm::BasicBlock* head;
  llvm::SetVector<llvm::BasicBlock*> blocks;
  llvm::BasicBlock* last = nullptr;  // the one that ends in the edge out
  llvm::BasicBlock* next = nullptr;  // a tail, another head, or the return
  llvm::SmallVector<const guard*> guards;
};

struct region_map {
  std::vector<std::unique_ptr<region>> regions;  // in reverse post order
  llvm::DenseMap<llvm::BasicBlock*, region*> of_block, of_head;
  llvm::DenseMap<llvm::BasicBlock*, region*> before_tail;  // the region that a tail ends
  std::vector<std::unique_ptr<guard>> guards;
  std::unique_ptr<dependence> varying;  // what differs between threads

  bool is_tail(const llvm::BasicBlock* bb) const { return before_tail.count(const_cast<llvm::BasicBlock*>(bb)) != 0; }
  region* of(const llvm::Value* v) const {
    auto* i = llvm::dyn_cast<llvm::Instruction>(v);
    return i == nullptr ? nullptr : of_block.lookup(const_cast<llvm::BasicBlock*>(i->getParent()));
  }
};

// The values of f that may differ between the threads of a block.
std::unique_ptr<dependence> find_varying(const kernel_form& k);

maybe_refused cut_into_regions(kernel_form& k, region_map& out);

}  // namespace simt::compile
