// SPDX-License-Identifier: Apache-2.0
#include "compiler_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/terminal_text.hpp"

namespace simt::cli {
namespace {

tone tone_of(const std::string& severity) {
  if (severity.ends_with("error")) return tone::error;
  return severity == "warning" ? tone::warning : tone::note;
}

// The line and the caret line, without the gutter. Columns are those of the terminal.
struct excerpt {
  std::string line;
  std::size_t caret = 0, length = 0;
};

// Cuts `e` to `width` columns so that the caret is seen, "..." where something is gone.
void cut(excerpt& e, std::size_t width) {
  constexpr std::string_view kGone = "...";
  if (columns(e.line) <= width) return;
  const std::size_t all = columns(e.line), middle = width / 2;
  std::size_t first = e.caret > middle ? e.caret - middle : 0;
  first = std::min(first, all - width + kGone.size());
  if (first > 0) {
    e.line = std::string(kGone) + e.line.substr(first_columns(e.line, first + kGone.size()).size());
    e.caret -= std::min(e.caret, first);
  }
  e.line = shortened(e.line, width);
  e.length = std::min(e.length, width - std::min(width, e.caret));
}

excerpt excerpt_of(const cuda_source::compiler_message& m) {
  const auto before = static_cast<std::size_t>(std::max(m.column - 1, 0));
  const std::string_view line = m.written;
  excerpt e{printable(line)};
  e.caret = columns(printable(line.substr(0, std::min(before, line.size()))));
  if (before < line.size()) e.length = columns(printable(line.substr(before, static_cast<std::size_t>(m.length))));
  return e;
}

}  // namespace

std::string compiler_text(const std::vector<cuda_source::compiler_message>& messages, const text_style& style,
                          bool fit) {
  std::string out;
  for (const cuda_source::compiler_message& m : messages) {
    if (m.file.empty()) {
      out += printable(m.text) + "\n";
      continue;
    }
    const std::string place =
        m.column > 0 ? fmt::format("{}:{}:{}: ", m.file, m.line, m.column) : fmt::format("{}:{}: ", m.file, m.line);
    const std::string severity = m.severity.empty() ? "" : m.severity + ": ";
    std::string text = printable(place + severity + m.text);
    if (fit) {
      std::string lines;
      for (const std::string& line : wrap(text, std::max<std::size_t>(style.width, 40))) lines += line + "\n";
      text = lines.substr(0, lines.size() - 1);
    }
    if (const std::size_t at = text.find(severity); !severity.empty() && at != std::string::npos)
      text = paint(text.substr(0, at), tone::bold, style.color) + paint(severity, tone_of(m.severity), style.color) +
             text.substr(at + severity.size());
    out += text + "\n";
    if (m.written.empty()) continue;
    excerpt e = excerpt_of(m);
    const std::string number = fmt::format("{:5} | ", m.line);
    if (fit) cut(e, std::max<std::size_t>(style.width, 40) - number.size());
    out += number + e.line + "\n";
    if (m.column == 0) continue;
    const std::string mark = "^" + std::string(e.length > 1 ? e.length - 1 : 0, '~');
    out += std::string(number.size() - 2, ' ') + "| " + std::string(e.caret, ' ') +
           paint(mark, tone::good, style.color) + "\n";
  }
  return out;
}

}  // namespace simt::cli
