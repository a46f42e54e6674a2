// SPDX-License-Identifier: Apache-2.0
// What stands at a column of a line of C++: the expression that is read there, or what an operator there changes. Read
// from the text alone, so advice may rest on it, a verdict may not. Columns count from 1, as compilers give them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace simt {

// Places in a line, counted from 0; end 0: there is nothing.
struct text_range {
  std::size_t begin = 0, end = 0;
};

// An update in place: bins[b] += n.
struct update_text {
  std::string target;     // "bins[b]"; empty: there is none
  std::string operation;  // "+=", "++"
  std::string operand;    // "n"; empty for ++ and --
  bool is_whole = true;   // the statement ends in the text that was read
  bool is_prefix = false;
  bool is_used = false;  // its value is
};

bool in_identifier(char c);
bool begins_name(char c);
// One past the subscripts or arguments that follow at `at`: a[i][j], a(i, j).
std::size_t after_subscripts(std::string_view line, std::size_t at);
// Whether an operator that changes what stands before it follows at `end`.
bool assigned(std::string_view line, std::size_t end);
std::string without_blanks(std::string_view text);
// Without what follows "//".
std::string_view without_comment(std::string_view line);

// The expression that is accessed at the column: what is assigned where an operator stands there, else the name there
// with its members and subscripts, and the * in front of it where that stands there.
text_range accessed_at(std::string_view line, int column);
update_text update_in(std::string_view line, int column);
// The same of x = n, whose operation is "=".
update_text assignment_in(std::string_view line, int column);
// Adds a statement's next line to the operand.
void continue_operand(update_text& update, std::string_view line);

}  // namespace simt
