// SPDX-License-Identifier: Apache-2.0
// Makes loops over a block's threads of the body of one thread. Works on a simplified function, before it is
// vectorised.
#pragma once

#include "refusal.hpp"
#include "regions.hpp"

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

namespace simt::compile {

struct cut_result {
  maybe_refused refused;  // then f is half changed, and for nothing but to be deleted
  std::uint64_t bytes_per_thread = 0;
  std::vector<llvm::Function*> more{};  // functions that f calls, made of it
  bool any_geometry = false;            // any_geometry.hpp
  bool divides_ranks = false;           // ranked_regions.hpp
  bool relies_on_grid = false;          // not_negative.hpp
};
// extent: null, or the one shape of blocks that the function is for. rows: what is known of all blocks that it is for.
cut_result cut(llvm::Function& f, const std::int64_t* extent, row_kind rows);
// The same for any shape, of kernels that wait nowhere, too: what cut_with_turns falls back to.
cut_result cut_without_turns(llvm::Function& f, row_kind rows);
// The same with loops that threads run turned inside out (turns.hpp). Refused where there are none. `otherwise`: f
// without that, which f calls where indices might wrap.
cut_result cut_with_turns(llvm::Function& f, const std::int64_t* extent, row_kind rows, llvm::Function& otherwise);

}  // namespace simt::compile
