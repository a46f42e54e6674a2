// SPDX-License-Identifier: Apache-2.0
// What differs between the lanes of a warp: as what differs between the threads of a block (find_varying), but for
// functions of a thread's rank that are the same for all 32 lanes (rank / 32, rank < 64).
//
// Two kinds of numbers are followed for that. `Aligned` ones are a multiple of 32, the same for the warp, plus the
// lane: the rank; threadIdx.x where a warp lies in one row (row_kind). `Multiples` are the same for the warp, and
// multiples of 32. All arithmetic may wrap: both properties are about the lower five bits and the others apart.
#pragma once

#include <memory>

#include "dependence.hpp"
#include "refusal.hpp"
#include "regions.hpp"

namespace simt::compile {

class lane_dependence {
 public:
  explicit lane_dependence(const kernel_form& k);
  // The branch at the end of bb goes the same way for all lanes of a warp that come there together.
  bool decides_alike(const llvm::BasicBlock* bb) const { return found_->decides_alike(bb); }
  bool is_alike(const llvm::Value* v) const { return !found_->has(v); }
  // The thread's rank, or its x where a warp lies in one row, in any type: aligned, not negative, and below 1,024.
  bool is_place(const llvm::Value* v) const;
  // The number of the lane: the lower five bits of such a number.
  bool is_lane(const llvm::Value* v) const;
  const dependence& found() const { return *found_; }

 private:
  void spread(const llvm::DenseSet<llvm::Value*>& the_same);
  bool is_aligned(const llvm::Value* v, int depth = 0) const;
  bool is_multiple(const llvm::Value* v, int depth = 0) const;
  bool is_same_for_warp(const llvm::Instruction& i) const;
  bool is_used_behind_its_loop(const llvm::Instruction& i) const;
  bool gives_alike(const llvm::CallInst& call) const;
  bool compares_alike(const llvm::ICmpInst& i) const;

  const kernel_form& k_;
  std::unique_ptr<dependence> found_;
};

// The mask names the lanes of the tile (1, 2, 4, 8, 16 neighbours) that the lane is in.
bool is_mask_of_tile(const kernel_form& k, const llvm::Value* mask);
// In code that is watched or counted: operations of warps whose masks are not known to be all lanes, or those of a
// tile.
maybe_refused refuse_partial_warps(const kernel_form& k);

}  // namespace simt::compile
