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

}  // namespace

std::string name_by_caller(source_reader& sources, const access& allocates, const access& calls,
                           std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of("*&"), name.size()));
  const std::span<const source_word> helper = function_at(sources, allocates);
  if (name.empty() || !std::ranges::all_of(name, in_identifier) || !declares_pointer(helper, name)) return {};
  const std::string_view called = plain_name(allocates.function);
  const auto& words = sources.statements_of(calls).words;
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    if (words[i].line != calls.line || words[i].text != called) continue;
    if (words[i + 1].text != "(" && words[i + 1].text != "<") continue;
    std::size_t before = i - 1;
    while (before > 1 && words[before].text == ":") before -= words[before - 1].text == ":" ? 3 : 1;  // N::make
    if (returns(helper, name) && words[before].text == "=" && begins_name(words[before - 1].text.front()))
      return std::string(words[before - 1].text);
    if (returns(helper, name)) return {};
    for (std::size_t at = i; at + 1 < words.size() && words[at].text != ";"; ++at) {
      const bool is_argument = words[at].text == "&" &&
                               (words[at - 1].text == "(" || words[at - 1].text == "," || words[at - 1].text == ")");
      if (is_argument && begins_name(words[at + 1].text.front())) return std::string(words[at + 1].text);
    }
    return {};
  }
  return {};
}

}  // namespace simt
