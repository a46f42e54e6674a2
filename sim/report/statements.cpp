// SPDX-License-Identifier: Apache-2.0
// A parser of statements: loops, conditions, blocks, and all else up to its semicolon.
#include "statements.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "source_expression.hpp"

namespace simt {
namespace {

constexpr int kDeepest = 200;  // nested statements beyond this are no source that somebody wrote

// Which lines the preprocessor leaves out, as far as the file tells: by #if 0 and 1, and by names that it defines
// above. Where it does not tell, both branches are there.
class conditions {
 public:
  bool left_out() const {
    return std::ranges::any_of(open_, [](const branch& b) { return !b.is_there; });
  }
  void read(std::string_view line) {
    std::string_view word = next(line);
    if (word == "define" && !left_out()) set(next(line), true);
    if (word == "undef" && !left_out()) set(next(line), false);
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      const std::optional<bool> holds =
          word == "if" ? value_of(line) : negated(is_defined(next(line)), word == "ifndef");
      open_.push_back({holds.value_or(true), holds.value_or(false), holds.has_value()});
    } else if (word == "elif" && !open_.empty()) {
      another(value_of(line));
    } else if (word == "else" && !open_.empty()) {
      another(true);
    } else if (word == "endif" && !open_.empty()) {
      open_.pop_back();
    }
  }

 private:
  struct branch {
    bool is_there = true;  // or nobody knows
    bool taken = false;    // one is surely there, so the others are not
    bool known = true;     // of all conditions so far
  };
  void another(std::optional<bool> holds) {
    branch& b = open_.back();
    b.is_there = !b.taken && holds.value_or(true);
    b.taken |= b.known && holds.value_or(false);
    b.known &= holds.has_value();
  }

  // The next name, number or character, which is taken from the text.
  static std::string_view next(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t#"), text.size()));
    std::size_t end = 0;
    while (end < text.size() && in_identifier(text[end])) ++end;
    const std::string_view word = text.substr(0, std::max<std::size_t>(end, text.empty() ? 0 : 1));
    text.remove_prefix(word.size());
    return word;
  }
  static std::optional<bool> negated(std::optional<bool> x, bool negate) {
    return x.has_value() ? std::optional(*x != negate) : x;
  }
  void set(std::string_view name, bool defined) { names_[std::string(name)] = defined; }
  std::optional<bool> is_defined(std::string_view name) const {
    const auto known = names_.find(name);
    return known != names_.end() ? std::optional(known->second)
                                 : std::nullopt;  // else an option or a header may define it
  }
  // 0, 1, defined X, defined(X), !defined(X)
  std::optional<bool> value_of(std::string_view text) const {
    text = without_comment(text);
    std::string_view word = next(text);
    const bool negate = word == "!";
    if (negate) word = next(text);
    std::optional<bool> value;
    if (word == "0" || word == "1") value = word == "1";
    if (word == "defined") {
      word = next(text);
      const bool bracket = word == "(";
      value = is_defined(bracket ? next(text) : word);
      if (bracket) next(text);
    }
    return next(text).empty() ? negated(value, negate) : std::nullopt;
  }

  std::map<std::string, bool, std::less<>> names_;
  std::vector<branch> open_;
};

// Words without comments and literals.
class scanner {
 public:
  scanner(std::span<const std::string> lines, parsed_source& to) : to_(to) {
    conditions conditions_of_text;
    for (const std::string& text : lines) {
      ++line_;
      const bool begins = !in_comment_ && !continued_ && is_directive(text);
      const bool directive = !in_comment_ && (continued_ || begins);
      continued_ = directive && text.ends_with('\\');
      if (directive)
        to_.directives.emplace_back(text);
      else if (!conditions_of_text.left_out())
        read(text);
      if (begins) conditions_of_text.read(text);
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
