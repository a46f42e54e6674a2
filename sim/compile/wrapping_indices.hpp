// SPDX-License-Identifier: Apache-2.0
// Indices that go round: ring[i * 5 & 63]. LLVM's vectoriser (16 to 20) reads several iterations' elements as one wide
// piece of memory where they lie a fixed distance apart. It takes the distance from an index of few bits (here 6) as if
// that did not wrap, and asks for it neither before the loop nor within. So it reads behind the end where the index
// begins anew. Elements that lie next to each other are asked for, and are right.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace simt::compile {

// Right before the vectoriser: makes such indices unknown to it, so that it reads element by element.
void hide_wrapping_indices(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

}  // namespace simt::compile
