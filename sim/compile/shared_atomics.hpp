// SPDX-License-Identifier: Apache-2.0
// Atomics in a block's shared memory are plain operations in loops: all threads of the block run on one worker, one
// after the other, and nobody else comes there (clusters, whose blocks may, run on fibers). A locked instruction takes
// 20 times as long.
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// f is cut, and what its threads do apart is marked (mark_independent): it must not see the plain operations.
void make_shared_atomics_plain(llvm::Function& f);

}  // namespace simt::compile
