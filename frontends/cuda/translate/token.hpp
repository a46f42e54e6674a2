// SPDX-License-Identifier: Apache-2.0
// Preprocessed C++ as tokens that remember the user's file and line.
//
// Text of system headers (and of our own headers by CUDA's names, which are given to the compiler as such) is kept as
// one opaque piece each; only the user's own text is cut into tokens. `>` is always a token of its own, because only
// the parser knows whether `>>>` ends a launch or three template argument lists; `<<<` is one token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace simt::cuda_source {

enum class token_kind : std::uint8_t { identifier, number, text, punctuation, directive, opaque, end };

struct token {
  token_kind kind = token_kind::end;
  std::string_view text;
  std::string_view space;  // white space before it on its own line
  int file = 0;            // index into token_list::files
  int line = 0;            // where it starts, in the user's file
  int column = 0;          // there, from 1; 0: not known (place_columns)
  int lines = 0;           // newlines inside it (raw strings, opaque pieces)

  bool is(std::string_view t) const { return text == t && kind != token_kind::text; }
  bool is_name() const { return kind == token_kind::identifier; }
};

struct token_list {
  std::vector<std::string> files;
  std::vector<token> tokens;                   // the last is of kind end
  std::unordered_set<std::string_view> known;  // identifiers in opaque text of our own headers
};

// `text` must outlive the result. `own_headers`: the folder of our headers by CUDA's names.
// `newlines_again`: behind the line on which a raw string ends, the text has the string's newlines a second time.
token_list tokenize(std::string_view text, std::string_view own_headers, bool newlines_again = false);

}  // namespace simt::cuda_source
