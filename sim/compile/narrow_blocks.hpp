// SPDX-License-Identifier: Apache-2.0
// `if (threadIdx.x < 256)` around a barrier, in a kernel whose blocks have 256 threads in a row: all pass it. Where a
// kernel is refused, loops are tried that are for blocks in which such questions are met by all.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace simt::compile {

inline constexpr std::int64_t kWidestBlock = 1024;

// f: the body of one thread. The largest number, below `most`, with which f compares its thread's x: from here on f is
// for blocks of at most so many threads in x, which ask no such question any more. 0: f asks none, and is as it was.
std::int64_t narrow_blocks(llvm::Function& f, std::int64_t most);

}  // namespace simt::compile
