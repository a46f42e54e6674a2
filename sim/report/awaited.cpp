// SPDX-License-Identifier: Apache-2.0
#include "awaited.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace simt {
namespace {

// The words from `first` on, before `end`.
struct word_range {
  std::size_t first = 0, end = 0;
};

bool counts(std::string_view call) {
  constexpr std::array<std::string_view, 6> kCalls = {"atomicAdd", "atomicInc",  "atomicSub",
                                                      "atomicDec", "atomic_add", "atomic_sub"};
  return std::ranges::any_of(kCalls, [&](std::string_view c) {
    return call == c || (call.starts_with(c) && (call.substr(c.size()) == "_block" || call.ends_with("_system")));
  });
}

class text_of_hang {
 public:
  explicit text_of_hang(const parsed_source& source) : source_(source) {}

  // The innermost loop around `at`: a thread that waits is in its head, or gives way in its body (__nanosleep).
  const statement* loop_around(text_position at) const {
    const statement* loop = nullptr;
    for (const statement* s : statements_around(source_, at))
      if (s->kind == statement_kind::loop) loop = s;
    return loop;
  }

  // The word that the loop's head reads and that an atomic operation outside of the loop counts up or down.
  std::string_view count_awaited_by(const statement* loop) const {
    if (loop == nullptr || exchanges_in(*loop)) return {};
    for (std::size_t i = loop->head; i < loop->head_end; ++i)
      if (begins_name(word(i).front()) && word(i + 1) != "(" && is_counted_outside(*loop, word(i))) return word(i);
    return {};
  }

  // "full" of full.arrive_and_wait() and full->wait(token) in a line.
  std::string_view object_waited_at(int line) const {
    for (std::size_t i = 2; i < source_.words.size(); ++i) {
      const bool waits = word(i) == "arrive_and_wait" || word(i) == "wait" || word(i) == "wait_parity";
      if (source_.words[i].line != line || !waits || word(i + 1) != "(") continue;
      if (word(i - 1) == ".") return word(i - 2);
      if (i > 2 && word(i - 1) == ">" && word(i - 2) == "-") return word(i - 3);
    }
    return {};
  }
  // What init(&full, n) names behind it, and its line.
  std::pair<std::string, int> made_for(std::string_view object) const {
    for (std::size_t i = 0; i + 2 < source_.words.size(); ++i) {
      if (word(i) != "init" || word(i + 1) != "(") continue;
      const std::vector<word_range> of = arguments_at(i + 1);
      if (of.size() != 2 || std::ranges::find(words_of(of[0]), object, &source_word::text) == words_of(of[0]).end())
        continue;
      const source_word &first = source_.words[of[1].first], &last = source_.words[of[1].end - 1];
      if (of[1].first == of[1].end || first.line != last.line) return {};
      return {std::string(first.text.data(), last.text.data() + last.text.size()), first.line};
    }
    return {};
  }
  bool is_dropped_from() const {  // a latch has no such call
    return std::ranges::any_of(source_.directives, [](std::string_view d) {
      return d.find("cuda/barrier") != d.npos || d.find("cooperative_groups") != d.npos;
    });
  }

  bool takes_lock(const statement* loop) const { return loop != nullptr && exchanges_in(*loop); }

 private:
  std::string_view word(std::size_t i) const { return i < source_.words.size() ? source_.words[i].text : ";"; }

  // The arguments of a call whose opening bracket is word `open`.
  std::vector<word_range> arguments_at(std::size_t open) const {
    std::vector<word_range> out = {{open + 1, open + 1}};
    int depth = 0;
    for (std::size_t i = open; i < source_.words.size(); ++i) {
      const std::string_view w = word(i);
      if (w == "(" || w == "[") ++depth;
      if ((w == ")" || w == "]") && --depth == 0) {
        out.back().end = i;
        break;
      }
      if (w != "," || depth != 1) continue;
      out.back().end = i;
      out.push_back({i + 1, i + 1});
    }
    return out;
  }

