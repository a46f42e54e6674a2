// SPDX-License-Identifier: Apache-2.0
#include "ptx_statement.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace simt::cuda_source {

namespace {

// The value of adjacent string literals (ordinary ones).
std::string unquoted(std::string_view literal) {
  std::string s;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      s += literal[i];
      continue;
    }
    const char c = literal[++i];
    s += c == 'n' || c == 't' || c == 'r' ? ' ' : c;
  }
  return s;
}

}  // namespace

std::string trimmed(std::string s) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!s.empty() && space(s.back())) s.pop_back();
  while (!s.empty() && space(s.front())) s.erase(s.begin());
  return s;
}

std::vector<std::string> split_operands(const std::string& s, char at) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : s) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == at && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& p : parts) p = trimmed(p);
  return parts;
}

std::optional<asm_statement> read_asm_statement(const unit& u, position p) {
  position q = u.next(p);
  while (u.at(q).is("volatile") || u.at(q).is("__volatile__") || u.at(q).is("inline")) q = u.next(q);
  if (!u.at(q).is("(") || u.mate(q) == kNowhere) return {};
  asm_statement s;
  s.end = u.mate(q);
  for (q = u.next(q); q < s.end && u.at(q).kind == token_kind::text; q = u.next(q))
    s.text += unquoted(u.at(q).text) + " ";
  int colons = 0;
  for (; q < s.end; q = u.next(q)) {
    if (u.at(q).is(":") || u.at(q).is("::")) {
      colons += u.at(q).is("::") ? 2 : 1;
      continue;
    }
    if (colons > 2 || !u.at(q).is("(") || u.mate(q) == kNowhere) continue;
    std::string expression;
    for (position r = q; r <= u.mate(q); r = u.next(r)) {
      const auto edit = u.edits.find(r);
      const bool edited = edit != u.edits.end();
      expression += std::string(u.at(r).space) + (edited ? edit->second.before : "") +
                    (edited && edit->second.replacement ? *edit->second.replacement : std::string(u.at(r).text)) +
                    (edited ? edit->second.after : "");
    }
    s.operands.push_back(expression);
    q = u.mate(q);
  }
  return s;
}

bool is_statement_of_kernel(const unit& u, position p) {
  const device_function* const f = u.function_at(p);
  if (f == nullptr || !f->global) return false;
  for (position q = u.previous(p); q != kNowhere && q > f->body; q = u.previous(q)) {
    if ((u.at(q).is("}") || u.at(q).is(")") || u.at(q).is("]")) && u.mate(q) != kNowhere) {
      q = u.mate(q);
      continue;
    }
    if (!u.at(q).is("{")) continue;  // else it is a block around `p`
    position head = u.previous(q);
    if (u.at(head).is(")")) head = u.previous(u.mate(head));
    constexpr std::array kBefore = {"if", "for", "while", "switch", "constexpr", "else",
                                    "do", "try", "{",     "}",      ";",         ":"};
    if (std::ranges::none_of(kBefore, [&](const char* w) { return u.at(head).is(w); })) return false;
  }
  return true;
}

std::string cpp_type(std::string_view t) {
  constexpr std::array<std::array<const char*, 2>, 20> kTypes{{{"pred", "bool"},
                                                               {"b8", "std::uint8_t"},
                                                               {"u8", "std::uint8_t"},
                                                               {"s8", "std::int8_t"},
                                                               {"b16", "std::uint16_t"},
                                                               {"u16", "std::uint16_t"},
                                                               {"s16", "std::int16_t"},
                                                               {"b32", "std::uint32_t"},
                                                               {"u32", "std::uint32_t"},
                                                               {"s32", "std::int32_t"},
                                                               {"b64", "std::uint64_t"},
                                                               {"u64", "std::uint64_t"},
                                                               {"s64", "std::int64_t"},
                                                               {"f32", "float"},
                                                               {"f64", "double"},
                                                               {"f16", "::simt_cuda::ptx::f16"},
                                                               {"bf16", "::simt_cuda::ptx::bf16"},
                                                               {"f16x2", "::simt_cuda::ptx::f16x2"},
                                                               {"bf16x2", "::simt_cuda::ptx::bf16x2"},
                                                               {"f32x2", "::simt_cuda::ptx::f32x2"}}};
  for (const auto& [name, type] : kTypes)
    if (t == name) return type;
  return {};
}

}  // namespace simt::cuda_source
