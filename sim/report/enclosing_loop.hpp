// SPDX-License-Identifier: Apache-2.0
// The loop or the condition of a C++ source that a line belongs to, read from the text alone: macros are not expanded,
// and both branches of an #if are read. Advice may rest on it, a verdict may not.
#pragma once

#include <span>
#include <string>

namespace simt {

// Lines of a loop, counted from 1.
struct loop_lines {
  int head = 0;               // of for, while or do; 0: there is no such loop
  int begin = 0, end = 0;     // of its body, the first and the last
  bool synchronizes = false;  // a name in the body says "sync": __syncthreads(), t.sync(), tile.sync()
};

// The innermost loop whose body has both lines. `source` holds the lines of one file.
loop_lines enclosing_loop(std::span<const std::string> source, int line, int other);
// The line of the innermost if of which one branch has `line` and not `other`; 0: there is none.
int enclosing_branch(std::span<const std::string> source, int line, int other);

}  // namespace simt
