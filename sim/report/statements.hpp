// SPDX-License-Identifier: Apache-2.0
// C++ source as nested statements, read from the text alone: macros are not expanded, and of an #if both branches are
// read where the text does not tell which is there. Advice may rest on it, a verdict may not.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simt {

// A name, a number or one character of punctuation. Line and column count from 1.
struct source_word {
  std::string_view text;
  int line = 0, column = 0;
};

enum class statement_kind { block, loop, branch, other };

// Words are named by their index: `first` to the one before `end`.
struct statement {
  statement_kind kind = statement_kind::other;
  std::size_t first = 0, end = 0;
  std::size_t head = 0, head_end = 0;  // of a loop or branch: what stands in its parentheses
  // Of a block its statements, of a loop its body, of a branch one or two, of anything else the blocks in it.
  std::vector<statement> parts;
};

inline bool is_conditional(const statement& s) {
  return s.kind == statement_kind::loop || s.kind == statement_kind::branch;
}

struct parsed_source {
  std::vector<source_word> words;
  std::vector<statement> statements;
  std::vector<std::string_view> directives;  // lines of the preprocessor
};

// A place in the text. Column 0: anywhere in the line.
struct text_position {
  int line = 0, column = 0;
};

// The result refers to `lines`, those of one file.
parsed_source parse_statements(std::span<const std::string> lines);

// Whether the words from `first` on, before `end`, hold the position.
bool holds(const parsed_source& source, std::size_t first, std::size_t end, text_position at);

// The statements around a position, outermost first.
std::vector<const statement*> statements_around(const parsed_source& source, text_position at);

}  // namespace simt
