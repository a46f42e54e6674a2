// SPDX-License-Identifier: Apache-2.0
// One finding as text: headline, source lines with both sides marked, why, fix and how to see it again.
//
// The layout is that of modern compilers. It is built with a budget for its variable parts (frames of stacks, lines
// of prose, threads listed) and built again with a smaller one until it fits a screen. Lines of prose are those of a
// terminal of 80 columns; a narrow one has more of them.
#include <fmt/format.h>

#include <algorithm>

#include "phrasebook.hpp"
#include "source_excerpt.hpp"
#include "terminal_text.hpp"
#include "text_report.hpp"

namespace simt {
namespace {

struct budget {
  std::size_t frames, prose_lines, accesses;
};
constexpr std::array<budget, 7> kBudgets = {
    {{4, 6, 8}, {2, 4, 6}, {1, 4, 4}, {0, 4, 3}, {0, 3, 3}, {0, 4, 2}, {0, 1, 2}}};

tone tone_of(severity s) {
  if (s == severity::error) return tone::error;
  return s == severity::warning ? tone::warning : tone::note;
}

std::string past_tense(access_kind k, bool latest) {
  switch (k) {
    case access_kind::read:
      return latest ? "reads" : "read";
    case access_kind::write:
      return latest ? "writes" : "wrote";
    case access_kind::atomic:
      return latest ? "updates atomically" : "updated atomically";
  }
  return {};
}

// "matmul<...>" of "matmul<16, float>".
std::string without_template_arguments(const std::string& function) {
  const auto open = function.find('<');
  return open == std::string::npos || !function.ends_with('>') ? function : function.substr(0, open) + "<...>";
}

constexpr std::size_t kMostDepartures = 4;  // of an order; the others are in the reports in files

class finding_writer {
 public:
  finding_writer(const finding& f, const phrases& said, const text_style& style, const budget& b)
      : f_(f), said_(said), style_(style), budget_(b), width_(std::max<std::size_t>(style.width, 40)) {
    int largest = 0;
    for (const access& a : f.accesses) largest = std::max(largest, a.line);
    gutter_ = fmt::format("{}", largest).size();
  }

  std::vector<std::string> lines() {
    headline();
    const std::size_t shown = std::min(f_.accesses.size(), budget_.accesses);
    for (std::size_t i = 0; i < shown;) i = place(i, shown);
    if (shown < f_.accesses.size()) detail("", fmt::format("and {} more", f_.accesses.size() - shown), 1);
    if (!f_.accesses.empty()) bar("");
    detail("why", said_.why, budget_.prose_lines);
    for (std::size_t i = 0; i < std::min(f_.order.text.size(), kMostDepartures); ++i)
      detail("order", f_.order.text[i] + (i + 1 == kMostDepartures && i + 1 < f_.order.text.size() ? ", and more" : ""),
             budget_.prose_lines);
    detail("fix", said_.fix, budget_.prose_lines);
    if (f_.count > 1 && !f_.accesses.empty()) detail("count", how_often(f_), 1);
    command("replay: ", f_.replay);
    command("debug: ", f_.debug);
    return std::move(out_);
  }

 private:
  void headline() {
    const std::string tag = fmt::format("{}[{}]", name(f_.severity), name(f_.rule));
    const std::vector<std::string> text = wrap(tag + ": " + printable(said_.message), width_);
    for (std::size_t i = 0; i < text.size() && i < 4; ++i) {
      if (i == 0 && text[0].size() >= tag.size()) {
        out_.push_back(paint(tag, tone_of(f_.severity), style_.color) +
                       paint(std::string_view(text[0]).substr(tag.size()), tone::bold, style_.color));
      } else {
        out_.push_back(paint(text[i], tone::bold, style_.color));
      }
    }
  }

  void bar(std::string_view text) {
    std::string line = std::string(gutter_, ' ') + " |";
    line = paint(line, tone::dim, style_.color);
    if (!text.empty()) line.append(" ").append(text);
    out_.push_back(line);
  }

  // "   = why: text", continued under the text.
  void detail(std::string_view label, std::string_view text, std::size_t most) {
    if (text.empty()) return;
    const std::string head = label.empty() ? "" : fmt::format("{}: ", label);
    const std::size_t indent = gutter_ + 3 + head.size();
    std::vector<std::string> rows = wrap(printable(text), width_ - indent);
    if (rows.size() > most) {
      rows.resize(most);
      rows.back() = shortened(rows.back(), width_ - indent - 4);
      if (!rows.back().ends_with("...")) rows.back() += " ...";
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i > 0) {
        out_.push_back(std::string(indent, ' ') + rows[i]);
      } else {
        out_.push_back(std::string(gutter_ + 1, ' ') + paint("= ", tone::dim, style_.color) +
                       paint(head, tone::bold, style_.color) + rows[i]);
      }
    }
  }

