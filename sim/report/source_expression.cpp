// SPDX-License-Identifier: Apache-2.0
#include "source_expression.hpp"

#include <algorithm>
#include <cctype>

namespace simt {
namespace {

// The operator that changes something, if `text` begins with one: =, +=, <<=, ++ and the like.
std::string_view changing_operator(std::string_view text) {
  for (const std::string_view o : {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"})
    if (text.starts_with(o)) return text.substr(0, o.size());
  return text.starts_with('=') && !text.starts_with("==") ? text.substr(0, 1) : std::string_view();
}

// The last place in front of `end` that is no blank; npos: there is none.
std::size_t last_before(std::string_view line, std::size_t end) { return line.substr(0, end).find_last_not_of(" \t"); }

// Where the operand that ends at `end` begins: s[i].x of 2 * s[i].x.
std::size_t begin_of_operand(std::string_view line, std::size_t end) {
  std::size_t begin = end;
  for (int depth = 0; begin > 0; --begin) {
    const char c = line[begin - 1];
    if (c == ']' || c == ')') {
      // What stands in front of a bracket that is a condition's or a cast's is not part of the operand.
      if (depth == 0 && begin < end && in_identifier(line[begin])) break;
      ++depth;
    } else if (c == '[' || c == '(') {
      if (--depth < 0) break;
    } else if (depth == 0 && !in_identifier(c) && c != '.') {
      const bool arrow = begin > 1 && (c == '>' ? line[begin - 2] == '-' : c == '-' && line[begin] == '>');
      if (!arrow) break;
    }
  }
  return begin;
}

// The word that ends with the character at `last`; empty: that is no part of one.
std::string_view word_up_to(std::string_view line, std::size_t last) {
  std::size_t begin = last + 1;
  while (begin > 0 && in_identifier(line[begin - 1])) --begin;
  return line.substr(begin, last + 1 - begin);
}

// Behind these words a statement begins.
bool begins_statement(std::string_view word) { return word == "else" || word == "do"; }

// Takes in the stars in front that dereference.
std::size_t with_stars(std::string_view line, std::size_t begin) {
  std::size_t first = begin;
  while (first > 0 && line[first - 1] == '*') --first;
  if (first == begin) return begin;
  const std::size_t before = last_before(line, first);
  if (before == std::string_view::npos) return first;
  const std::string_view word = word_up_to(line, before);
  const bool is_keyword = begins_statement(word) || word == "return" || word == "case" || word == "throw";
  const bool multiplies = (!word.empty() && !is_keyword) || line[before] == ']' || line[before] == '.';
  return multiplies ? begin : first;
}

// Takes in a cast to a pointer that a star in front dereferences: *(volatile int*)lock.
std::size_t with_cast(std::string_view line, std::size_t begin) {
  const std::size_t close = last_before(line, begin);
  if (close == std::string_view::npos || line[close] != ')') return begin;
  const std::size_t open = line.substr(0, close).rfind('('), star = last_before(line, close);
  const bool is_one =
      open != std::string_view::npos && open > 0 && line[open - 1] == '*' && star > open && line[star] == '*';
  return is_one ? open : begin;
}

// One past a name with the members, subscripts and arguments behind it.
std::size_t end_of_operand(std::string_view line, std::size_t at) {
  for (;;) {
    while (at < line.size() && in_identifier(line[at])) ++at;
    at = after_subscripts(line, at);
    const std::string_view rest = line.substr(at);
    const std::size_t step = rest.starts_with("->") ? 2 : rest.starts_with('.') ? 1 : 0;
    if (step == 0 || step >= rest.size() || !begins_name(rest[step])) return at;
    at += step;
  }
}

text_range operand_behind(std::string_view line, std::size_t at) {
  std::size_t name = at;
  while (name < line.size() && line[name] == '*') ++name;
  if (name >= line.size() || !begins_name(line[name])) return {};
  return {at, end_of_operand(line, name)};
}

text_range operand_before(std::string_view line, std::size_t at) {
  const std::size_t last = last_before(line, at);
  if (last == std::string_view::npos) return {};
  const std::size_t begin = begin_of_operand(line, last + 1);
  return begin == last + 1 ? text_range() : text_range{with_stars(line, with_cast(line, begin)), last + 1};
}

bool is_step(std::string_view operation) { return operation == "++" || operation == "--"; }

text_range changed_by(std::string_view line, std::size_t at, std::string_view operation) {
  const text_range before = operand_before(line, at);
  return before.end == 0 && is_step(operation) ? operand_behind(line, at + operation.size()) : before;
}

// Up to the end of the statement, or of the bracket around it; gives whether that was found.
bool take_operand(std::string& to, std::string_view text) {
  int depth = 0;
  for (const char c : to) depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ';' || depth < 0 || (depth == 0 && c == ',')) return true;
    to += c;
  }
  return false;
}

void trim(std::string& text) {
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  text.erase(text.find_last_not_of(" \t") + 1);
}

}  // namespace

bool in_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool begins_name(char c) { return in_identifier(c) && std::isdigit(static_cast<unsigned char>(c)) == 0; }

std::size_t after_subscripts(std::string_view line, std::size_t at) {
  while (at < line.size() && (line[at] == '[' || line[at] == '(')) {
    int depth = 0;
    std::size_t i = at;
    for (; i < line.size(); ++i) {
      if (line[i] == '[' || line[i] == '(') ++depth;
      if ((line[i] == ']' || line[i] == ')') && --depth == 0) break;
    }
    if (i == line.size()) return at;
    at = i + 1;
  }
  return at;
}

bool assigned(std::string_view line, std::size_t end) {
  const auto at = line.find_first_not_of(' ', end);
  return at != std::string_view::npos && !changing_operator(line.substr(at)).empty();
}

std::string without_blanks(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t'; });
  return out;
}

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find("//")); }

