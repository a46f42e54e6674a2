// SPDX-License-Identifier: Apache-2.0
// Atomic updates of device memory that a worker makes to a copy of its own (sim/exec/worker_sums.hpp): additions, and,
// or and exclusive or of 4 and 8 bytes whose old value nobody reads.
//
// They are taken out of their places only in code in which nobody can tell when they are made: it has no other atomic
// or volatile access, no fence, and no call of what is not known. Where each access of it begins (a kernel's argument,
// a pointer that does not change while the code runs) is handed to the engine when the code is entered, which asks
// whether another access lies in the allocation of the updates. The update stays where it is, beside the copy, for the
// launches in which there is none.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace simt::compile {

// Has f, the body of one thread that is not cut yet, updates that may be of this kind? As loops it runs them faster,
// for nothing waits there.
bool has_unread_updates(const llvm::Function& f);

// In a loop over threads or the loops of a block (is_loops_of_block), in front of vectorisation. True: f has changed.
bool keep_sums_with_worker(llvm::Function& f, const llvm::DominatorTree& dominators);

}  // namespace simt::compile
