// SPDX-License-Identifier: Apache-2.0
// Blocks side by side: neighbours in x, row by row.
//
//   for each row y, each block of some neighbours, each thread x:  tile[block][y][x] = in[(y0 + y) * width + x0 + x];
//
// A row of a block of 16 x 16 threads is one line of the cache, and the next row is elsewhere: a processor guesses
// nothing of it, and where rows of a matrix lie a power of two apart, all of them share one set of the first cache.
// Several blocks row by row go through memory in longer stretches.
//
// The form for one block is made of the body of one thread by loops over z, y and x. This one is made in the same way,
// of a body that stands for the blocks as for one whose rows are planes: its x is the thread's, its y is the number of
// the block, and its z is the thread's y. So what differs from block to block (what comes of blockIdx.x, shared memory)
// is found by what it depends on, and a kernel whose blocks decide differently over barriers is refused, as one whose
// threads do.
#pragma once

#include <llvm/IR/Function.h>

#include <optional>

#include "stored_shapes.hpp"

namespace simt::compile {

// f: the body of one thread of blocks of this shape, of a kernel whose blocks may run in any order. Becomes the body
// for some blocks side by side, and gives the extents that it is to be cut for, of which y is how many blocks. None: it
// is no kernel or no shape for that, and f is as it was.
std::optional<block_shape> put_blocks_beside(llvm::Function& f, const block_shape& shape);
bool runs_blocks_beside(const llvm::Function& f);

}  // namespace simt::compile
