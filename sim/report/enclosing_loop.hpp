// SPDX-License-Identifier: Apache-2.0
// The loop or the condition of a C++ source that a place belongs to, read from the text alone.
#pragma once

#include "statements.hpp"

namespace simt {

// Lines of a loop, counted from 1.
struct loop_lines {
  int head = 0;            // of for, while or do; 0: there is no such loop
  int begin = 0, end = 0;  // of its body, the first and the last
  // A name in the body says "sync": __syncthreads(), t.sync(), tile.sync(). One under a condition, which some turns do
  // not meet, is none.
  bool synchronizes = false;
};

loop_lines lines_of_loop(const parsed_source& source, const statement& loop);
// The innermost loop whose body has both places.
loop_lines enclosing_loop(const parsed_source& source, text_position at, text_position other);
// The line of the innermost if or switch of which one branch has `at` and not `other`; 0: there is none.
int enclosing_branch(const parsed_source& source, text_position at, text_position other);

}  // namespace simt
