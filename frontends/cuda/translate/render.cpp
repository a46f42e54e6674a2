// SPDX-License-Identifier: Apache-2.0
// Edited tokens to text for the compiler, every token on the line, and where that is known at the column, it has in the
// user's file.
#include "translate.hpp"

#include <algorithm>

namespace simt::cuda_source {
namespace {

// Without the flags of line markers that say where a file begins and ends: between edited text they do not pair, and
// clang insists on that.
void append_without_pairs(std::string& to, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, end - at);
    at = end;
    const std::size_t close = line.starts_with("# ") ? line.rfind('"') : std::string_view::npos;
    if (close == std::string_view::npos) {
      to += line;
      continue;
    }
    to += line.substr(0, close + 1);
    for (const char c : line.substr(close + 1))
      if (c == '3' || c == '4') to.append(1, ' ').append(1, c);
    to += '\n';
  }
}

class renderer {
 public:
  explicit renderer(const unit& u) : u_(u) {}

  std::string run() {
    if (u_.files.size() > 1) start_line(1, 1);
    range(0, u_.tokens.size() - 1);
    out_ += '\n';
    return std::move(out_);
  }

 private:
  void range(position first, position end) {
    for (position p = first; p < end; ++p) {
      if (const auto launch = u_.launches.find(p); launch != u_.launches.end() && launch->second.first != skip_) {
        launch_at(launch->second);
        p = u_.mate(launch->second.arguments);
        continue;
      }
      one(p);
    }
  }

  // kernel<<<config>>>(arguments) becomes (configure(config), kernel(arguments)).
  void launch_at(const launch_expression& l) {
    const position outer = skip_;
    move_to(u_.at(l.first));
    indent(u_.at(l.first));
    out_ += "(::simt_cuda::configure(";
    range(l.open + 1, l.close);
    out_ += "), ";
    skip_ = l.first;
    range(l.first, l.open);
    skip_ = outer;
    range(l.arguments, u_.mate(l.arguments) + 1);
    out_ += ")";
  }

  void one(position p) {
    const token& t = u_.tokens[p];
    const auto edit = u_.edits.find(p);
    if (t.kind == token_kind::opaque) {
      if (out_.empty() || out_.back() != '\n') out_ += '\n';
      out_ += "# " + std::to_string(t.line) + " \"" + u_.files[static_cast<std::size_t>(t.file)] + "\" 3\n";
      append_without_pairs(out_, t.text);
      file_ = -1;
      return;
    }
    move_to(t);
    if (t.kind == token_kind::directive) {
      if (column_used_) start_line(t.file, t.line);
      out_ += t.text;
      out_ += '\n';
      ++line_;
      column_used_ = false;
      return;
    }
    indent(t);
    if (edit != u_.edits.end()) {
      const std::string text =
          edit->second.before + (edit->second.replacement ? *edit->second.replacement : std::string(t.text));
      if (text.starts_with("::") && out_.ends_with(':')) out_ += ' ';  // case 1:cudaFree(p);
      out_ += text + edit->second.after;
    } else {
      out_ += t.text;
    }
    line_ += t.lines;
    column_used_ = true;
  }

  void move_to(const token& t) {
    constexpr int kMostNewlines = 8;
    if (t.file == file_ && t.line == line_) return;
    if (t.file == file_ && t.line > line_ && t.line - line_ <= kMostNewlines) {
      out_.append(static_cast<std::size_t>(t.line - line_), '\n');
      line_ = t.line;
      column_used_ = false;
      return;
    }
    start_line(t.file, t.line);
  }

  // What stands in front of a token on its line. Where edits have made the text before it longer, the line begins anew.
  void indent(const token& t) {
    const auto here = [this] { return static_cast<int>(out_.size() - (out_.rfind('\n') + 1)); };
    if (t.column == 0) {
      out_ += t.space;
      return;
    }
    // A shift is one operator of two tokens. What a macro gave stands at the macro's column, all of it.
    if (t.text.starts_with('>') && t.space.empty() && column_used_ && out_.ends_with('>')) return;
    if (here() >= t.column) start_line(t.file, t.line);
    const bool touches = here() + 1 == t.column && !t.space.empty() && column_used_;
    if (touches) start_line(t.file, t.line);
    out_.append(static_cast<std::size_t>(t.column - 1 - here()), ' ');
  }

  void start_line(int file, int line) {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    out_ += "# " + std::to_string(line) + " \"" + u_.files[static_cast<std::size_t>(file)] + "\"\n";
    file_ = file;
    line_ = line;
    column_used_ = false;
  }

  const unit& u_;
  std::string out_;
  int file_ = -1, line_ = 0;
  bool column_used_ = false;
  position skip_ = kNowhere;
};

}  // namespace

std::string render(const unit& u) { return renderer(u).run(); }

}  // namespace simt::cuda_source
