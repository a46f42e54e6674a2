// SPDX-License-Identifier: Apache-2.0
// The last turn of a warp's loop, in which only its first lanes take part (turns.hpp):
//
//   from   ask -> side by side, scattered -> turned       ask -> turned
//   to     ask -> side by side -> scattered -> turned     ask -> scattered
//
// Elements that lie side by side are loaded by vectors with masks. What lies where such elements say (`x[column[k]]`)
// would take a branch for each lane. So all lanes load it, and those that do not take part load what the first one
// does, which always takes part.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "turn_loop.hpp"

namespace simt::compile {

// Whether the lane is one of the first `left`, or `left` and one. What all lanes have alike is made at_turn: where
// warps lie in rows, a bit for each of them, of which a shift makes a vector's mask.
llvm::Value* is_one_of_first(const kernel_form& k, llvm::Value* left, bool and_one, llvm::Value* lane,
                             llvm::IRBuilder<>& b, llvm::IRBuilder<>& at_turn);

// index: of the running lane, the first lane's and the lane's number. t: of a warp, all of whose lanes ask.
void load_for_all_lanes(const turn_loop& t, const dependence& varying, llvm::Instruction& index, llvm::BasicBlock& ask,
                        llvm::BasicBlock& turned);

}  // namespace simt::compile
