// SPDX-License-Identifier: Apache-2.0
#include "token.hpp"

#include <cctype>
#include <map>

namespace simt::cuda_source {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80); }
bool in_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

// Longest first.
constexpr std::string_view kPunctuation[] = {
    "<<<", "<=>", "...", "->*", "<<=", "::", "->", "<<", "<=", ">=", "==", "!=", "&&",
    "||",  "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", ".*", "##"};

class lexer {
 public:
  lexer(std::string_view text, std::string_view own, bool newlines_again)
      : text_(text), own_(own), newlines_again_(newlines_again) {
    list_.files.push_back("<unknown>");
    ids_["<unknown>"] = 0;
  }

  token_list run() {
    while (at_ < text_.size()) line_begins();
    token end;
    end.file = file_;
    end.line = line_;
    list_.tokens.push_back(end);
    return std::move(list_);
  }

 private:
  // At the start of a line: a marker, a directive, opaque text or tokens.
  void line_begins() {
    const std::size_t end = line_end(at_);
    const std::string_view line = text_.substr(at_, end - at_);
    if (marker(line)) {
      at_ = end + 1;
      return;
    }
    if (system_) {
      opaque();
      return;
    }
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && line[first] == '#') {
      add(token_kind::directive, at_, end, {});
      at_ = end + 1;
      ++line_;
      return;
    }
    tokens_of_line();
  }

  std::size_t line_end(std::size_t from) const {
    const std::size_t end = text_.find('\n', from);
    return end == std::string_view::npos ? text_.size() : end;
  }

  // `# 12 "file" 1 3 4`: what follows is line 12 of that file; 3 says that it is a system header.
  bool marker(std::string_view line) {
    if (line.size() < 4 || line[0] != '#' || line[1] != ' ' || !std::isdigit(static_cast<unsigned char>(line[2])))
      return false;
    std::size_t i = 2;
    int number = 0;
    while (i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])))
      number = number * 10 + (line[i++] - '0');
    const std::size_t open = line.find('"', i), close = line.rfind('"');
    if (open == std::string_view::npos || close <= open) return false;
    const std::string name(line.substr(open + 1, close - open - 1));
    const auto [it, is_new] = ids_.emplace(name, static_cast<int>(list_.files.size()));
    if (is_new) list_.files.push_back(name);
    file_ = it->second;
    line_ = number;
    newlines_to_skip_ = 0;
    const bool flag = line.substr(close + 1).find('3') != std::string_view::npos;
    own_header_ = !own_.empty() && name.starts_with(own_);
    system_ = flag || own_header_ || (name.starts_with('<') && name.ends_with('>'));  // <built-in>, <command line>
    return true;
  }

  // Everything up to the marker that leads back to the user's text, markers included.
  void opaque() {
    const std::size_t first = at_;
    const int file = file_, line = line_;
    while (at_ < text_.size()) {
      const std::size_t end = line_end(at_);
      const std::string_view here = text_.substr(at_, end - at_);
      if (marker(here)) {
        if (!system_) break;
      } else {
        if (own_header_) note_names(here);
        ++line_;
      }
      at_ = end + 1;
    }
    token t;
    t.kind = token_kind::opaque;
    t.text = text_.substr(first, std::min(at_, text_.size()) - first);
    t.file = file;
    t.line = line;
    list_.tokens.push_back(t);
  }

  void note_names(std::string_view line) {
    for (std::size_t i = 0; i < line.size();) {
      if (!starts_name(line[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < line.size() && in_name(line[end])) ++end;
      list_.known.insert(line.substr(i, end - i));
      i = end;
    }
  }

  void tokens_of_line() {
    for (;;) {
      const std::size_t space = at_;
      while (at_ < text_.size() &&
             (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\f'))
        ++at_;
      if (at_ >= text_.size()) return;
      if (text_[at_] == '\n') {
        ++at_;
        next_line();
        return;
      }
      one_token(text_.substr(space, at_ - space));
    }
  }

  void one_token(std::string_view space) {
    const std::size_t first = at_;
    const char c = text_[at_];
    if (starts_name(c)) {
      std::size_t end = at_;
      while (end < text_.size() && in_name(text_[end])) ++end;
      const std::string_view word = text_.substr(at_, end - at_);
      if (end < text_.size() && (text_[end] == '"' || text_[end] == '\'') && is_prefix(word)) {
        end = word.back() == 'R' && text_[end] == '"' ? raw_string_end(end) : quoted_end(end);
        add(token_kind::text, first, end, space);
      } else {
        add(token_kind::identifier, first, end, space);
      }
      at_ = end;
      return;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])))) {
      add(token_kind::number, first, at_ = number_end(at_), space);
      return;
    }
    if (c == '"' || c == '\'') {
      const std::size_t end = quoted_end(at_);
      add(token_kind::text, first, end, space);
      at_ = end;
      return;
    }
    for (const std::string_view p : kPunctuation) {
      if (text_.substr(at_, p.size()) == p) {
        add(token_kind::punctuation, first, at_ += p.size(), space);
        return;
      }
    }
    add(token_kind::punctuation, first, ++at_, space);
  }

  static bool is_prefix(std::string_view w) {
    return w == "R" || w == "u8" || w == "u8R" || w == "u" || w == "uR" || w == "U" || w == "UR" || w == "L" ||
           w == "LR";
  }
  std::size_t number_end(std::size_t i) const {
    for (; i < text_.size(); ++i) {
      const char c = text_[i];
      if (in_name(c) || c == '.') {
        const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
        if (exponent && i + 1 < text_.size() && (text_[i + 1] == '+' || text_[i + 1] == '-')) ++i;
      } else if (c != '\'' || i + 1 >= text_.size() || !in_name(text_[i + 1])) {
        break;
      }
    }
    return i;
  }
  std::size_t quoted_end(std::size_t i) const {
    const char quote = text_[i++];
    while (i < text_.size() && text_[i] != quote && text_[i] != '\n') i += text_[i] == '\\' ? 2 : 1;
    return i < text_.size() && text_[i] == quote ? i + 1 : std::min(i, text_.size());
  }
  std::size_t raw_string_end(std::size_t i) const {
    const std::size_t open = text_.find('(', i);
    if (open == std::string_view::npos) return text_.size();
    const std::string close = ")" + std::string(text_.substr(i + 1, open - i - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    return end == std::string_view::npos ? text_.size() : end + close.size();
  }

  void add(token_kind kind, std::size_t first, std::size_t end, std::string_view space) {
    token t;
    t.kind = kind;
    t.text = text_.substr(first, end - first);
    t.space = space;
    t.file = file_;
    t.line = line_;
    if (kind == token_kind::text)
      for (const char c : t.text) t.lines += c == '\n';
    line_ += t.lines;
    if (newlines_again_) newlines_to_skip_ += t.lines;
    list_.tokens.push_back(t);
  }
  void next_line() {
    if (newlines_to_skip_ > 0 && at_ < text_.size() && text_[at_] == '\n')
      --newlines_to_skip_;
    else
      ++line_;
  }

  std::string_view text_, own_;
  const bool newlines_again_;
  int newlines_to_skip_ = 0;
  std::size_t at_ = 0;
  int file_ = 0, line_ = 1;
  bool system_ = true, own_header_ = false;
  std::map<std::string, int> ids_;
  token_list list_;
};

}  // namespace

token_list tokenize(std::string_view text, std::string_view own_headers, bool newlines_again) {
  return lexer(text, own_headers, newlines_again).run();
}

}  // namespace simt::cuda_source
