// SPDX-License-Identifier: Apache-2.0
#include "combining.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "source_expression.hpp"

namespace simt {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// One past the bracket that closes what opens at `open`; npos: it does not close here.
std::size_t after_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if ((text[i] == ')' || text[i] == ']') && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// Parts between commas that stand in no bracket.
std::vector<std::string_view> arguments_of(std::string_view list) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size()) depth += list[i] == '(' || list[i] == '[' ? 1 : list[i] == ')' || list[i] == ']' ? -1 : 0;
    if (i < list.size() && (depth > 0 || list[i] != ',')) continue;
    out.push_back(trimmed(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

// Whether no other operator than those stands in `text` outside of brackets.
bool has_only(std::string_view text, std::string_view operators) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth < 0) return false;
    const bool is_operator = std::string_view("+-*/%&|^<>=!?:,;").find(c) != std::string_view::npos;
    if (depth == 0 && is_operator && operators.find(c) == std::string_view::npos) return false;
  }
  return !text.empty() && depth == 0;
}

struct sign {
  char symbol;
  std::string_view operation, beside;  // operators that its operand may have
  bool commutes;
};
constexpr std::array<sign, 5> kSigns = {{
    {'+', "+=", "+-*/%", true},
    {'-', "-=", "*/%", false},
    {'|', "|=", "+-*/%<>", true},
    {'&', "&=", "+-*/%<>", true},
    {'^', "^=", "+-*/%<>", true},
}};

combination by_sign(std::string_view value, std::string_view held) {
  for (const sign& s : kSigns) {
    if (value.starts_with(held)) {
      const std::string_view rest = trimmed(value.substr(held.size()));
      if (rest.size() > 1 && rest[0] == s.symbol && has_only(trimmed(rest.substr(1)), s.beside))
        return {std::string(s.operation), std::string(trimmed(rest.substr(1)))};
    }
    if (s.commutes && value.ends_with(held)) {
      const std::string_view rest = trimmed(value.substr(0, value.size() - held.size()));
      if (rest.size() > 1 && rest.back() == s.symbol && has_only(trimmed(rest.substr(0, rest.size() - 1)), "*/%"))
        return {std::string(s.operation), std::string(trimmed(rest.substr(0, rest.size() - 1)))};
    }
  }
  return {};
}

combination by_function(std::string_view value, std::string_view held) {
  if (value.starts_with("std::")) value.remove_prefix(5);
  const auto open = value.find('(');
  if (open == std::string_view::npos || after_bracket(value, open) != value.size()) return {};
  const std::string_view name = value.substr(0, open);
  const bool larger = name == "max" || name == "fmax" || name == "fmaxf";
  if (!larger && name != "min" && name != "fmin" && name != "fminf") return {};
  const std::vector<std::string_view> given = arguments_of(value.substr(open + 1, value.size() - open - 2));
  if (given.size() != 2) return {};
  const std::string_view operation = larger ? ">" : "<";
  if (names_same_word(given[0], held)) return {std::string(operation), std::string(given[1])};
  if (names_same_word(given[1], held)) return {std::string(operation), std::string(given[0])};
  return {};
}

// What a pointer points to, as the kernel would write it.
std::string pointed_to(std::string_view pointer) {
  if (pointer.starts_with('&')) return std::string(without_brackets(trimmed(pointer.substr(1))));
  const auto plus = pointer.find(" + ");
  if (plus != std::string_view::npos && has_only(pointer, "+"))
    return std::string(pointer.substr(0, plus)) + "[" + std::string(pointer.substr(plus + 3)) + "]";
  return "*" + std::string(pointer);
}

}  // namespace

combination combined(std::string_view value, std::string_view held) {
  value = without_brackets(trimmed(value));
  if (held.empty()) return {};
  const combination found = by_sign(value, held);
  return found.operation.empty() ? by_function(value, held) : found;
}

atomic_text atomic_in(std::string_view line, int column) {
  line = without_comment(line);
  const auto begins = [&](std::size_t at) { return at == 0 || !in_identifier(line[at - 1]); };
  std::size_t at = line.find("atomic", column > 0 ? static_cast<std::size_t>(column) - 1 : 0);
  if (at == std::string_view::npos) at = line.find("atomic");
  while (at != std::string_view::npos && !begins(at)) at = line.find("atomic", at + 1);
  if (at == std::string_view::npos) return {};
  const auto open = line.find('(', at);
  const std::size_t end = open == std::string_view::npos ? open : after_bracket(line, open);
  if (end == std::string_view::npos) return {};
  const std::string_view name = line.substr(at, open - at);
  const bool in_api = name.find('_') != std::string_view::npos && name.find("_block") == std::string_view::npos &&
                      name.find("_system") == std::string_view::npos;
  if (!std::ranges::all_of(name, in_identifier)) return {};
  const std::vector<std::string_view> given = arguments_of(line.substr(open + 1, end - open - 2));
  return {std::string(line.substr(at, end - at)), in_api ? std::string(given[0]) : pointed_to(given[0])};
}

bool names_same_word(std::string_view a, std::string_view b) {
  const auto plain = [](std::string_view text) {
    std::string out = without_blanks(without_brackets(trimmed(text)));
    if (out.ends_with("[0]")) out = "*" + out.substr(0, out.size() - 3);
    return out;
  };
  return plain(a) == plain(b);
}

std::string_view without_brackets(std::string_view text) {
  while (text.starts_with('(') && after_bracket(text, 0) == text.size())
    text = trimmed(text.substr(1, text.size() - 2));
  return text;
}

bool is_constant(std::string_view value) {
  value = trimmed(value);
  if (value.starts_with('-')) value.remove_prefix(1);
  if (value == "true" || value == "false" || value == "nullptr" || value.starts_with('\'')) return true;
  return !value.empty() && std::isdigit(static_cast<unsigned char>(value[0])) != 0 &&
         std::ranges::all_of(value, [](char c) { return in_identifier(c) || c == '.'; });
}

}  // namespace simt
