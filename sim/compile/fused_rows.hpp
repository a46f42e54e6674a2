// SPDX-License-Identifier: Apache-2.0
// Pieces between which nobody waits, row by row.
//
//   for each row: tile      for each row: left halo       becomes       for each row: tile, left halo
//
// Steps of some threads are pieces of their own (side_steps.hpp). Where blocks run side by side, what one piece has
// loaded of a row is gone when the next one comes to it: so each row goes through all of them. The order of each
// thread's accesses stays, and no other order matters to pieces between two barriers.
#pragma once

#include "loop_nest.hpp"

namespace simt::compile {

// In loops of blocks side by side, when they are connected.
void fuse_rows(region_map& m, llvm::DenseMap<region*, loop_nest>& nests, const kernel_form& k);

}  // namespace simt::compile
