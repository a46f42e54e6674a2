// SPDX-License-Identifier: Apache-2.0
#include "enclosing_loop.hpp"

#include <algorithm>

namespace simt {
namespace {

bool has(const parsed_source& source, const statement& s, text_position at) {
  return holds(source, s.first, s.end, at);
}

bool says_sync(const parsed_source& source, std::size_t first, std::size_t end) {
  const auto words = std::span(source.words).subspan(first, end - first);
  return std::ranges::any_of(words, [](const source_word& w) { return w.text.find("sync") != std::string_view::npos; });
}

// In every turn: not in a branch, nor in a loop or a lambda that may not run.
bool always_synchronizes(const parsed_source& source, const statement& s) {
  if (s.kind == statement_kind::block)
    return std::ranges::any_of(s.parts, [&](const statement& part) { return always_synchronizes(source, part); });
  if (s.kind == statement_kind::branch)
    return s.parts.size() == 2 &&
           std::ranges::all_of(s.parts, [&](const statement& part) { return always_synchronizes(source, part); });
  return says_sync(source, s.first, s.end);
}

}  // namespace

loop_lines lines_of_loop(const parsed_source& source, const statement& loop) {
  if (loop.parts.empty()) return {};
  const statement& body = loop.parts.front();
  const auto words = std::span(source.words).subspan(body.first, body.end - body.first);
  return {source.words[loop.first].line, words.front().line, words.back().line, always_synchronizes(source, body)};
}

loop_lines enclosing_loop(const parsed_source& source, text_position at, text_position other) {
  const statement* innermost = nullptr;
  for (const statement* s : statements_around(source, at))
    if (s->kind == statement_kind::loop && !s->parts.empty() && has(source, s->parts.front(), at) &&
        has(source, s->parts.front(), other))
      innermost = s;
  return innermost == nullptr ? loop_lines() : lines_of_loop(source, *innermost);
}

int enclosing_branch(const parsed_source& source, text_position at, text_position other) {
  int line = 0;
  for (const statement* s : statements_around(source, at)) {
    if (s->kind != statement_kind::branch) continue;
    for (const statement& part : s->parts)
      if (has(source, part, at) && !has(source, part, other)) line = source.words[s->first].line;
  }
  return line;
}

}  // namespace simt
