// SPDX-License-Identifier: Apache-2.0
// The loops over z, y and x around a region, still without its blocks:
//
//   before -> z -> y -> x -> (the region) -> x_next -> y_next -> z_next -> after
//
// Every extent is at least 1, so each loop runs its body before it asks.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "regions.hpp"

namespace simt::compile {

struct loop_nest {
  llvm::BasicBlock *before, *z, *y, *x, *x_next, *y_next, *z_next, *after;
  llvm::Value* index[3];   // of the running thread: x, y, z; phis where the loops are over a whole block
  llvm::Value* rank;       // its linear index in the block
  llvm::Value* row;        // that of the first thread of its row, in y; null in a group
  llvm::Value* width;      // of a row; null in a group
  llvm::Value* lane;       // in a group: its number in its warp
  llvm::PHINode* step;     // in a group: how many of the row's part of the warp come before it
  llvm::MDNode* accesses;  // group of the accesses of which different threads' do not depend on each other
};

// by_ranks: the block counts as one row (ranked_regions.hpp).
loop_nest make_loop_nest(const kernel_form& k, bool by_ranks);

// Every row of the block begins with a warp and ends with one.
bool has_whole_rows(const kernel_form& k);

// The loop over the warps of a block, around the regions of g (regions.hpp).
void make_warp_loop(const kernel_form& k, group& g);
// The loops over the lanes of the running warp, around a region of g: over the rows that it lies in, and over x.
//
//   before -> y -> x -> (the region) -> x_next -> y_next -> after
loop_nest make_lane_loops(const kernel_form& k, const group& g);
// What is known of the running warp in front of the loops over its lanes.
struct warp_in_front {
  llvm::Value* lanes;                                      // how many it has
  llvm::Value* in_a_row;                                   // whether they lie in one row; then `first` holds
  llvm::DenseMap<const llvm::Value*, llvm::Value*> first;  // by values of the loop over rows: what they are in that row
};
warp_in_front look_ahead(const group& g, const loop_nest& n);

// The loop metadata that says so (LLVM Language Reference).
inline constexpr const char* kParallelMark = "llvm.loop.parallel_accesses";
// The loop over blocks that run side by side (blocks_beside.hpp).
inline constexpr const char* kBlocksMark = "simt.blocks";
bool is_over_blocks(const llvm::Loop& l);
// What a thread does, within `nest` or a copy of it: its accesses depend on no other thread's. Not where atomics,
// fences or calls are among them, and not for `shared_by_threads`: stack memory that all threads use one after the
// other.
void mark_independent(llvm::ArrayRef<llvm::BasicBlock*> blocks, const loop_nest& nest,
                      const llvm::DenseSet<const llvm::Value*>& shared_by_threads);

// `if (x < n) ...` around all that threads do becomes the bounds of the loop over x.
void trim_bounds(const kernel_form& k, const region& r, loop_nest& nest);

}  // namespace simt::compile
