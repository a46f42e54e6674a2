// SPDX-License-Identifier: Apache-2.0
// Values flow from names to names by assignments, until nothing is added. What lies in memory that threads share does
// not count: a branch on it is one that all of them take.
#include "varying_names.hpp"

#include <algorithm>
#include <array>

#include "source_expression.hpp"

namespace simt {
namespace {

using words = std::vector<source_word>;

bool is(const words& w, std::size_t at, std::string_view text) { return at < w.size() && w[at].text == text; }

bool is_name(const words& w, std::size_t at) { return at < w.size() && begins_name(w[at].text[0]); }

// The bracket that opens what closes at `at`.
std::size_t opening(const words& w, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at + 1; i-- > 0;) {
    const std::string_view t = w[i].text;
    if (t == ")" || t == "]" || t == "}") ++depth;
    if ((t == "(" || t == "[" || t == "{") && --depth == 0) return i;
  }
  return 0;
}

bool touch(const words& w, std::size_t at) {
  return at + 1 < w.size() && w[at].line == w[at + 1].line && w[at].column + 1 == w[at + 1].column;
}

// An '=' that assigns, be it the end of += or <<=.
bool assigns(const words& w, std::size_t at) {
  if (!is(w, at, "=") || (is(w, at + 1, "=") && touch(w, at))) return false;
  if (at == 0 || !touch(w, at - 1)) return true;
  const std::string_view before = w[at - 1].text;
  const bool shift = (before == "<" || before == ">") && at > 1 && is(w, at - 2, before) && touch(w, at - 2);
  return shift || (before != "=" && before != "!" && before != "<" && before != ">");
}

// What has an own value in each thread by itself.
constexpr std::array<std::string_view, 6> kMembers = {"lane", "rank", "grid", "warp", "thread", "thread_rank"};
constexpr std::array<std::string_view, 5> kMembersOfBlock = {"block", "block_index", "block_rank", "group_index",
                                                             "block_linear"};

template <class List>
bool any(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

}  // namespace

varying_names::varying_names(const parsed_source& source, const statement& function, threads_of whose)
    : source_(source), whose_(whose) {
  for (const std::string_view line : source.directives) {  // #define TID threadIdx.x
    const auto define = line.find("define ");
    const auto value = line.find("threadIdx");
    if (define == std::string_view::npos || value == std::string_view::npos) continue;
    const std::size_t begin = line.find_first_not_of(' ', define + 7);
    std::size_t end = begin;
    while (end < line.size() && in_identifier(line[end])) ++end;
    names_.insert(line.substr(begin, end - begin));
  }
  for (std::size_t i = function.first; i < function.end; ++i) {
    if (!is(source.words, i, "__shared__")) continue;
    // A name stands in front of a subscript, of a comma between two declarators, or of the end.
    int depth = 0;
    for (std::size_t at = i + 1; at < function.end && !is(source.words, at - 1, ";"); ++at) {
      const std::string_view t = source.words[at].text;
      const bool ends_name =
          depth == 0 && (t == ";" || t == "[" || t == "," || t == "=") && is_name(source.words, at - 1);
      if (ends_name) shared_.insert(source.words[at - 1].text);
      depth += t == "(" || t == "[" || t == "{" || t == "<" ? 1 : t == ")" || t == "]" || t == "}" || t == ">" ? -1 : 0;
    }
  }
  do {
    changed_ = false;
    visit(function, 0);
  } while (changed_);
}

bool varying_names::is_seed(std::size_t at) const {
  const words& w = source_.words;
  const std::string_view name = w[at].text;
  const bool member = at > 0 && (is(w, at - 1, ".") || (is(w, at - 1, ">") && at > 1 && is(w, at - 2, "-")));
  if (member) return any(kMembers, name) || (whose_ == threads_of::grid && any(kMembersOfBlock, name));
  return name == "threadIdx" || name.starts_with("atomic") || name.starts_with("__shfl") || name == "__activemask" ||
         name == "clock" || (whose_ == threads_of::grid && name == "blockIdx");
}

bool varying_names::vary(std::size_t first, std::size_t end) const {
  const words& w = source_.words;
  for (std::size_t i = first; i < end; ++i) {
    if (!is_name(w, i)) continue;
    if (w[i].text.starts_with("__syncthreads_") && is(w, i + 1, "(")) {  // gives all threads one value
      for (int depth = 0; ++i < end;) {
        depth += is(w, i, "(") ? 1 : is(w, i, ")") ? -1 : 0;
        if (depth == 0) break;
      }
      continue;
    }
    const bool member = i > 0 && is(w, i - 1, ".");
    if ((!member && names_.contains(w[i].text)) || is_seed(i)) return true;
  }
  return false;
}

void varying_names::visit(const statement& s, int depth) {
  if (s.kind == statement_kind::other) {
    std::size_t at = s.first;
    for (const statement& part : s.parts) {
      assignments(at, part.first, depth);
      visit(part, depth);
      at = part.end;
    }
    assignments(at, s.end, depth);
    return;
  }
  assignments(s.head, s.head_end, depth);
  const bool varies = s.kind != statement_kind::block && vary(s.head, s.head_end);
  for (const statement& part : s.parts) visit(part, depth + (varies ? 1 : 0));
}

void varying_names::assignments(std::size_t first, std::size_t end, int depth) {
  const words& w = source_.words;
  for (std::size_t i = first; i < end; ++i) {
    if (assigns(w, i)) assigned(i, end, depth);
    const bool steps = touch(w, i) && ((is(w, i, "+") && is(w, i + 1, "+")) || (is(w, i, "-") && is(w, i + 1, "-")));
    if (!steps) continue;
    const std::size_t target = i > first && is_name(w, i - 1) ? i - 1 : i + 2;
    if (is_name(w, target) && !is(w, target + 1, "[") && changes_for_some(target, depth)) add(target);
  }
}

// Of a name that was declared outside of a branch that only some threads take.
bool varying_names::changes_for_some(std::size_t at, int depth) const {
  const auto known = declared_.find(source_.words[at].text);
  return depth > (known == declared_.end() ? 0 : known->second);
}

void varying_names::assigned(std::size_t sign, std::size_t end, int depth) {
  const words& w = source_.words;
  std::size_t stop = sign + 1;
  for (int depth = 0; stop < end; ++stop) {
    const std::string_view t = w[stop].text;
    if (depth == 0 && (t == ";" || t == "," || t == ")")) break;
    depth += t == "(" || t == "[" || t == "{" ? 1 : t == ")" || t == "]" || t == "}" ? -1 : 0;
  }
  std::size_t target = sign;
  do {
    if (target == 0) return;
    --target;
  } while (w[target].text.size() == 1 && std::string_view("+-*/%&|^<>").find(w[target].text[0]) != std::string::npos);
  const bool index = is(w, sign + 1, "threadIdx") && is(w, sign + 2, ".") && is(w, sign + 3, "x") && stop == sign + 4;
  if (is_name(w, target)) (index ? indices_ : no_indices_).insert(w[target].text);
  const bool declares = target > 0 && (is_name(w, target - 1) || is(w, target - 1, "*") || is(w, target - 1, "&"));
  if (declares && is_name(w, target)) declared_.try_emplace(w[target].text, depth);
  if (!vary(sign + 1, stop) && !(is_name(w, target) && changes_for_some(target, depth))) return;
  if (is(w, target, "]")) {  // auto [x, y] = ...; anything else is an element of an array
    const std::size_t open = opening(w, target);
    if (open == 0 || !(is(w, open - 1, "auto") || is(w, open - 1, "&"))) return;
    for (std::size_t i = open + 1; i < target; ++i)
      if (is_name(w, i)) add(i);
  } else if (is_name(w, target)) {
    const bool dereferences =
        target > 0 && is(w, target - 1, "*") && !(target > 1 && (is_name(w, target - 2) || is(w, target - 2, ">")));
    const bool member = target > 0 && (is(w, target - 1, ".") || (is(w, target - 1, ">") && is(w, target - 2, "-")));
    if (!dereferences && !member) add(target);
  }
}

void varying_names::add(std::size_t at) {
  const std::string_view name = source_.words[at].text;
  if (!shared_.contains(name)) changed_ |= names_.insert(name).second;
}

}  // namespace simt