  // Never wrapped or cut: people copy it.
  void command(std::string_view label, const std::string& words) {
    if (words.empty()) return;
    out_.push_back(std::string(gutter_ + 1, ' ') + paint("= ", tone::dim, style_.color) +
                   paint(label, tone::bold, style_.color) + printable(words));
  }

  std::string location(const access& a) const {
    if (a.file.empty() && a.pc == 0)
      return "somewhere in " + (a.function.empty() ? "the kernel" : printable(a.function));
    std::string where = a.file.empty() ? fmt::format("address {:#x}", a.pc) : printable(a.file);
    if (a.line > 0) where += fmt::format(":{}", a.line);
    if (a.function.empty()) return where;
    const std::string whole = where + " in " + printable(a.function);
    if (columns(whole) <= width_ - gutter_ - 4) return whole;
    return where + " in " + without_template_arguments(printable(a.function));
  }

  // "thread (3,0,0) of block (1,0,0) wrote 7"
  std::string label(std::size_t i) const {
    const access& a = f_.accesses[i];
    std::string text = printable(who(a));
    if (const std::string what = doing(a); !what.empty()) return text + ": " + what;
    text += " " + past_tense(a.kind, i == 0 || !(is_race(f_.rule) || f_.rule == rule::noncoherent_read));
    if (!a.value.empty()) text += " " + printable(a.value);
    return text;
  }

  void frames(const access& a) {
    const std::size_t shown = std::min(budget_.frames, a.stack.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const stack_frame& s = a.stack[i];
      if (s.function == a.function && s.file == a.file && s.line == a.line) continue;  // told already
      std::string text = "  called from " + printable(s.function);
      if (!s.file.empty()) text += fmt::format(" at {}:{}", printable(s.file), s.line);
      if (i + 1 == shown && shown < a.stack.size()) text += fmt::format(" and {} more", a.stack.size() - shown);
      bar(shortened(text, width_ - gutter_ - 3));
    }
  }

  tone tone_of_side(std::size_t i) const { return i == 0 ? tone_of(f_.severity) : tone::note; }

  // signs: of each, the sign that its place in the line is underlined with, where there are two.
  void labels(std::size_t first, std::size_t end, std::string_view signs = {}) {
    for (std::size_t i = first; i < end; ++i) {
      std::string sign = signs.empty() ? "" : fmt::format("{} ", signs[i - first]);
      for (const std::string& row : wrap(label(i), width_ - gutter_ - 3 - sign.size())) {
        bar(paint(sign + row, tone_of_side(i), style_.color));
        sign.assign(sign.size(), ' ');
      }
      frames(f_.accesses[i]);
    }
  }

