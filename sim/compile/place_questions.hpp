// SPDX-License-Identifier: Apache-2.0
// Questions about a thread's place (`x >= 1 && x < n - 1 && y < h`): comparisons of sums of the index, and what is made
// of these by and, or and not. A loop over threads answers them by its bounds, so they are worth more when they are
// asked again behind a barrier than when the answer of each thread is kept.
#pragma once

#include "regions.hpp"

namespace simt::compile {

class place_questions {
 public:
  place_questions(const kernel_form& k, const dependence& varying) : k_(k), varying_(varying) {}
  bool is_one(llvm::Value* v, int depth = 0) const;

 private:
  bool is_sum_of_index(const llvm::Value* v, int depth) const;

  const kernel_form& k_;
  const dependence& varying_;
};

// Where ways meet, what a value says of the way that a thread has come (`done = true` in a branch) becomes the question
// that the branch has asked.
void ask_instead_of_noting(kernel_form& k);

}  // namespace simt::compile
