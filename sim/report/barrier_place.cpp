// SPDX-License-Identifier: Apache-2.0
// The statements around both places, from the function inwards, down to the first that not all threads take alike: what
// is in that one counts as one piece, for no barrier may stand in it.
#include "barrier_place.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>

#include "enclosing_loop.hpp"
#include "source_expression.hpp"

namespace simt {
namespace {

using path = std::span<const statement* const>;

constexpr int kWarpSize = 32;
constexpr std::size_t kLongestText = 48;  // of a statement that advice quotes

class place_finder {
 public:
  place_finder(const parsed_source& source, const varying_names& names, barrier_of whose, bool one_row)
      : source_(source), names_(names), may_be_of_warp_(whose == barrier_of::warp_or_block), one_row_(one_row) {}

  void run(barrier_place& v, path to_a, path to_b, text_position a, text_position b) {
    std::size_t common = 0;  // how many statements hold both
    while (common < std::min(to_a.size(), to_b.size()) && to_a[common] == to_b[common]) ++common;
    if (common == 0) return;
    const path both = to_a.first(common);
    std::size_t open = 0;  // of them, those that all threads take alike
    for (; open < common; ++open) {
      const statement& s = *both[open];
      if (!is_conditional(s) || !names_.vary(s.head, s.head_end)) continue;
      const std::uint32_t lanes = may_be_of_warp_ && v.lanes == 0 ? lanes_of_branch(s) : 0;
      if (lanes == 0) break;
      v.lanes = lanes;
    }
    if (open < common) {
      v.guard = line_of(*both[open]);
      v.guard_is_loop = both[open]->kind == statement_kind::loop;
    }
    direct_place(v, to_a, to_b, common);
    v.in_two_branches = open + 1 == common && common < std::min(to_a.size(), to_b.size());
    innermost_loop(v, both, open, to_a, to_b);
    v.turn_ends_in_head = v.turn != 0 && (is_last_of_turn(v, both, a) || is_last_of_turn(v, both, b));
    v.leave = leaves_before(both.first(open), v.before != 0 && v.guard == 0 ? v.before : std::max(v.turn_end, v.guard));
  }

  // Around one place and not around the other.
  void find_guard(barrier_place& v, path around, text_position at, text_position other) {
    for (const statement* s : around) {
      if (!is_conditional(*s) || holds(source_, s->first, s->end, other) || !names_.vary(s->head, s->head_end))
        continue;
      v.guard = line_of(*s);
      v.guard_is_loop = s->kind == statement_kind::loop;
      return;
    }
    v.leave = leaves_before(around, at.line);
  }

 private:
  int line_of(const statement& s) const { return source_.words[s.first].line; }
  int last_line(const statement& s) const { return source_.words[s.end - 1].line; }

  // Between two statements of the innermost block around both; nothing where one statement has both.
  void direct_place(barrier_place& v, path to_a, path to_b, std::size_t common) const {
    if (common >= to_a.size() || common >= to_b.size() || to_a[common - 1]->kind != statement_kind::block) return;
    const statement *first = to_a[common], *second = to_b[common];
    if (second->first < first->first) std::swap(first, second);
    v.after = last_line(*first);
    v.before = line_of(*second);
    if (v.after == v.before) v.upper = text_of(*first), v.lower = text_of(*second);
  }

  // Of one that stands on one line, as it is written.
  std::string text_of(const statement& s) const {
    const source_word &first = source_.words[s.first], &last = source_.words[s.end - 1];
    if (first.line != last.line) return {};
    const std::string text(first.text.data(), last.text.data() + last.text.size());
    return text.size() <= kLongestText ? text : text.substr(0, kLongestText) + "...";
  }

  // In the condition behind the body of do { } while (x);
  bool is_last_of_turn(const barrier_place& v, path both, text_position at) const {
    return std::ranges::any_of(both, [&](const statement* s) {
      return s->kind == statement_kind::loop && source_.words[s->first].text == "do" && line_of(*s) == v.turn &&
             holds(source_, s->head, s->head_end, at);
    });
  }

  void innermost_loop(barrier_place& v, path both, std::size_t open, path to_a, path to_b) const {
    for (std::size_t i = both.size(); i-- > 0;) {
      if (both[i]->kind != statement_kind::loop || both[i]->parts.empty()) continue;
      v.in_loop = true;
      if (i >= open) continue;
      const loop_lines loop = lines_of_loop(source_, *both[i]);
      v.turn_begin = loop.begin;
      v.turn_end = loop.end;
      v.turn = loop.head;
      v.turn_synchronizes = loop.synchronizes;
      v.turn_is_bare = both[i]->parts.front().kind != statement_kind::block;
      for (const path to : {to_a, to_b}) {
        const std::size_t at = i + 2;  // behind the loop and its body's block
        const bool is_block = i + 1 < to.size() && to[i + 1]->kind == statement_kind::block;
        if (is_block && at < to.size()) v.turn_behind = std::max(v.turn_behind, last_line(*to[at]));
      }
      return;
    }
  }

