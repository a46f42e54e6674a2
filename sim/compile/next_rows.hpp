// SPDX-License-Identifier: Apache-2.0
// A block of several short rows goes through memory in steps as large as a row of the matrix. Processors do not guess
// the next one: each row begins by waiting for its first lines. But the block that runs next is the one beside it, so
// what it will need lies behind what this one has read and written. Each row asks for that: a prefetch for every line,
// which neither waits nor fails.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace simt::compile {

// In front of l, a row of so many threads of a block, in the loop over its rows. True: something is asked for.
bool fetch_next_row(llvm::Loop& l, std::int64_t threads, llvm::ScalarEvolution& evolution);

}  // namespace simt::compile
