// SPDX-License-Identifier: Apache-2.0
// Terminal layout; contracts in the header.
#include "terminal_text.hpp"

#include <fmt/color.h>

#include <algorithm>

namespace simt {
namespace {

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

fmt::text_style style_of(tone t) {
  constexpr auto bold_in = [](fmt::terminal_color c) { return fmt::fg(c) | fmt::emphasis::bold; };
  switch (t) {
    case tone::plain:
      return {};
    case tone::bold:
      return fmt::emphasis::bold;
    case tone::error:
    case tone::mark:
      return bold_in(fmt::terminal_color::red);
    case tone::warning:
      return bold_in(fmt::terminal_color::yellow);
    case tone::note:
      return bold_in(fmt::terminal_color::cyan);
    case tone::good:
      return bold_in(fmt::terminal_color::green);
    case tone::dim:
      return fmt::fg(fmt::terminal_color::blue);
  }
  return {};
}

}  // namespace

std::string paint(std::string_view text, tone t, bool color) {
  if (!color || t == tone::plain || text.empty()) return std::string(text);
  return fmt::format(style_of(t), "{}", text);
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_code_point));
}

std::string_view first_columns(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if (starts_code_point(text[at]) && ++seen > count) break;
  }
  return text.substr(0, at);
}

std::string printable(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\t') {
      const std::size_t blanks = 4 - column % 4;
      out.append(blanks, ' ');
      column += blanks;
      continue;
    }
    // C1 controls are C2 80..9F in UTF-8; some terminals obey them like ESC.
    const bool c1 = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) ++i;
    out += c < 0x20 || c == 0x7F || c1 ? '?' : text[i];
    if (starts_code_point(text[i]) || c1) ++column;
  }
  return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t taken) {
  width = std::max<std::size_t>(width, 8);
  std::vector<std::string> lines(1);
  std::size_t used = taken;
  while (!text.empty()) {
    const auto blank = text.find_first_of(" \n");
    std::string_view word = text.substr(0, blank);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    while (!word.empty()) {
      const std::size_t size = columns(word);
      if (used != 0 && used + 1 + size > width) {
        lines.emplace_back();
        used = 0;
      }
      const std::string_view part = first_columns(word, width);
      if (used != 0) lines.back() += ' ', ++used;
      lines.back() += part;
      used += columns(part);
      word.remove_prefix(part.size());
    }
  }
  return lines;
}

std::string hanging(std::string_view text, const hanging_place& at, tone t, bool color) {
  const std::size_t taken = at.used > at.indent ? at.used - at.indent : std::size_t{at.used != 0};
  std::string out;
  const std::vector<std::string> lines = wrap(text, at.width > at.indent ? at.width - at.indent : 0, taken);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (i != 0) out += "\n" + std::string(at.indent, ' ');
    if (line.starts_with(' ')) out += ' ', line.remove_prefix(1);
    if (!line.empty()) out += paint(line, t, color);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  if (width < 4) return std::string(first_columns(text, width));
  return std::string(first_columns(text, width - 3)) + "...";
}

}  // namespace simt
