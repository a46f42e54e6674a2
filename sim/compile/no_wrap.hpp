// SPDX-License-Identifier: Apache-2.0
// Addresses that do not wrap. LLVM's vectoriser joins accesses to the members of a structure into wide ones, also where
// some members are missing, but only if it can prove that the addresses of the loop's iterations do not go past the end
// of the address space and begin anew. Of what threads compute from their index it mostly cannot. But an access that
// each iteration makes, a few bytes from that of the iteration before, would come to the first page or the last on such
// a way, and these are mapped in no process.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// Notes it for innermost loops, in what `evolution` knows: right before the vectoriser.
void note_no_wrap(llvm::LoopInfo& loops, const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution);

}  // namespace simt::compile