  bool is_same(word_range a, word_range b) const {
    return std::ranges::equal(words_of(a), words_of(b), {}, &source_word::text, &source_word::text);
  }
  std::span<const source_word> words_of(word_range r) const {
    return std::span(source_.words).subspan(r.first, r.end - r.first);
  }

  bool is_zero(const std::vector<word_range>& arguments, std::size_t i) const {
    constexpr std::array<std::string_view, 5> kZeros = {"0", "0u", "0U", "0ull", "0ULL"};
    return i < arguments.size() && arguments[i].end - arguments[i].first == 1 &&
           std::ranges::find(kZeros, word(arguments[i].first)) != kZeros.end();
  }

  // As a loop that takes a lock does. A compare-and-swap of a value with itself is a way to read.
  bool exchanges_in(const statement& loop) const {
    for (std::size_t i = loop.head; i < loop.head_end; ++i) {
      if (word(i) == "exchange" || word(i) == "test_and_set" || word(i).starts_with("atomicExch")) return true;
      if (word(i).starts_with("compare_exchange")) return true;
      if ((!word(i).starts_with("atomicCAS") && word(i) != "atomic_cas") || word(i + 1) != "(") continue;
      const std::vector<word_range> of = arguments_at(i + 1);
      if (of.size() != 3 || !is_same(of[1], of[2])) return true;
    }
    return false;
  }

  bool is_counted_outside(const statement& loop, std::string_view name) const {
    const auto names_it = [&](word_range r) {
      return std::ranges::find(words_of(r), name, &source_word::text) != words_of(r).end();
    };
    for (std::size_t i = 0; i + 1 < source_.words.size(); ++i) {
      if ((loop.first <= i && i < loop.end) || word(i + 1) != "(") continue;
      const bool member = word(i) == "fetch_add" || word(i) == "fetch_sub";
      if (!member && !counts(word(i))) continue;
      const std::vector<word_range> of = arguments_at(i + 1);
      if (is_zero(of, member ? 0 : 1)) continue;  // a way to read
      if (!member && names_it(of.front())) return true;
      if (member && i >= 2 && (word(i - 2) == name || (i >= 3 && word(i - 3) == name))) return true;  // . or ->
    }
    return false;
  }

  const parsed_source& source_;
};

}  // namespace

void name_what_is_awaited(source_reader& sources, finding& hang) {
  if (hang.cause != cause::fault_hang) return;
  bool any = false, locks = true, count = true;
  bool object = true;
  std::string_view name, waited_at;
  for (const access& a : hang.accesses) {
    if (a.deed != deed::spins) continue;
    any = true;
    if (a.line == 0) return;
    const text_of_hang text(sources.statements_of(a));
    const std::string_view at = text.object_waited_at(a.line);
    if (waited_at.empty()) waited_at = at;
    object = object && !at.empty() && at == waited_at;
    const statement* const loop = text.loop_around(sources.position_of(a));
    const std::string_view counted = text.count_awaited_by(loop);
    if (name.empty()) name = counted;
    count = count && !counted.empty() && counted == name;
    locks = locks && (text.takes_lock(loop) || sources.takes_lock_at(a));
  }
  if (!any) return;
  if (object) {
    const access& first = *std::ranges::find(hang.accesses, deed::spins, &access::deed);
    const text_of_hang text(sources.statements_of(first));
    hang.cause = cause::fault_hang_object;
    hang.facts.target = waited_at;
    std::tie(hang.facts.operand, hang.facts.update_line) = text.made_for(waited_at);
    if (text.is_dropped_from())
      hang.facts.text = "; who leaves early calls " + hang.facts.target + ".arrive_and_drop() instead";
    return;
  }
  if (count) {
    hang.cause = cause::fault_hang_count;
    hang.facts.target = name;
  } else if (locks) {
    hang.cause = cause::fault_hang_locks;
  }
}

}  // namespace simt
