// SPDX-License-Identifier: Apache-2.0
// Regions whose threads ask for nothing but their rank, `threadIdx.y * blockDim.x + threadIdx.x`, in blocks of several
// rows: as for the load of a tile by the threads in turn. One loop over all ranks runs them, as if the block had one
// row: longer vectors, and what is asked of a rank (`rank / 18`, `rank < 32`) is asked along one line.
//
// Invariant: whatever such a region computes of x, y and z is a sum in which y has the extent in x, and z the extent of
// a plane, times the factor of x. So it is the same number if x is the rank, and y and z are 0. No value comes in or
// goes out that lies in a place of its row.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>

#include "regions.hpp"

namespace simt::compile {

// Those of m, which is cut, if the block's shape is known.
llvm::SmallPtrSet<const region*, 8> find_ranked_regions(const kernel_form& k, const region_map& m);

// Whether what r asks of ranks is more than sums: along rows, that ends at the end of each.
bool divides_ranks(const region& r, const dependence& varying);

}  // namespace simt::compile
