// SPDX-License-Identifier: Apache-2.0
// Code that is to be counted (simrun profile) says which basic block it enters: a call of simt_profile_block(number,
// arithmetic) at the beginning of each block of the user's (block_arithmetic.hpp has the latter). The numbers are an
// order of the function's blocks in which each stands before those that follow it, but for jumps back, and in which a
// loop's blocks stand together and end with the one jump back that the loop is given. By it sim/profile/warp_trace.hpp
// puts the lanes of a warp together.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>

namespace simt::compile {

inline constexpr const char* kMarker = "simt_profile_block";
// A variable of this name in the module asks for markers: -DSIMT_PROFILE (backends/sim/launch_body.hpp).
inline constexpr const char* kMarkersWanted = "simt_profile_wanted";

bool is_counted(const llvm::Module& m);
// To be called first, where markers are wanted: what headers of ours do in a user's line is to be told as that line's,
// so their functions become part of what calls them.
void inline_headers(llvm::Module& m);
// Likewise: what is passed in memory is copied where a function begins, so that it comes into registers as it does
// where the function is inlined.
void copy_parameters(llvm::Module& m);
// The body of one thread, from which loops are to be made: gets its markers before it is cut.
// Ways out of the kernel stay named (kernel_exits.hpp) until forget_exits.
void mark_loop_source(llvm::Function& f);
void forget_exits(llvm::Function& f);
// In a function that has its markers: counted_loops.hpp.
void tell_loops_in_short(llvm::Function& f);
bool is_block_marker(const llvm::Value& v);
// The order that the numbers of markers are, of all blocks of f.
llvm::DenseMap<const llvm::BasicBlock*, unsigned> program_order(llvm::Function& f, const llvm::LoopInfo& loops);
// To be called when all is optimised, and before accesses are instrumented. True: the module has changed.
bool mark_blocks(llvm::Module& m);

}  // namespace simt::compile