// Of cuda::memcpy_async, whose first word stands at `at`: where the last one begins.
static std::size_t behind_scopes(std::string_view line, std::size_t at) {
  for (std::size_t end = at;;) {
    while (end < line.size() && in_identifier(line[end])) ++end;
    if (!line.substr(end).starts_with("::") || end + 2 >= line.size() || !begins_name(line[end + 2])) return at;
    end = at = end + 2;
  }
}

text_range accessed_at(std::string_view line, int column) {
  if (column < 1 || static_cast<std::size_t>(column) > line.size()) return {};
  std::size_t at = static_cast<std::size_t>(column) - 1;
  if (const std::string_view o = changing_operator(line.substr(at)); !o.empty()) return changed_by(line, at, o);
  if (line[at] == '*') return with_stars(line, at + 1) <= at ? operand_behind(line, at) : text_range();
  if (line[at] == '-' && line.substr(at).starts_with("->")) at += 2;
  if (line[at] == '[' || line[at] == '.' || line[at] == '(') {  // of a call that was inlined: of a view, say
    const text_range before = operand_before(line, at);
    return before.end != at ? text_range() : text_range{before.begin, end_of_operand(line, at)};
  }
  if (at >= line.size() || !in_identifier(line[at])) return {};
  while (at > 0 && in_identifier(line[at - 1])) --at;
  if (!begins_name(line[at])) return {};
  return {begin_of_operand(line, at), end_of_operand(line, behind_scopes(line, at))};
}

namespace {

update_text change_in(std::string_view line, int column, bool of_assignment) {
  update_text found;
  if (column < 1 || static_cast<std::size_t>(column) > line.size()) return found;
  const std::size_t at = static_cast<std::size_t>(column) - 1;
  const std::string_view o = changing_operator(line.substr(at));
  if (o.empty() || (o == "=") != of_assignment) return found;
  const text_range target = changed_by(line, at, o);
  if (target.end == 0) return found;
  found.target = line.substr(target.begin, target.end - target.begin);
  found.operation = o;
  found.is_prefix = target.begin > at;
  const std::size_t before = last_before(line, std::min(target.begin, at));
  const bool is_label = before != std::string_view::npos && line[before] == ':' &&
                        line.substr(0, before).find('?') == std::string_view::npos;  // default: --n;
  found.is_used = before != std::string_view::npos && !is_label &&
                  std::string_view(";{})").find(line[before]) == std::string::npos &&
                  !begins_statement(word_up_to(line, before));
  if (is_step(o)) return found;
  found.is_whole = take_operand(found.operand, without_comment(line.substr(at + o.size())));
  trim(found.operand);
  return found;
}

}  // namespace

update_text update_in(std::string_view line, int column) { return change_in(line, column, false); }
update_text assignment_in(std::string_view line, int column) { return change_in(line, column, true); }

void continue_operand(update_text& update, std::string_view line) {
  std::string text = " ";
  text += without_comment(line);
  update.is_whole = take_operand(update.operand, text);
  trim(update.operand);
}

}  // namespace simt
