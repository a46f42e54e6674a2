// SPDX-License-Identifier: Apache-2.0
// What operations of warps (marker::warp) do in loops over the lanes of a warp.
//
//   all          what a lane brings is left behind at the end of one region, and taken up in the next
//   votes        a bit for each lane
//   shuffles     the lanes' values lie in an array; in a region of the operation's own each lane takes one of them
//   the others   the engine computes what each lane gets (sim/exec/warp.hpp), once a warp
//   sync         the end of the region is all
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

struct kernel_form;
struct region;
struct region_map;
struct loop_nest;
class value_places;

llvm::Value* mask_of(const llvm::CallInst& operation);
bool names_all_lanes(const llvm::CallInst& operation);
bool is_shuffle(const llvm::CallInst& operation);
bool asks_by_number(const llvm::CallInst& operation);  // a shuffle of the lane that its last argument names
inline constexpr unsigned kAskedLane = 4;
bool is_match(const llvm::CallInst& operation);  // each lane learns who has the same value
inline constexpr unsigned kBallotOperation = 7;
// Its param where a program only asks who is there (__activemask()): a ballot of all that is announced to nobody.
inline constexpr unsigned kAsksOnly = 1;
// What it gives may differ between the lanes of a warp.
bool differs_in_warp(const llvm::CallInst& operation);
// It gives all of them the same, whatever they bring: a vote, say, or what one lane has.
bool is_same_for_warp(const llvm::CallInst& operation);

// Replaces the calls by what they do; before values are rewritten. The calls are left without uses and outside of any
// block, to be deleted when nobody looks at the values of the code as it was any more.
void lower_warp_operations(kernel_form& k, region_map& m, llvm::DenseMap<region*, loop_nest>& nests,
                           value_places& values);
void delete_warp_operations(kernel_form& k);

}  // namespace simt::compile
