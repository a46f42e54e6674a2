// SPDX-License-Identifier: Apache-2.0
// Laying out text for a terminal: columns, wrapping, colours, and making text from outside harmless to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt {

enum class tone { plain, bold, error, warning, note, good, dim, mark };

// `text` in the colour of a tone, or as it is when colours are off.
std::string paint(std::string_view text, tone t, bool color);

// Columns that UTF-8 text takes; every code point counts as one (our texts hold no wide characters).
std::size_t columns(std::string_view text);

// The first `count` columns of a UTF-8 text.
std::string_view first_columns(std::string_view text, std::size_t count);

// Control characters (escape sequences of a hostile source file or name) replaced by '?', tabs by blanks to the
// next multiple of 4.
std::string printable(std::string_view text);

// Breaks text at blanks into lines of at most `width` columns (at least 8); a word that is longer is cut. Never
// empty. The first line goes on behind `taken` columns that are there already, with a blank between; it is empty where
// the first word has no room.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t taken = 0);

// Text that goes on behind `used` columns of a line, with a blank between, in the colour of a tone: further lines, none
// of them longer than `width` columns, begin with `indent` blanks. The first part is empty where no word has room
// there.
struct hanging_place {
  std::size_t used = 0, width = 80, indent = 2;
};
std::string hanging(std::string_view text, const hanging_place& at, tone t = tone::plain, bool color = false);

// Text shortened to `width` columns, its end replaced by "..." where it is longer.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace simt
