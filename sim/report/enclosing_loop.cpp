// SPDX-License-Identifier: Apache-2.0
// A parser of statements: loops, conditions, blocks, and all else up to its semicolon.
#include "enclosing_loop.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "source_expression.hpp"

namespace simt {
namespace {

constexpr int kDeepest = 200;  // nested statements beyond this are no source that somebody wrote

struct token {
  std::string_view text;  // an identifier or one character
  int line = 0;
};

// Names and punctuation, without comments, literals, numbers and lines of the preprocessor.
class scanner {
 public:
  explicit scanner(std::span<const std::string> source) {
    for (const std::string& text : source) {
      ++line_;
      const bool directive = !in_comment_ && (continued_ || is_directive(text));
      continued_ = directive && text.ends_with('\\');
      if (!directive) read(text);
    }
  }
  std::vector<token> take() { return std::move(tokens_); }

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
        if (text[at] != ' ' && text[at] != '\t') tokens_.push_back({text.substr(at, 1), line_});
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
    if (!number) tokens_.push_back({text.substr(begin, at - begin), line_});
    return at;
  }

  int line_ = 0;
  bool in_comment_ = false, continued_ = false;
  std::vector<token> tokens_;
};

class parser {
 public:
  parser(std::vector<token> tokens, int first, int last) : tokens_(std::move(tokens)), first_(first), last_(last) {}

  loop_lines run() {
    while (at_ < tokens_.size()) {
      if (is("}")) ++at_;  // one too many: of a branch of an #if
      statement(0);
    }
    return best_;
  }
  int branch() {
    run();
    return branch_;
  }

 private:
  bool is(std::string_view text) const { return at_ < tokens_.size() && tokens_[at_].text == text; }
  int line() const { return tokens_[std::min(at_, tokens_.size() - 1)].line; }

  void parentheses() {
    int depth = 0;
    for (; at_ < tokens_.size(); ++at_) {
      if (is("(")) ++depth;
      if (is(")") && --depth == 0) {
        ++at_;
        return;
      }
    }
  }

  void block(int depth) {
    ++at_;  // {
    while (at_ < tokens_.size() && !is("}")) statement(depth + 1);
    if (at_ < tokens_.size()) ++at_;
  }

  void loop(int depth) {
    const int head = line();
    const bool until_end = is("do");
    ++at_;
    if (!until_end && is("(")) parentheses();
    if (at_ >= tokens_.size()) return;
    const std::size_t from = at_;
    statement(depth + 1);
    const std::size_t to = std::max(from + 1, at_);
    const loop_lines found{head, tokens_[from].line, tokens_[to - 1].line, synchronizes(from, to)};
    // An inner loop has been seen before the one around it.
    if (best_.head == 0 && found.begin <= first_ && last_ <= found.end) best_ = found;
  }

  bool synchronizes(std::size_t from, std::size_t to) const {
    return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(from),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(to),
                       [](const token& t) { return t.text.find("sync") != std::string_view::npos; });
  }

  void condition(int depth) {
    const int head = line();
    ++at_;  // if
    if (is("constexpr")) ++at_;
    if (is("(")) parentheses();
    branch(depth, head);
    if (!is("else")) return;
    ++at_;
    branch(depth, head);
  }
  void branch(int depth, int head) {
    if (at_ >= tokens_.size()) return;
    const std::size_t from = at_;
    statement(depth + 1);
    const int begin = tokens_[from].line, end = tokens_[std::max(from + 1, at_) - 1].line;
    const auto has = [&](int line) { return begin <= line && line <= end; };
    if (branch_ == 0 && has(first_) && !has(last_)) branch_ = head;
  }

  // A declaration or an expression, with the blocks in it: bodies of functions, classes and lambdas, lists of values.
  void other(int depth) {
    for (int open = 0; at_ < tokens_.size();) {
      if (is("{")) {
        block(depth);
        if (open == 0 && !continues()) return;
      } else if (is("}")) {
        return;  // of the block around it
      } else {
        if (is("(")) ++open;
        if (is(")")) --open;
        const bool ends = open <= 0 && (is(";") || is(":"));  // a label's colon, too; in a ?: it does no harm
        ++at_;
        if (ends) return;
      }
    }
  }

  // Whether what ended with a brace goes on behind it.
  bool continues() const {
    return at_ < tokens_.size() && tokens_[at_].text.size() == 1 && !begins_name(tokens_[at_].text[0]) && !is("}") &&
           !is("{") && !is("*") && !is("[");
  }

  void statement(int depth) {
    if (at_ >= tokens_.size()) return;
    if (depth > kDeepest) {
      at_ = tokens_.size();
      return;
    }
    if (is("for") || is("while") || is("do"))
      loop(depth);
    else if (is("if"))
      condition(depth);
    else if (is("{"))
      block(depth);
    else
      other(depth);
  }

  std::vector<token> tokens_;
  std::size_t at_ = 0;
  int first_, last_;
  loop_lines best_;
  int branch_ = 0;
};

}  // namespace

loop_lines enclosing_loop(std::span<const std::string> source, int line, int other) {
  const auto [first, last] = std::minmax(line, other);
  return parser(scanner(source).take(), first, last).run();
}

int enclosing_branch(std::span<const std::string> source, int line, int other) {
  return parser(scanner(source).take(), line, other).branch();
}

}  // namespace simt
