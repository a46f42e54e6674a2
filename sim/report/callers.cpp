// SPDX-License-Identifier: Apache-2.0
#include "callers.hpp"

#include <string>
#include <string_view>

#include "function_name.hpp"

namespace simt {
namespace {

constexpr int kMostCalls = 8;  // calls that are followed outwards

bool is(const parsed_source& source, std::size_t at, std::string_view text) {
  return at < source.words.size() && source.words[at].text == text;
}

// Whether the word at `at` is the name of a function that is defined there: f(...) {
const statement* definition_at(const parsed_source& source, std::size_t at) {
  for (const statement& s : source.statements)
    if (s.kind == statement_kind::other && !s.parts.empty() && s.first <= at && at < s.parts.front().first) return &s;
  return nullptr;
}

// The name of the function at namespace scope that holds the word; empty: there is none.
std::string_view function_around(const parsed_source& source, std::size_t at) {
  for (const statement& s : source.statements) {
    if (s.kind != statement_kind::other || s.parts.empty() || at < s.parts.front().first || at >= s.end) continue;
    for (std::size_t i = s.first; i + 1 < s.parts.front().first; ++i)
      if (is(source, i + 1, "(") && !source.words[i].text.starts_with("__")) return source.words[i].text;
  }
  return {};
}

// The place of the only call; npos: there are several, or none.
std::size_t only_call(const parsed_source& source, std::string_view name) {
  std::size_t found = std::string::npos;
  for (std::size_t i = 0; i + 1 < source.words.size(); ++i) {
    if (source.words[i].text != name || definition_at(source, i) != nullptr) continue;
    if (function_around(source, i).empty()) continue;  // a declaration
    if (found != std::string::npos) return std::string::npos;
    found = i;
  }
  return found;
}

}  // namespace

void name_callers(source_reader& sources, access& a, std::string_view kernel) {
  if (a.agent != actor::thread || a.line < 1 || !a.stack.empty()) return;
  const std::string_view outermost = plain_name(kernel);
  const parsed_source& source = sources.statements_of(a);
  std::string_view inner = plain_name(a.function);
  std::vector<stack_frame> calls;
  while (inner != outermost) {
    const std::size_t call = calls.size() < kMostCalls ? only_call(source, inner) : std::string::npos;
    if (call == std::string::npos) return;
    inner = function_around(source, call);
    calls.push_back({std::string(inner), a.file, source.words[call].line});
  }
  a.stack = std::move(calls);
}

}  // namespace simt