  // A return, or in the loop around the place a continue or break, that only some threads take on the way to it.
  int leaves_before(path open, int place) const {
    if (open.empty()) return 0;
    int found = 0;
    const auto visit = [&](const auto& self, const statement& s, bool varies, bool of_turn) -> void {
      if (found != 0 || line_of(s) >= place) return;
      if (s.kind == statement_kind::other) {
        const std::string_view word = source_.words[s.first].text;
        if (varies && (word == "return" || (of_turn && (word == "continue" || word == "break")))) found = line_of(s);
        return;
      }
      const bool conditional = is_conditional(s);
      const bool own = conditional && names_.vary(s.head, s.head_end);
      const bool holds_place = std::ranges::find(open, &s) != open.end();
      if (s.kind == statement_kind::loop) of_turn = holds_place;
      for (const statement& part : s.parts) self(self, part, varies || (own && !holds_place), of_turn);
    };
    for (const statement& part : open.front()->parts) visit(visit, part, false, false);
    return found;
  }

  // The lanes that take a branch of one warp; 0: others take it, too, or nobody knows.
  std::uint32_t lanes_of_branch(const statement& s) const {
    const auto& w = source_.words;
    if (s.kind != statement_kind::branch || !one_row_) return 0;
    const auto text = [&](std::size_t i) { return i < s.head_end ? w[i].text : std::string_view(); };
    std::size_t at = s.head;
    const std::string_view name = text(at);
    const bool index = name == "threadIdx" && text(at + 1) == "." && text(at + 2) == "x";
    if (index || names_.is_thread_index(name)) {
      at += index ? 3 : 1;
      if (text(at) != "<" || at + 2 != s.head_end) return 0;
      if (text(at + 1) == "warpSize") return kWholeWarp;
      int lanes = 0;
      const std::string_view number = text(at + 1);
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), lanes);
      if (error != std::errc() || lanes < 1 || lanes > kWarpSize) return 0;
      return kWholeWarp >> static_cast<unsigned>(kWarpSize - lanes);
    }
    const bool warp =
        name == "wid" || name.find("warp") != std::string_view::npos || name.find("Warp") != std::string_view::npos;
    return warp && text(at + 1) == "=" && text(at + 2) == "=" && at + 4 == s.head_end ? kWholeWarp : 0;
  }

  const parsed_source& source_;
  const varying_names& names_;
  const bool may_be_of_warp_, one_row_;
};

// The innermost definition of a function or lambda around both; how many statements are around it.
std::optional<std::size_t> function_around(path to_a, path to_b) {
  std::optional<std::size_t> function;
  for (std::size_t i = 0; i + 1 < std::min(to_a.size(), to_b.size()) && to_a[i] == to_b[i]; ++i)
    if (to_a[i]->kind == statement_kind::other && to_a[i + 1] == to_b[i + 1] &&
        to_a[i + 1]->kind == statement_kind::block)
      function = i;
  return function;
}

threads_of threads_at(barrier_of whose) { return whose == barrier_of::grid ? threads_of::grid : threads_of::block; }

}  // namespace

barrier_place find_barrier_place(known_varying_names& names, const parsed_source& source, text_position a,
                                 text_position b, barrier_of whose, bool one_row) {
  barrier_place found;
  const std::vector<const statement*> to_a = statements_around(source, a), to_b = statements_around(source, b);
  const std::optional<std::size_t> function = function_around(to_a, to_b);
  if (!function) return found;
  const path in_a = path(to_a).subspan(*function), in_b = path(to_b).subspan(*function);
  place_finder(source, names.of(source, *in_a.front(), threads_at(whose)), whose, one_row)
      .run(found, in_a.subspan(1), in_b.subspan(1), a, b);
  return found;
}

barrier_place find_guard(known_varying_names& names, const parsed_source& source, text_position at, text_position other,
                         barrier_of whose) {
  barrier_place found;
  const std::vector<const statement*> around = statements_around(source, at);
  const std::optional<std::size_t> function = function_around(around, around);
  if (!function) return found;
  const path inside = path(around).subspan(*function);
  place_finder(source, names.of(source, *inside.front(), threads_at(whose)), whose, false)
      .find_guard(found, inside.subspan(1), at, other);
  return found;
}

}  // namespace simt
