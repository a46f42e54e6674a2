// SPDX-License-Identifier: Apache-2.0
// What the compiler says of a translated source, said of the source as its author wrote it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt::cuda_source {

struct compiler_message {
  std::string severity = {};  // "error", "warning", "note" ..., as the compiler has it; empty: the text says it
  std::string file = {};      // empty: a message without a place, which is `text` alone
  int line = 0;
  int column = 0;  // bytes from 1; 0: unknown
  int length = 0;  // of the word at the column, in bytes
  std::string text;
  std::string written = {};  // the line in the file; empty where it cannot be read
};

bool is_of_our_headers(const compiler_message& m);

// Of a compiler that shows no lines (tool_chain's options say so). Lines that only count the messages are left out.
std::vector<compiler_message> read_messages(std::string_view errors);

// Turns places in `translated`, the text with line markers that was compiled, into places in the user's files. Leaves
// out what is said of code that is not the user's: warnings there, and notes that lead through it.
void place_in_source(std::vector<compiler_message>& messages, std::string_view translated);

// Leaves out the compiler's word on names that the translator has complained of in `before`.
void drop_said_before(std::vector<compiler_message>& messages, const std::vector<compiler_message>& before);

// Reads the lines of messages whose columns are those of the file: of the preprocessor, and of the translator, which
// names what it means.
void quote_lines(std::vector<compiler_message>& messages);

}  // namespace simt::cuda_source
