// SPDX-License-Identifier: Apache-2.0
#include "turns_of_loop.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "source_expression.hpp"

namespace simt {
namespace {

bool has_name(std::string_view expression, std::string_view name) {
  if (name.empty() || !begins_name(name.front())) return false;
  for (auto at = expression.find(name); at != std::string_view::npos; at = expression.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !in_identifier(expression[at - 1])) &&
        (end == expression.size() || !in_identifier(expression[end])))
      return true;
  }
  return false;
}

// Whether an assignment or step follows the word: i = 0, i += n, i++.
bool is_assigned(const parsed_source& source, std::size_t at) {
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < source.words.size() && source.words[i].text == text;
  };
  if (is(at + 1, "=")) return !is(at + 2, "=");
  const bool steps = is(at + 1, "+") || is(at + 1, "-") || is(at + 1, "*") || is(at + 1, "/");
  const bool shifts = (is(at + 1, ">") || is(at + 1, "<")) && is(at + 2, source.words[at + 1].text) && is(at + 3, "=");
  return shifts || (steps && (is(at + 2, "=") || is(at + 2, source.words[at + 1].text))) ||
         (at >= 2 && (is(at - 1, "+") || is(at - 1, "-")) && is(at - 2, source.words[at - 1].text));
}

}  // namespace

bool turns_share_memory(source_reader& sources, const finding& f, const access& inside, int loop_line) {
  const parsed_source& source = sources.statements_of(inside);
  for (const statement* s : statements_around(source, sources.position_of(inside))) {
    if (s->kind != statement_kind::loop || source.words[s->first].line != loop_line) continue;
    for (std::size_t i = s->head; i + 1 < s->head_end; ++i)
      for (const access* side : {&f.accesses[0], &f.accesses[1]})
        if (is_assigned(source, i) && has_name(sources.expression_of(*side), source.words[i].text)) return false;
  }
  return true;
}

bool turn_picks(source_reader& sources, const access& write, int loop_line) {
  const parsed_source& source = sources.statements_of(write);
  const auto& w = source.words;
  const auto around = statements_around(source, sources.position_of(write));
  const auto loop = std::ranges::find_if(
      around, [&](const statement* s) { return s->kind == statement_kind::loop && w[s->first].line == loop_line; });
  if (loop == around.end()) return true;
  std::set<std::string_view> counted;
  for (std::size_t i = (*loop)->first; i < (*loop)->end; ++i)
    if (begins_name(w[i].text.front()) && is_assigned(source, i)) counted.insert(w[i].text);
  const std::string written = sources.expression_of(write);
  if (std::ranges::any_of(counted, [&](std::string_view name) { return has_name(written, name); })) return true;
  return std::any_of(loop + 1, around.end(), [&](const statement* s) {
    if (s->kind != statement_kind::branch) return false;
    for (std::size_t i = s->head; i < s->head_end; ++i) {
      const bool below = w[i].text == "<" && i + 1 < s->head_end && counted.contains(w[i + 1].text);
      const bool above = w[i].text == ">" && i > s->head && counted.contains(w[i - 1].text);
      if (below || above || w[i].text == "%" || w[i].text == "&") return true;
    }
    return false;
  });
}

}  // namespace simt
