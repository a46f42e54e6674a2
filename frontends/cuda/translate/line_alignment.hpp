// SPDX-License-Identifier: Apache-2.0
// A line that the preprocessor gave, or that the compiler read, held against the line that the user wrote: macros are
// expanded in it and CUDA's words are translated, but most words still stand in the same order.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace simt::cuda_source {

struct source_column {
  std::size_t line = 0;    // index into the written lines
  std::size_t column = 0;  // bytes from 0
  std::size_t length = 0;  // of the word there; 0: the place is behind a word
  bool is_ours = false;    // the column lies in text that the user did not write, nor a macro of theirs
};

// Where `column` (bytes from 0) of `read` stands in `written`, the user's line and those behind it, which are looked at
// where a bracket stays open in the first. In what a macro became: the macro's name.
source_column column_as_written(std::string_view read, std::size_t column,
                                const std::vector<std::string_view>& written);

// For where each word of `read` begins (bytes from 0): where it begins in `written`. Words that a macro became stand
// where its name does; those of which nothing is known are left out.
std::map<std::size_t, std::size_t> columns_of_words(std::string_view read, std::string_view written);

}  // namespace simt::cuda_source
