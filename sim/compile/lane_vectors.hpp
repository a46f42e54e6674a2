// SPDX-License-Identifier: Apache-2.0
// What the lanes of a warp do between two shuffles is often an addition. As one operation on a vector of 32 lanes it
// needs no loop, and what a shuffle takes from it, or gives to it, need not go through memory.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "loop_nest.hpp"

namespace simt::compile {

// Asks the vectoriser for vectors of 32 lanes where all lanes of a warp do the same few things in r, a region of a
// group; or those that take part in a turn.
void take_lanes_at_once(const kernel_form& k, const region& r, const loop_nest& nest);

// Whether that has been asked for. The loop's conditions are to be masks.
bool takes_lanes_at_once(const llvm::Loop& l);

}  // namespace simt::compile
