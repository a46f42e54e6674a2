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
//   group   what lies between two barriers and has operations of warps in it: several regions, which one warp runs to
//           the end of the group before the next begins. Heads within a group are where operations of warps are; its
//           tails decide alike for the lanes of a warp and run once a warp
//
// Invariants, once cut_into_regions has succeeded
//   - every block but the entry, the return and the tails belongs to one region
//   - a region is entered at its head only, and left by one edge: from `last` to a tail, a head or the return
//   - a group is entered at the head of its first region, and left at the end of its last one. Where threads may have
//     left, the first one holds nothing
//   - the entry block holds allocas and values that are the same for the whole launch, and ends in a jump to a head
#pragma once

#include "refusal.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <memory>
#include <vector>

#include "dependence.hpp"

namespace simt::compile {

// The blocks that loops are for, as far as warps are concerned: without rows of whole warps, two lanes of a warp may
// lie in different rows, and a condition on threadIdx.x / 32 differs between them.
enum class row_kind {  // as loop_body::row_kind in sim/exec/loop_body.hpp
  any,
  whole_or_one,  // dim.x is a multiple of 32, or there is one row only
  whole,         // dim.x is a multiple of 32
};

inline constexpr int kLanes = 32;  // of a warp

// An operation of a warp. A shuffle stands in a block of its own, which is a head; others end a region, and what
// follows begins another. `behind` is the head that follows.
struct warp_operation {
  llvm::CallInst* call;  // of marker::warp
  llvm::BasicBlock* behind;
  bool shuffles;
};

// What the cut begins with; canonical_form.cpp makes it.
struct kernel_form {
  llvm::Function& f;
  llvm::Argument* index[3];                       // of the thread in its block
  llvm::Value* extent[3];                         // of the block: parameters, or constants in a copy for one shape
  llvm::BasicBlock* entry;                        // allocas and what is the same for the whole block
  llvm::BasicBlock* leave;                        // the only return
  llvm::SmallVector<llvm::BasicBlock*> barriers;  // each begins where a barrier was
  using barrier_places = llvm::DenseMap<llvm::BasicBlock*, llvm::DebugLoc>;
  barrier_places places = barrier_places();                    // where in the source they were
  llvm::SmallPtrSet<llvm::BasicBlock*, 4> grid_barriers = {};  // those of `barriers` that are for all blocks
  llvm::SmallVector<warp_operation> warp_operations = {};
  // Heads within groups: where turns of a warp begin (turns.hpp), and where lanes ask whether they take part.
  llvm::SmallVector<llvm::BasicBlock*> warp_turns = {};
  llvm::SmallPtrSet<llvm::BasicBlock*, 4> partial_turns = {};
  row_kind rows = row_kind::any;
};

struct guard {
  llvm::BasicBlock* head;
  llvm::Value* condition;
  bool left_if;  // threads for which `condition` is this have left
  bool by_whole_warps = false;
};

struct region;

// See above. Its loop over warps: before -> warp -> (the regions) -> next -> warp or after.
struct group {
  region *first, *last;
  llvm::BasicBlock *before = nullptr, *warp = nullptr, *next = nullptr, *after = nullptr;
  llvm::Value *first_rank = nullptr, *end_rank = nullptr;  // of the running warp
  llvm::Value* first_index[3] = {};                        // x, y and z of its first thread
  llvm::Value* found = nullptr;                            // its lanes that have not left, found where some may have
  llvm::Value* live = nullptr;  // its lanes that are there behind the first region, a bit each
};

struct region {
  llvm::BasicBlock* head;
  llvm::SetVector<llvm::BasicBlock*> blocks;
  llvm::BasicBlock* last = nullptr;  // the one that ends in the edge out
  llvm::BasicBlock* next = nullptr;  // a tail, another head, or the return
  llvm::SmallVector<const guard*> guards;
  group* in = nullptr;
};

struct region_map {
  std::vector<std::unique_ptr<region>> regions;  // in reverse post order
  llvm::DenseMap<llvm::BasicBlock*, region*> of_block, of_head;
  llvm::MapVector<llvm::BasicBlock*, region*> before_tail;  // the region that a tail ends
  std::vector<std::unique_ptr<guard>> guards;
  std::vector<std::unique_ptr<group>> groups;
  llvm::SetVector<llvm::BasicBlock*> warp_tails;  // of before_tail, those that run once a warp
  std::unique_ptr<dependence> varying;            // what differs between threads
  std::unique_ptr<dependence> varying_in_row;     // and between those of a row; null in watched code
  // Of what differs between threads, as the cut found it: what is the same for the lanes of a warp, and the lane's
  // number. Empty where there are no groups, and in watched code, where each lane is told of.
  llvm::DenseSet<const llvm::Value*> alike_in_warp, lane_numbers;

  bool is_tail(const llvm::BasicBlock* bb) const { return before_tail.count(const_cast<llvm::BasicBlock*>(bb)) != 0; }
  region* of(const llvm::Value* v) const {
    auto* i = llvm::dyn_cast<llvm::Instruction>(v);
    return i == nullptr ? nullptr : of_block.lookup(const_cast<llvm::BasicBlock*>(i->getParent()));
  }
};

// The values of f that may differ between the threads of a block.
std::unique_ptr<dependence> find_varying(const kernel_form& k);
// Those that may differ between threads of which y and z are the same, among those that have the value.
std::unique_ptr<dependence> find_varying_in_row(const kernel_form& k, const region_map& m);
// Ways that bring a value to phi lead nowhere else.
bool brings_values_alone(const llvm::PHINode& phi);

maybe_refused cut_into_regions(kernel_form& k, region_map& out);

}  // namespace simt::compile
