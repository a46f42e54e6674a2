// SPDX-License-Identifier: Apache-2.0
// Loops that change an array in place, at elements that do not lie side by side: sums[2 * s * t] += sums[2 * s * t +
// s]. The vectoriser would gather and scatter. That is not faster where little is computed, and the next loop, which
// reads what this one has scattered, waits until all of it has gone through the cache: no processor hands a scattered
// element on to a load.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace simt::compile {

// Such loops over threads are unrolled a few times instead. Right before the vectoriser.
void keep_scattered_updates(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

}  // namespace simt::compile
