// SPDX-License-Identifier: Apache-2.0
#include <backends/sim/update_use.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace simt::sim {

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}
std::string_view last_word(std::string_view text) {
  std::size_t from = text.size();
  while (from > 0 && is_letter(text[from - 1])) --from;
  return text.substr(from);
}
// Without the bracket that the text ends with, and what is in it; as it is where that does not begin here.
std::string_view without_brackets(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')' || text[i] == ']') ++depth;
    if ((text[i] == '(' || text[i] == '[') && --depth == 0) return text.substr(0, i);
  }
  return text;
}

std::string_view without_blanks_around(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  return without_blanks_behind(text);
}
// The argument of that number, from 0; empty: it does not end in this text.
std::string_view argument_of(std::string_view call, std::size_t number) {
  int depth = 0;
  std::size_t now = 0, from = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const char c = call[i];
    const bool closes = c == ')' || c == ']' || c == '}';
    if (closes && --depth == 0 && c == ')') return now == number ? call.substr(from, i - from) : std::string_view();
    if (c == '(' || c == '[' || c == '{') {
      if (++depth == 1) from = i + 1;
    } else if (c == ',' && depth == 1) {
      if (now++ == number) return call.substr(from, i - from);
      from = i + 1;
    }
  }
  return {};
}

// A RED can add, compare and do bits, but not exchange.
bool can_be_reduction(std::string_view name) {
  constexpr std::array kNo = {"CAS", "cas", "Exch", "exch", "compare"};
  return std::ranges::none_of(kNo, [&](const char* no) { return name.find(no) != std::string_view::npos; });
}

}  // namespace

bool result_is_unused(const std::vector<std::string>& lines, int line, int column) {
  if (line < 1 || column < 1 || static_cast<std::size_t>(line) > lines.size()) return false;
  const std::string& own = lines[static_cast<std::size_t>(line - 1)];
  const auto at = static_cast<std::size_t>(column - 1);
  if (at >= own.size()) return false;
  std::size_t end = at;
  while (end < own.size() && is_letter(own[end])) ++end;
  if (!can_be_reduction(std::string_view(own).substr(at, end - at))) return false;
  std::string before;
  for (int i = std::max(line - 20, 1); i < line; ++i) {
    const std::string& text = lines[static_cast<std::size_t>(i - 1)];
    before += text.substr(0, text.find("//")) + "\n";
  }
  before += own.substr(0, at);
  std::string_view text = without_blanks_behind(before);
  // The object of a member function, and names of namespaces.
  for (;;) {
    if (text.ends_with(".")) {
      text.remove_suffix(1);
    } else if (text.ends_with("->") || text.ends_with("::")) {
      text.remove_suffix(2);
    } else {
      break;
    }
    text = without_blanks_behind(text);
    while (text.ends_with(")") || text.ends_with("]")) text = without_blanks_behind(without_brackets(text));
    if (text.ends_with(">")) text = without_blanks_behind(text.substr(0, text.rfind('<')));  // cuda::atomic_ref<int>(x)
    text.remove_suffix(last_word(text).size());
    text = without_blanks_behind(text);
  }
  if (text.empty() || std::string_view(";{}").find(text.back()) != std::string_view::npos) return true;
  if (const std::string_view word = last_word(text); word == "else" || word == "do") return true;
  if (!text.ends_with(")")) return false;
  if (text.ends_with("(void)")) return true;
  const std::string_view word = last_word(without_blanks_behind(without_brackets(text)));
  return word == "if" || word == "for" || word == "while";
}

bool adds_one(const std::vector<std::string>& lines, int line, int column) {
  if (line < 1 || column < 1 || static_cast<std::size_t>(line) > lines.size()) return false;
  const std::string_view text = lines[static_cast<std::size_t>(line - 1)];
  const auto at = static_cast<std::size_t>(column - 1);
  if (at >= text.size()) return false;
  const std::string_view call = text.substr(at);
  if (!call.starts_with("atomicAdd") && !call.starts_with("atomic_add")) return false;
  const std::string_view value = without_blanks_around(argument_of(call, 1));
  return value == "1" || value == "1u" || value == "1U";
}

}  // namespace simt::sim
