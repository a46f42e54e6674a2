// SPDX-License-Identifier: Apache-2.0
#include "allocated_name.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "function_name.hpp"
#include "source_expression.hpp"

namespace simt {
namespace {

// The words of the innermost function around the place, its head included; empty: there is none.
std::span<const source_word> function_at(source_reader& sources, const access& a) {
  const parsed_source& source = sources.statements_of(a);
  const std::vector<const statement*> around = statements_around(source, sources.position_of(a));
  for (std::size_t i = around.size(); i-- > 1;)
    if (around[i]->kind == statement_kind::block && around[i - 1]->kind == statement_kind::other)
      return std::span(source.words).subspan(around[i - 1]->first, around[i - 1]->end - around[i - 1]->first);
  return {};
}

// T* name, in the head or the body: a local name. Of the members and variables of others the function has no such text.
bool declares_pointer(std::span<const source_word> function, std::string_view name) {
  for (std::size_t i = 2; i + 1 < function.size(); ++i) {
    const std::string_view behind = function[i + 1].text;
    const bool ends = behind == ";" || behind == "," || behind == ")" || behind == "=" || behind == "{";
    if (function[i].text == name && function[i - 1].text == "*" && ends) return true;
  }
  return false;
}

bool returns(std::span<const source_word> function, std::string_view name) {
  for (std::size_t i = 0; i + 1 < function.size(); ++i)
    if (function[i].text == "return" && function[i + 1].text == name) return true;
  return false;
}

// "mass" of mass = make(), "layer[k]" of layer[k] = make(), "net.w" of net.w = make(): what stands before word `equals`
// of that line. Empty: it is more than a name.
std::string assigned_before(const std::vector<source_word>& words, std::size_t equals) {
  std::size_t first = equals;
  for (bool more = true; more && first > 0;) {
    for (int depth = 0; first > 0;) {  // subscripts
      const std::string_view text = words[first - 1].text;
      depth += text == "]" ? 1 : text == "[" ? -1 : 0;
      if (depth == 0 && text != "[") break;
      --first;
    }
    if (first == 0 || !begins_name(words[first - 1].text.front())) return {};
    --first;
    const bool dot = first > 1 && words[first - 1].text == ".";
    const bool arrow = first > 2 && words[first - 1].text == ">" && words[first - 2].text == "-";
    more = dot || arrow;
    first -= dot ? 1 : arrow ? 2 : 0;
  }
  std::string out;
  for (std::size_t i = first; i < equals; ++i) out += words[i].text;
  return words[first].line == words[equals].line ? out : std::string();
}

// The word of the call in its line: of several calls of one function, the one at the column.
std::size_t word_of_call(const std::vector<source_word>& words, const access& calls, std::string_view called) {
  std::size_t found = words.size();
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    if (words[i].line != calls.line || words[i].text != called) continue;
    if (words[i + 1].text != "(" && words[i + 1].text != "<") continue;
    if (found == words.size() || words[i].column <= calls.column) found = i;
    if (words[i].column >= calls.column) break;
  }
  return found;
}

}  // namespace

std::string name_of_vector(source_reader& sources, const access& makes) {
  const auto& words = sources.statements_of(makes).words;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const source_word& w = words[i];
    if (w.line != makes.line || w.column != makes.column || !begins_name(w.text.front())) continue;
    const std::string_view before = words[i - 1].text, behind = words[i + 1].text;
    const bool declared = (before == ">" || before == "," || begins_name(before.front())) &&
                          (behind == "(" || behind == "{" || behind == "=" || behind == ";" || behind == ",");
    if (declared && before != "return" && before != "new") return std::string(w.text);
    return before == "." ? assigned_before(words, i - 1) : std::string();
  }
  return {};
}

std::string name_by_caller(source_reader& sources, const access& allocates, const access& calls,
                           std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of("*&"), name.size()));
  const std::span<const source_word> helper = function_at(sources, allocates);
  if (name.empty() || !std::ranges::all_of(name, in_identifier) || !declares_pointer(helper, name)) return {};
  const std::string_view called = plain_name(allocates.function);
  const auto& words = sources.statements_of(calls).words;
  const std::size_t call = word_of_call(words, calls, called);
  if (call == words.size()) return {};
  std::size_t before = call - 1;
  while (before > 1 && words[before].text == ":") before -= words[before - 1].text == ":" ? 3 : 1;  // N::make
  if (returns(helper, name)) return words[before].text == "=" ? assigned_before(words, before) : std::string();
  for (std::size_t at = call; at + 1 < words.size() && words[at].text != ";"; ++at) {
    const bool is_argument =
        words[at].text == "&" && (words[at - 1].text == "(" || words[at - 1].text == "," || words[at - 1].text == ")");
    if (!is_argument || !begins_name(words[at + 1].text.front())) continue;
    std::size_t end = at + 1;  // &layer[k], &net.w
    for (int depth = 0; end < words.size(); ++end) {
      const std::string_view text = words[end].text;
      depth += text == "[" || text == "(" ? 1 : text == "]" || text == ")" ? -1 : 0;
      if (depth < 0 || (depth == 0 && (text == "," || text == ";"))) break;
    }
    return end < words.size() ? assigned_before(words, end) : std::string();
  }
  return {};
}

}  // namespace simt
