// SPDX-License-Identifier: Apache-2.0
// Makes loops over a block's threads of the body of one thread. Works on a simplified function, before it is
// vectorised.
#pragma once

#include "refusal.hpp"

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

namespace simt::compile {

struct cut_result {
  maybe_refused refused;  // then f is half changed, and for nothing but to be deleted
  std::uint64_t bytes_per_thread = 0;
  std::vector<llvm::Function*> more;  // functions that f calls, made of it
};
// extent: null, or the one shape of blocks that the function is for.
cut_result cut(llvm::Function& f, const std::int64_t* extent);

}  // namespace simt::compile