  // Shows access i and those after it that sit on the same line; returns the first not shown.
  std::size_t place(std::size_t i, std::size_t end) {
    const access& a = f_.accesses[i];
    std::size_t next = i + 1;
    while (next < end && f_.accesses[next].file == a.file && f_.accesses[next].line == a.line &&
           f_.accesses[next].function == a.function && !(a.file.empty() && f_.accesses[next].pc != a.pc)) {
      ++next;
    }
    // Who has no place at all, as a block that has left, stands under the place before.
    const bool has_place = i == 0 || !a.file.empty() || a.pc != 0;
    if (!has_place) {
      labels(i, next);
      return next;
    }
    const std::string arrow = std::string(gutter_, ' ') + paint("--> ", tone::dim, style_.color);
    out_.push_back(arrow + shortened(location(a), width_ - gutter_ - 4));
    std::string source = sources_.line(a);
    if (source.find_first_not_of(' ') == std::string::npos) {
      labels(i, next);
      return next;
    }
    column_range mark = marked_columns(source, f_.object, a);
    std::string signs = "^";
    column_range other = mark_beside(source, mark, i, next, signs);
    const std::size_t begin = mark.begin;
    fit(source, mark);
    const auto moved = static_cast<std::ptrdiff_t>(mark.begin) - static_cast<std::ptrdiff_t>(begin);
    const std::size_t room = columns(source);
    if (other.length != 0) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(other.begin) + moved;
      other.begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(at, 0));
      if (at < 0 || other.begin + 3 > room) other.length = 0, signs.clear();
      other.length = std::min(other.length, room - std::min(room, other.begin));
    }
    bar("");
    out_.push_back(paint(fmt::format("{:>{}} |", a.line, gutter_), tone::dim, style_.color) + " " + source);
    const std::string first = label(i);
    const std::size_t used = gutter_ + 3 + mark.begin + mark.length + 1;
    const std::string line_of_marks = underlines(mark, other);
    if (next == i + 1 && used + columns(first) <= width_) {
      bar(line_of_marks + " " + paint(first, tone_of_side(i), style_.color));
      frames(a);
    } else {
      bar(line_of_marks);
      labels(i, next, other.length != 0 ? std::string_view(signs) : std::string_view());
    }
    return next;
  }

  // Of the sides in one line, the first whose place is another than the marked one. signs: of all of them.
  column_range mark_beside(const std::string& source, const column_range& mark, std::size_t i, std::size_t next,
                           std::string& signs) {
    column_range other;
    for (std::size_t k = i + 1; k < next; ++k) {
      const column_range its = marked_columns(source, f_.object, f_.accesses[k]);
      const bool apart =
          its.length != 0 && (its.begin + its.length <= mark.begin || mark.begin + mark.length <= its.begin);
      if (apart && other.length == 0) other = its;
      signs += apart && its.begin == other.begin ? '-' : '^';
    }
    return other;
  }

  std::string underlines(const column_range& mark, const column_range& other) const {
    const auto line_of = [&](const column_range& r, char sign, tone t) {
      return paint(std::string(std::max<std::size_t>(r.length, 1), sign), t, style_.color);
    };
    const std::string here = line_of(mark, '^', tone_of(f_.severity));
    if (other.length == 0) return std::string(mark.begin, ' ') + here;
    const std::string there = line_of(other, '-', tone::note);
    if (other.begin < mark.begin)
      return std::string(other.begin, ' ') + there + std::string(mark.begin - other.begin - other.length, ' ') + here;
    return std::string(mark.begin, ' ') + here + std::string(other.begin - mark.begin - mark.length, ' ') + there;
  }

  // Takes common indentation out and cuts a long line around its mark, so that both fit the width.
  void fit(std::string& source, column_range& mark) const {
    const std::size_t blanks = source.find_first_not_of(' ');
    const std::size_t keep = std::min<std::size_t>(blanks, 2);
    source.erase(0, blanks - keep);
    mark.begin -= std::min(mark.begin, blanks - keep);
    const std::size_t room = width_ - gutter_ - 3;
    if (columns(source) <= room) return;
    if (mark.begin + std::min<std::size_t>(mark.length, room / 2) > room - 3) {
      const std::size_t cut = mark.begin - room / 4;
      source = "..." + source.substr(first_columns(source, cut).size());
      mark.begin = mark.begin - cut + 3;
    }
    source = shortened(source, room);
    mark.length = std::min(mark.length, columns(source) - std::min(columns(source), mark.begin));
  }

  const finding& f_;
  const phrases& said_;
  const text_style& style_;
  const budget budget_;
  const std::size_t width_;
  std::size_t gutter_ = 1;
  source_reader sources_;
  std::vector<std::string> out_;
};

}  // namespace

std::string text_finding(const finding& f, dialect words, const text_style& style) {
  const phrases said = phrase(f, words);
  // The terminal breaks the lines that are not wrapped.
  const std::size_t width = std::max<std::size_t>(style.width, 40);
  const std::size_t broken = (columns(f.replay) + 14) / width + (columns(f.debug) + 13) / width;
  const std::size_t room = finding_lines(width), most = room - std::min<std::size_t>(broken, room / 2);
  std::vector<std::string> lines;
  for (budget b : kBudgets) {
    b.prose_lines = (b.prose_lines * room + kFindingLines - 1) / kFindingLines;
    lines = finding_writer(f, said, style, b).lines();
    if (lines.size() <= most) break;
  }
  if (lines.size() > most) {
    const auto commands = static_cast<std::size_t>(!f.replay.empty()) + (f.debug.empty() ? 0 : 1);
    const std::vector<std::string> last(lines.end() - static_cast<std::ptrdiff_t>(commands), lines.end());
    lines.resize(most - 1 - commands);
    lines.emplace_back("  ... the rest is in the report that --json writes");
    lines.insert(lines.end(), last.begin(), last.end());
  }
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return text;
}

}  // namespace simt
