// SPDX-License-Identifier: Apache-2.0
// Identifiers that became keywords with C++20. Sources are compiled as C++20, so where the grammar shows that such a
// word is a name, it gets another one. Programs that use C++20 without asking for it keep their keywords.
#include <string>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

bool is_any_of(const token& t, std::initializer_list<const char*> words) {
  for (const char* w : words)
    if (t.is(w)) return true;
  return false;
}

// Before a name that is declared, or a member's.
bool makes_a_name(const token& before) {
  if (is_any_of(before, {"*", "&", ".", "->", "::"})) return true;
  return before.is_name() &&
         !is_any_of(before, {"const", "noexcept", "override", "final", "return", "requires", "else", "do", "volatile",
                             "case", "template", "static", "inline", "constexpr"});
}

bool begins_operand(const token& t) {
  return t.is_name() || t.kind == token_kind::number || t.kind == token_kind::text ||
         is_any_of(t, {"(", "{", "[", "!", "::", "~", "*", "&", "-"});
}

// Whether the word at p is C++20's.
bool is_keyword(const unit& u, position p) {
  const token& t = u.at(p);
  const position previous = u.previous(p);
  const token& before = previous == kNowhere ? u.at(u.tokens.size() - 1) : u.at(previous);
  const token& behind = u.at(u.next(p));
  if (t.is("concept")) return before.is(">") && behind.is_name();
  if (makes_a_name(before)) return false;
  if (t.is("consteval") || t.is("constinit")) return behind.is_name();
  if (t.is("co_return") && behind.is(";")) return true;
  if (t.is("requires")) return begins_operand(behind) && !is_any_of(behind, {"*", "&", "-", "["});
  return begins_operand(behind);
}

}  // namespace

void rename_newer_words(unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name() ||
        !is_any_of(t, {"concept", "requires", "consteval", "constinit", "co_await", "co_yield", "co_return"}))
      continue;
    if (!is_keyword(u, p)) u.rename(p, std::string(t.text) + "_before_cpp20");
  }
}

}  // namespace simt::cuda_source
