// SPDX-License-Identifier: Apache-2.0
// A parser of statements: loops, conditions, blocks, and all else up to its semicolon.
#include "statements.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "source_expression.hpp"

namespace simt {
namespace {

constexpr int kDeepest = 200;  // nested statements beyond this are no source that somebody wrote

// Words without comments and literals.
class scanner {
 public:
  scanner(std::span<const std::string> lines, parsed_source& to) : to_(to) {
    for (const std::string& text : lines) {
      ++line_;
      const bool directive = !in_comment_ && (continued_ || is_directive(text));
      continued_ = directive && text.ends_with('\\');
      if (directive)
        to_.directives.emplace_back(text);
      else
        read(text);
    }
  }

 private:
  static bool is_directive(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first != std::string_view::npos && text[first] == '#';
  }

  void read(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      if (in_comment_) {
        const auto end = text.find("*/", at);
        if (end == std::string_view::npos) return;
        in_comment_ = false;
        at = end + 2;
      } else if (text.substr(at).starts_with("//")) {
        return;
      } else if (text.substr(at).starts_with("/*")) {
        in_comment_ = true;
        at += 2;
      } else if (text[at] == '"' || text[at] == '\'') {
        at = after_literal(text, at);
      } else if (in_identifier(text[at])) {
        at = after_word(text, at);
      } else {
        if (text[at] != ' ' && text[at] != '\t') add(text, at, at + 1);
        ++at;
      }
    }
  }

  static std::size_t after_literal(std::string_view text, std::size_t at) {
    const char quote = text[at++];
    while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
    return at + 1;
  }

  // A number's digit separators are no literals: 1'000.
  std::size_t after_word(std::string_view text, std::size_t at) {
    const std::size_t begin = at;
    const bool number = !begins_name(text[at]);
    while (at < text.size() && (in_identifier(text[at]) || (number && text[at] == '\''))) ++at;
    add(text, begin, at);
    return at;
  }

  void add(std::string_view text, std::size_t begin, std::size_t end) {
    to_.words.push_back({text.substr(begin, end - begin), line_, static_cast<int>(begin) + 1});
  }

  parsed_source& to_;
  int line_ = 0;
  bool in_comment_ = false, continued_ = false;
};

class parser {
 public:
  explicit parser(const std::vector<source_word>& words) : words_(words) {}

  std::vector<statement> run() {
    std::vector<statement> all;
    while (at_ < words_.size()) {
      if (is("}")) ++at_;  // one too many: of a branch of an #if
      next(all, 0);
    }
    return all;
  }

 private:
  bool is(std::string_view text) const { return at_ < words_.size() && words_[at_].text == text; }

  // Adds the next statement, if there is one.
  void next(std::vector<statement>& to, int depth) {
    if (at_ >= words_.size()) return;
    if (depth > kDeepest) {
      at_ = words_.size();
      return;
    }
    statement s;
    s.first = at_;
    if (is("for") || is("while") || is("do"))
      loop(s, depth);
    else if (is("if") || is("switch"))
      condition(s, depth);
    else if (is("{"))
      block(s, depth);
    else
      other(s, depth);
    s.end = std::max(at_, s.first);
    if (s.end > s.first) to.push_back(std::move(s));
  }

  void head(statement& s) {
    if (!is("(")) return;
    s.head = at_ + 1;
    int depth = 0;
    for (; at_ < words_.size(); ++at_) {
      if (is("(")) ++depth;
      if (is(")") && --depth == 0) {
        s.head_end = at_++;
        return;
      }
    }
    s.head_end = at_;
  }

  void block(statement& s, int depth) {
    s.kind = statement_kind::block;
    ++at_;  // {
    while (at_ < words_.size() && !is("}")) next(s.parts, depth + 1);
    if (at_ < words_.size()) ++at_;
  }

  void loop(statement& s, int depth) {
    s.kind = statement_kind::loop;
    const bool until_end = is("do");
    ++at_;
    if (!until_end) head(s);
    next(s.parts, depth + 1);
    if (!until_end || !is("while")) return;
    ++at_;
    head(s);
    if (is(";")) ++at_;
  }

  void condition(statement& s, int depth) {
    s.kind = statement_kind::branch;
    ++at_;  // if
    if (is("constexpr")) ++at_;
    head(s);
    next(s.parts, depth + 1);
    if (!is("else")) return;
    ++at_;
    next(s.parts, depth + 1);
  }

  // A declaration or an expression, with the blocks in it: bodies of functions, classes and lambdas, lists of values.
  void other(statement& s, int depth) {
    int asked = 0;  // how many ?: are open
    for (int open = 0; at_ < words_.size();) {
      if (is("{")) {
        next(s.parts, depth + 1);
        if (open == 0 && !continues()) return;
      } else if (is("}")) {
        return;  // of the block around it
      } else {
        if (is("(")) ++open;
        if (is(")")) --open;
        if (is("?")) ++asked;
        const bool scope = is(":") && at_ + 1 < words_.size() && words_[at_ + 1].text == ":";
        const bool label = is(":") && !scope && asked == 0;
        if (is(":") && !scope && asked > 0) --asked;
        const bool ends = open <= 0 && (is(";") || label);
        at_ += scope ? 2 : 1;
        if (ends) return;
      }
    }
  }

  // Whether what ended with a brace goes on behind it.
  bool continues() const {
    return at_ < words_.size() && words_[at_].text.size() == 1 && !in_identifier(words_[at_].text[0]) && !is("}") &&
           !is("{") && !is("*") && !is("[");
  }

  const std::vector<source_word>& words_;
  std::size_t at_ = 0;
};

void descend(const parsed_source& source, const std::vector<statement>& parts, text_position at,
             std::vector<const statement*>& found) {
  for (const statement& s : parts) {
    if (!holds(source, s.first, s.end, at)) continue;
    found.push_back(&s);
    return descend(source, s.parts, at, found);
  }
}

}  // namespace

parsed_source parse_statements(std::span<const std::string> lines) {
  parsed_source source;
  scanner scan(lines, source);
  source.statements = parser(source.words).run();
  return source;
}

bool holds(const parsed_source& source, std::size_t first, std::size_t end, text_position at) {
  if (first >= end) return false;
  const source_word &begin = source.words[first], &last = source.words[end - 1];
  if (at.line < begin.line || at.line > last.line) return false;
  if (at.column == 0) return true;
  const int last_column = last.column + static_cast<int>(last.text.size()) - 1;
  return std::tie(begin.line, begin.column) <= std::tie(at.line, at.column) &&
         std::tie(at.line, at.column) <= std::tie(last.line, last_column);
}

std::vector<const statement*> statements_around(const parsed_source& source, text_position at) {
  std::vector<const statement*> found;
  descend(source, source.statements, at, found);
  return found;
}

}  // namespace simt
