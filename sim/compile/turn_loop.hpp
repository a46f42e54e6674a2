// SPDX-License-Identifier: Apache-2.0
// The loops that turns.hpp turns inside out: what they look like, and whether it is allowed and worth it.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "affine.hpp"
#include "lane_dependence.hpp"
#include "regions.hpp"

namespace simt::compile {

// for (index = first; index goes_on limit; index += step)
struct stride {
  llvm::PHINode* index;
  llvm::Value *limit, *step;
  llvm::ICmpInst::Predicate goes_on;
  llvm::Value *asked_first = nullptr, *asked_limit = nullptr;  // what the guard compares: these, or narrower
  // The same in signed 64 bits, in the entry block, where `holds` is true: no index is negative or wraps. The last
  // index is below `end`.
  affine_form first = {};
  llvm::Value *end = nullptr, *step_wide = nullptr, *holds = nullptr;
  // Of turns of a warp instead, in the guard: the index of the first lane, which is the lowest, and the limit. `place`
  // is the x or rank of which the index is made. `holds` is null where nothing is asked.
  llvm::Value *first_lane = nullptr, *limit_in_guard = nullptr, *place = nullptr;

  bool is_signed() const { return llvm::ICmpInst::isSigned(goes_on); }
  bool counts_limit() const { return goes_on == llvm::ICmpInst::ICMP_SLE || goes_on == llvm::ICmpInst::ICMP_ULE; }
};

// A loop whose only condition is at its end. One with loops in it has a stride of rows, and they of neighbours.
struct turn_loop {
  llvm::Loop* loop;
  llvm::BasicBlock *preheader, *header, *latch, *exit;
  llvm::BasicBlock* guard = nullptr;  // null: all threads come to the preheader
  llvm::BasicBlock* join = nullptr;   // where those that do not enter meet the others
  llvm::Value* entered = nullptr;     // in guard
  bool enters_if = true;
  bool asks_more = false;  // `entered` is about more than the first index of a stride
  // Of a sum: between guard and preheader, a block that asks, of all threads alike, whether there is any turn.
  llvm::BasicBlock* asks_for_any = nullptr;
  std::optional<stride> by_stride = {};  // none: a sum
  bool of_warp = false;                  // each warp has turns of its own
  bool any_geometry = false;             // any_geometry.hpp
};

// None: l stays as it is. Adds instructions to the entry block of k, and may change how the latch asks.
std::optional<turn_loop> find_turn_loop(const kernel_form& k, llvm::Loop& l, const dependence& varying,
                                        llvm::PostDominatorTree& post_dominators,
                                        const llvm::DominatorTree& dominators);

// The same of a loop whose turns each warp makes by itself: all its lanes come there, if any. Only strides.
std::optional<turn_loop> find_warp_turn_loop(const kernel_form& k, llvm::Loop& l, const lane_dependence& lanes,
                                             llvm::PostDominatorTree& post_dominators,
                                             const llvm::DominatorTree& dominators);

// `v` can be computed where a turn begins: of what the loop carries and of what is outside.
bool moves_to_turn(const turn_loop& t, const llvm::Value* v, int depth = 0);

}  // namespace simt::compile
