// SPDX-License-Identifier: Apache-2.0
// The line of source that an access came from, and which part of it to point at.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "enclosing_loop.hpp"
#include "finding.hpp"
#include "source_expression.hpp"

namespace simt {

// A range of columns of a line, counted from 0 in code points.
struct column_range {
  std::size_t begin = 0, length = 0;
};

// Reads lines of source files, each file once. A file that is gone or too large gives no lines.
class source_reader {
 public:
  // The line as it may be shown (tabs expanded, no control characters); empty where it cannot be had.
  std::string line(const access& a);
  // What marked_columns() says of the line as it is in the file, for editors; length 0 where it cannot be had.
  column_range columns_in_file(const access& a, std::string_view object);
  // Whether the column is one of the line as its author wrote it. CUDA source is translated before it is compiled,
  // which moves what stands behind the head of a kernel.
  bool has_own_column(const access& a);
  // The update whose operator stands at the access's column: x += 1, ++x, not x = 1.
  update_text update_at(const access& a);
  // What the access names at its column, as the kernel writes it: "bins[b]"; empty: not known.
  std::string expression_of(const access& a);
  // The first line between the two that names a scope of a block, as __threadfence_block() does; 0: none.
  int narrow_order(const access& from, const access& until);
  // Of an update: does its operand name what it changes with another subscript, as s[i] += s[i + 1] does?
  bool reads_another_element(const access& a);
  // Of an update and a read on its line: does the read stand behind the update's operand?
  bool reads_behind(const access& read, const access& update);
  // Whether the line exchanges, or compares and swaps, as a loop that takes a lock does.
  bool takes_lock_at(const access& a);
  // The innermost loop around two accesses of one file.
  loop_lines loop_around(const access& a, const access& b);
  // The line of the innermost if around `a` and not around `b`; 0: there is none, or they are in different files.
  int branch_around(const access& a, const access& b);

 private:
  const std::vector<std::string>& lines_of(const access& a);
  std::string_view as_written(const access& a);
  std::map<std::string, std::vector<std::string>> files_;
};

// What to underline: the object with its subscript where the line names it (for a write the one that is assigned),
// else the expression at the column, else everything but indentation and a comment at the end.
column_range marked_columns(std::string_view line, std::string_view object, access_kind kind, int column = 0);

}  // namespace simt
