// SPDX-License-Identifier: Apache-2.0
// Where each token stands in the user's line. The preprocessor makes one blank of many and puts the text of a macro in
// its place, so columns of what it gives are not those of the file.
#include <map>
#include <sstream>

#include "line_alignment.hpp"
#include "translate.hpp"

namespace simt::cuda_source {
namespace {

using lines = std::vector<std::string>;

lines lines_of(const std::string& text) {
  lines all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(std::move(line));
  return all;
}

bool is_on_line(const token& t, const token& first) {
  return t.file == first.file && t.line == first.line && t.kind != token_kind::opaque &&
         t.kind != token_kind::directive && t.kind != token_kind::end;
}

// Of the tokens from `first` on, before `end`, which are one line.
void place_line(std::vector<token>& tokens, position first, position end, const std::string& written) {
  std::string read;
  std::vector<std::size_t> begins;
  for (position p = first; p < end; ++p) {
    read += tokens[p].space;
    begins.push_back(read.size());
    read += tokens[p].text;
  }
  if (read == written) {
    for (position p = first; p < end; ++p) tokens[p].column = static_cast<int>(begins[p - first]) + 1;
    return;
  }
  const std::map<std::size_t, std::size_t> columns = columns_of_words(read, written);
  for (position p = first; p < end; ++p)
    if (const auto at = columns.find(begins[p - first]); at != columns.end())
      tokens[p].column = static_cast<int>(at->second) + 1;
}

}  // namespace

void place_columns(unit& u, const file_reader& text_of) {
  std::map<int, lines> files;
  for (position p = 0; p < u.tokens.size();) {
    const token& first = u.tokens[p];
    position end = p;
    while (end < u.tokens.size() && is_on_line(u.tokens[end], first)) ++end;
    if (end > p) {
      const auto [file, is_new] = files.try_emplace(first.file);
      if (is_new) file->second = lines_of(text_of(u.files[static_cast<std::size_t>(first.file)]));
      const auto number = static_cast<std::size_t>(first.line);
      if (number >= 1 && number <= file->second.size()) place_line(u.tokens, p, end, file->second[number - 1]);
    }
    p = std::max(end, p + 1);
  }
}

}  // namespace simt::cuda_source
