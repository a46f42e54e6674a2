// SPDX-License-Identifier: Apache-2.0
// Where a kernel that waits nowhere asks for the thread's x and the block's x only to make its place in the grid of
// them, block x * block width + thread x, nobody can tell neighbouring blocks from one that is as wide as they are
// together. The engine runs them so: long rows, of which the vectoriser makes more than of eight threads
// (loop_body::order).
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// f: the body of one thread, everything inlined and simplified.
bool asks_for_place_in_grid_only(llvm::Function& f);

// The same for loops that run neighbouring blocks as one whose own width is theirs together, as in checked runs: all
// that the blocks' width and their number are asked for is that place, and the width of the grid. no: f asks for more,
// or does more than compute, load and store. evenly: as many blocks as the grid has must be groups of them.
enum class joins { no, yes, evenly };
joins joins_neighbours(llvm::Function& f);

}  // namespace simt::compile
