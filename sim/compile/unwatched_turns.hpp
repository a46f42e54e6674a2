// SPDX-License-Identifier: Apache-2.0
// The check variant: strides in the loops that run unwatched (watched_region.hpp), turned inside out.
//
//   for (i = first + tid; i < n; i += stride)
//
// The proof that lets these loops run says that no two threads meet, so the threads may stand inside, whatever they do:
// neighbours take neighbouring elements in each turn. turns.hpp does the same in front, for what is not watched, where
// barriers alone say what may change places.
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// f: the loops of one region, all of which is proved.
void put_threads_inside_unwatched(llvm::Function& f);

}  // namespace simt::compile
