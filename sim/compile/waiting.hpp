// SPDX-License-Identifier: Apache-2.0
// What a kernel may not do if it is to run as loops: wait for other threads but at the barriers of its block and of the
// grid and in operations of whole warps, and call what nobody knows.
//
// A loop whose end depends on what an atomic or volatile access of the same loop reads may wait for another thread.
// Only a compare-and-swap that expects what the loop itself has just read is known not to: it fails only where somebody
// else succeeds. A loop of which each turn passes a barrier of the grid may wait: nobody is kept from going on.
#pragma once

#include "refusal.hpp"
#include "regions.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace simt::compile {

// `call` lets others run or waits for them in a way that loops do not know.
refusal refuse_call_that_waits(const llvm::CallBase& call);
maybe_refused refuse_calls(llvm::Function& f);
maybe_refused refuse_waiting_loops(const kernel_form& k);

}  // namespace simt::compile
