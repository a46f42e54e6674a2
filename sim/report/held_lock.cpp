// SPDX-License-Identifier: Apache-2.0
// Long because: takings and givings are read alike from a function, a call and a macro, over the words of one file.
#include "held_lock.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "parting_lines.hpp"
#include "source_expression.hpp"

namespace simt {
namespace {

constexpr std::array<std::string_view, 4> kTakingCalls = {"atomicCAS", "atomicExch", "atomic_cas", "atomic_exch"};
constexpr std::array<std::string_view, 4> kTakingMembers = {"exchange", "compare_exchange_strong",
                                                            "compare_exchange_weak", "test_and_set"};
constexpr std::array<std::string_view, 5> kGivingMembers = {"store", "exchange", "fetch_add", "clear", "release"};

template <class List>
bool is_among(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool is_name(std::string_view word) { return !word.empty() && begins_name(word.front()); }

// The words of one file, and what stands at an index of them.
class lock_text {
 public:
  explicit lock_text(const parsed_source& source, bool with_macros = true) : source_(source) {
    collect(source.statements);
    if (with_macros) collect_macros();
  }

  // Of both places, which are in one function; nothing where no lock is held there. b came before a.
  std::optional<held_lock> held_by(text_position a, text_position b) const {
    const std::optional<held_lock> now = held_at(a, a), before = held_at(b, b);
    const bool apart = now && before && (a.line < b.line ? before->taken > a.line : now->taken > b.line);
    if (!apart) return held_at(a, b);  // one section holds both
    held_lock lock = *now;
    lock.given = before->given, lock.store_column = before->store_column, lock.also_given = before->also_given;
    lock.fence_in_front = before->fence_in_front, lock.gives_relaxed = before->gives_relaxed;
    return lock;
  }

 private:
  std::optional<held_lock> held_at(text_position a, text_position b) const {
    const std::size_t first = std::min(first_word(a), first_word(b)), last = std::max(last_word(a), last_word(b));
    const function* const f = function_around(first);
    if (f == nullptr || last >= f->body->end) return {};
    std::optional<held_lock> found;
    for (std::size_t i = f->body->first; i < first; ++i)  // the last one is the innermost
      if (auto lock = taken_at(i, *f, first, last)) found = lock;
    return found;
  }

  struct function {
    std::string_view name;
    const statement* body;
  };
  // A word that may be the lock's, and where it is held from.
  struct taking {
    std::vector<std::string_view> names;
    int line = 0;
    std::size_t from = 0;
    bool by_branch = false, fence = false, relaxed = false, by_macro = false;
  };
  struct giving {
    int line = 0;
    std::size_t at = 0;
    int column = 0;  // of the operator of a plain store; 0: an atomic operation
    bool fence = false, relaxed = false, by_macro = false;
  };

  // #define LOCK(l) while (atomicCAS(&(l), 0, 1)) {}
  struct macro {
    std::string_view name;
    std::vector<std::string_view> parameters;
    std::vector<std::string> lines;  // of its text; what is parsed looks into them
    parsed_source body;
  };

  // Those with parameters whose text says something of atomic operations.
  void collect_macros() {
    for (std::size_t i = 0; i < source_.directives.size(); ++i) {
      std::vector<std::string_view> lines = {source_.directives[i]};
      while (lines.back().ends_with('\\') && i + 1 < source_.directives.size()) {
        lines.back().remove_suffix(1);
        lines.push_back(source_.directives[++i]);
      }
      std::string_view first = lines.front();
      const auto define = first.find("define ");
      if (define == std::string_view::npos ||
          first.substr(0, define).find_first_not_of("# \t") != std::string_view::npos)
        continue;
      first.remove_prefix(std::min(first.find_first_not_of(' ', define + 7), first.size()));
      const auto open = first.find('('), close = first.find(')');
      const std::string_view name = first.substr(0, std::min(open, first.size()));
      if (close == std::string_view::npos || name.empty() || !std::ranges::all_of(name, in_identifier)) continue;
      auto m = std::make_unique<macro>();
      m->name = name;
      for (std::string_view rest = first.substr(open + 1, close - open - 1); !rest.empty();) {
        const auto comma = std::min(rest.find(','), rest.size());
        const std::string_view word = rest.substr(0, comma);
        const auto begin = word.find_first_not_of(" \t"), end = word.find_last_not_of(" \t");
        m->parameters.push_back(begin == std::string_view::npos ? "" : word.substr(begin, end - begin + 1));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
      m->lines.emplace_back(first.substr(close + 1));
      for (std::size_t more = 1; more < lines.size(); ++more) m->lines.emplace_back(lines[more]);
      m->body = parse_statements(m->lines);
      const auto is_atomic = [](const source_word& w) {
        return w.text.starts_with("atomic") || is_among(kTakingMembers, w.text) || is_among(kGivingMembers, w.text);
      };
      if (std::ranges::any_of(m->body.words, is_atomic)) macros_.push_back(std::move(m));
    }
  }
  const macro* macro_used(std::size_t at) const {
    if (!is(at + 1, "(")) return nullptr;
    const auto found = std::ranges::find_if(macros_, [&](const auto& m) { return m->name == word(at); });
    return found == macros_.end() ? nullptr : found->get();
  }
  // What the macro's word is where the macro is used at `at`: the first name of an argument.
  std::string_view as_used(const macro& m, std::string_view inside, std::size_t at) const {
    const auto parameter = std::ranges::find(m.parameters, inside);
    if (parameter == m.parameters.end()) return inside;
    auto skip = parameter - m.parameters.begin();
    std::size_t i = at + 2;
    for (int depth = 0; i < source_.words.size() && skip > 0; ++i) {
      if (is(i, "(") || is(i, "[")) ++depth;
      if (is(i, ")") || is(i, "]")) --depth;
      if (depth == 0 && is(i, ",")) --skip;
    }
    return first_argument(i - 1);
  }
  taking taken_by(const macro& m, std::size_t at) const {
    const lock_text inside(m.body, false);
    taking t = inside.in_function(m.body.statements, m.body.words.size());
    if (t.names.empty()) return {};
    t.names = {as_used(m, t.names.front(), at)};
    t.line = source_.words[at].line;
    t.from = end_of_statement(at);
    t.by_branch = false;
    t.by_macro = true;
    return t;
  }
  // Not by a plain store: that would have to be named as it is written.
  std::optional<giving> given_by(const macro& m, std::size_t at, const std::vector<std::string_view>& names) const {
    const lock_text inside(m.body, false);
    for (const source_word& w : m.body.words) {
      if (!is_name(w.text) || !is_among(names, as_used(m, w.text, at))) continue;
      for (std::size_t i = 0; i < m.body.words.size(); ++i)
        if (const auto g = inside.given_at(i, {w.text}, false); g && g->column == 0)
          return giving{source_.words[at].line, at, 0, g->fence || inside.has_fence(0, i), g->relaxed, true};
    }
    return {};
  }

  bool is(std::size_t at, std::string_view text) const {
    return at < source_.words.size() && source_.words[at].text == text;
  }
  std::string_view word(std::size_t at) const { return at < source_.words.size() ? source_.words[at].text : ""; }

  void collect(const std::vector<statement>& statements) {
    for (const statement& s : statements) {
      const statement* const body = s.kind == statement_kind::other && !s.parts.empty() ? &s.parts.front() : nullptr;
      std::string_view name;
      for (std::size_t i = s.first; body != nullptr && name.empty() && i + 1 < body->first; ++i)
        if (is(i + 1, "(") && is_name(word(i)) && !word(i).starts_with("__")) name = word(i);
      if (!name.empty()) functions_.push_back({name, body});
      collect(s.parts);
    }
  }
  const function* function_around(std::size_t at) const {
    const function* innermost = nullptr;
    for (const function& f : functions_)
      if (f.body->first <= at && at < f.body->end) innermost = &f;
    return innermost;
  }
  const function* function_called(std::size_t at) const {
    if (!is(at + 1, "(")) return nullptr;
    const auto found = std::ranges::find(functions_, word(at), &function::name);
    return found == functions_.end() ? nullptr : &*found;
  }

  // Words stand in the order of the text. Without a column a place is its whole line.
  std::size_t first_word(text_position p) const {
    const auto before = [&](const source_word& w) {
      return w.line < p.line || (w.line == p.line && w.column < p.column);
    };
    return static_cast<std::size_t>(std::ranges::partition_point(source_.words, before) - source_.words.begin());
  }
  std::size_t last_word(text_position p) const {
    return p.column != 0 ? first_word(p) : first_word({p.line + 1, 0}) - 1;
  }

  // A barrier of the block is none: it orders nothing for other blocks. That of the grid does.
  bool has_fence(std::size_t from, std::size_t to) const {
    for (std::size_t i = from; i < to; ++i)
      if (word(i).find("fence") != std::string_view::npos || (is(i, "sync") && is(i + 1, "("))) return true;
    return false;
  }
  // The order that is named: 0 none, 1 relaxed, 2 one that keeps others in order, as a fence does. A compare-and-swap
  // names that of its failure, too: the stronger one counts.
  int order_named(std::size_t from, std::size_t to) const {
    constexpr std::array<std::string_view, 4> kStrong = {"acquire", "release", "acq_rel", "seq_cst"};
    constexpr std::string_view kPrefix = "memory_order_";
    int named = 0;
    for (std::size_t i = from; i < to; ++i) {
      const bool whole = word(i).starts_with(kPrefix);
      const std::string_view order = whole ? word(i).substr(kPrefix.size()) : word(i);
      if ((whole || (i > 0 && is(i - 1, ":"))) && is_among(kStrong, order)) return 2;
      if (order == "relaxed") named = 1;
    }
    return named;
  }
  // One past the end of the statement at `at`, by its text.
  std::size_t end_of_statement(std::size_t at) const {
    while (at < source_.words.size() && !is(at, ";") && !is(at, "}")) ++at;
    return at;
  }
  // The first name between the parentheses that open at `at`.
  std::string_view first_argument(std::size_t at) const {
    for (std::size_t i = at + 1; i < source_.words.size() && !is(i, ")") && !is(i, ","); ++i)
      if (is_name(word(i)) && !is(i + 1, ":")) return word(i);
    return {};
  }
  // x of x.f( and x->f( with f at `at`.
  std::string_view object_of(std::size_t at) const {
    if (at >= 2 && is(at - 1, ".")) return word(at - 2);
    if (at >= 3 && is(at - 1, ">") && is(at - 2, "-")) return word(at - 3);
    return {};
  }
  // Subscripts behind a name: the index of what follows.
  std::size_t behind_subscripts(std::size_t at) const {
    int depth = 0;
    for (; at < source_.words.size(); ++at) {
      if (is(at, "["))
        ++depth;
      else if (depth == 0)
        return at;
      if (is(at, "]")) --depth;
    }
    return at;
  }

  // The taking that a loop or branch does in its head.
  taking in_head(const statement& s) const {
    taking t;
    bool compares = false;
    for (std::size_t i = s.head; i < s.head_end; ++i) {
      if (is_among(kTakingCalls, word(i)) && is(i + 1, "(")) return done(s, {first_argument(i + 1)});
      if (is_among(kTakingMembers, word(i)) && is(i + 1, "(")) return done(s, {object_of(i)});
      // while (atomicSub(&slots, 1) <= 0) atomicAdd(&slots, 1);
      const bool counts = s.kind == statement_kind::loop && word(i).starts_with("atomic") && is(i + 1, "(");
      if (counts && puts_back(s, first_argument(i + 1))) return done(s, {first_argument(i + 1)});
      compares |= is(i, "!") || is(i, "=") || is(i, "<") || is(i, ">");
      if (is_name(word(i))) t.names.push_back(word(i));
    }
    const bool waits = s.kind == statement_kind::loop && compares && std::ranges::all_of(s.parts, is_empty);
    return waits ? done(s, t.names) : taking{};
  }
  // Whether the body of a loop that has not got the lock does nothing but with the lock's own word.
  bool puts_back(const statement& loop, std::string_view name) const {
    if (loop.parts.empty() || is_empty(loop.parts.front())) return !loop.parts.empty();
    const statement& body = loop.parts.front();
    bool changes = false;
    for (std::size_t i = body.first; i < body.end; ++i)
      changes |= word(i).starts_with("atomic") && is(i + 1, "(") && first_argument(i + 1) == name;
    const std::size_t statements = body.kind == statement_kind::block ? body.parts.size() : 1;
    return changes && statements == 1;
  }
  static bool is_empty(const statement& s) { return s.end - s.first <= (s.kind == statement_kind::block ? 2U : 1U); }
  taking done(const statement& s, std::vector<std::string_view> names) const {
    taking t;
    t.names = std::move(names);
    t.line = source_.words[s.head].line;
    t.by_branch = s.kind == statement_kind::branch;
    t.from = t.by_branch && !s.parts.empty() ? s.parts.front().first : s.end;
    const int order = order_named(s.head, s.head_end);
    t.relaxed = order == 1, t.fence = order == 2;
    return t;
  }
  // The first of a function's statements that takes something, not by a mere wait.
  taking in_function(const std::vector<statement>& statements, std::size_t end) const {
    for (const statement& s : statements) {
      if (s.kind == statement_kind::loop) {
        taking t = in_head(s);
        if (t.names.size() == 1) {
          t.fence |= has_fence(s.end, end);
          return t;
        }
      }
      if (taking t = in_function(s.parts, end); !t.names.empty()) return t;
    }
    return {};
  }
  const statement* conditional_at(const std::vector<statement>& statements, std::size_t first) const {
    const auto s = std::ranges::partition_point(statements, [&](const statement& x) { return x.end <= first; });
    if (s == statements.end() || s->first > first) return nullptr;
    return is_conditional(*s) && s->first == first ? &*s : conditional_at(s->parts, first);
  }

  const statement* loop_around(const std::vector<statement>& statements, std::size_t at) const {
    const statement* innermost = nullptr;
    for (const statement& s : statements) {
      if (at < s.first || at >= s.end) continue;
      if (s.kind == statement_kind::loop) innermost = &s;
      if (const statement* const inner = loop_around(s.parts, at)) innermost = inner;
    }
    return innermost;
  }
  // A loop that is left by the branch that takes: for (;;) if (atomicCAS(l, 0, 1) == 0) break;
  bool take_by_leaving(const function& f, const statement& branch, std::size_t first, taking& t) const {
    const statement* const loop = loop_around(f.body->parts, branch.first);
    bool leaves = false;
    for (std::size_t i = t.from; i < branch.end; ++i) leaves |= is(i, "break");
    if (loop == nullptr || loop->end > first || !leaves) return false;
    t.line = source_.words[loop->first].line, t.from = loop->end, t.by_branch = false;
    return true;
  }

  std::optional<held_lock> taken_at(std::size_t i, const function& f, std::size_t first, std::size_t last) const {
    taking t;
    if (const statement* const s = conditional_at(f.body->parts, i)) {
      t = in_head(*s);
      const bool held =
          t.by_branch ? t.from <= first && !s->parts.empty() && last < s->parts.front().end : s->end <= first;
      if (!held && !(t.by_branch && take_by_leaving(f, *s, first, t))) return {};
    } else if (const function* const called = function_called(i); called != nullptr && called != &f) {
      t = in_function(called->body->parts, called->body->end);
      if (t.names.empty()) return {};
      t.names = {object_of(i).empty() ? first_argument(i + 1) : object_of(i)};
      t.from = end_of_statement(i);
      t.by_branch = false;
    } else if (const macro* const used = macro_used(i); used != nullptr)
      t = taken_by(*used, i);
    if (t.names.empty() || t.names.front().empty()) return {};
    t.fence |= has_fence(t.from, first);
    for (std::size_t at = last + 1; at < f.body->end; ++at)
      if (auto g = given_at(at, t.names, true)) {
        g->fence |= has_fence(last, at);
        held_lock lock = lock_of(t, *g);
        if (g->column == 0) name_other_givings(lock, t, at, last, f.body->end);
        return lock;
      }
    return {};
  }
  // In other branches. The first that lacks a fence stands for those that do.
  void name_other_givings(held_lock& lock, const taking& t, std::size_t given, std::size_t last,
                          std::size_t end) const {
    std::size_t before = t.from;
    for (std::size_t at = t.from; at < end; ++at) {
      if (at > given && conditional_takes(at, t.names)) return;
      const auto g = given_at(at, t.names, true);
      if (!g) continue;
      const bool fence = g->fence || has_fence(std::max(before, at > last ? std::min(last, at) : before), at);
      before = at;
      if (at == given || fence || g->column != 0 || g->line == lock.given) continue;
      if (lock.fence_in_front) {
        lock.given = g->line;
        lock.fence_in_front = false;
      } else {
        lock.also_given.push_back(g->line);
      }
    }
  }
  bool conditional_takes(std::size_t at, const std::vector<std::string_view>& names) const {
    const statement* const s = conditional_at(source_.statements, at);
    if (s == nullptr) return false;
    const taking t = in_head(*s);
    return std::ranges::any_of(t.names, [&](std::string_view n) { return is_among(names, n); });
  }

  std::optional<giving> given_at(std::size_t at, const std::vector<std::string_view>& names, bool by_call) const {
    const int order = order_named(at, end_of_statement(at));
    giving g{source_.words[at].line, at, 0, order == 2, order == 1};
    const std::string_view w = word(at);
    if (w.starts_with("atomic") && is(at + 1, "(") && is_among(names, first_argument(at + 1))) return g;
    if (is_among(kGivingMembers, w) && is(at + 1, "(") && is_among(names, object_of(at))) return g;
    if (is_among(names, w)) {
      std::size_t sign = behind_subscripts(at + 1);
      while (is(sign, ")")) ++sign;                                // *((volatile int*)lock) = 0
      const std::size_t equals = is(sign, "=") ? sign : sign + 1;  // += and the like
      if (!is(equals, "=") || is(equals + 1, "=")) return {};
      g.column = source_.words[sign].column;
      return g;
    }
    if (const macro* const used = by_call ? macro_used(at) : nullptr) return given_by(*used, at, names);
    const function* const called = by_call ? function_called(at) : nullptr;
    if (called == nullptr || !is_among(names, object_of(at).empty() ? first_argument(at + 1) : object_of(at)))
      return {};
    const std::vector<std::string_view> inside = names_in(*called);
    for (std::size_t i = called->body->first; i < called->body->end; ++i)
      if (auto inner = given_at(i, inside, false)) {
        inner->fence |= has_fence(called->body->first, i);
        return inner;
      }
    return {};
  }
  std::vector<std::string_view> names_in(const function& f) const {
    std::vector<std::string_view> names;
    for (std::size_t i = f.body->first; i < f.body->end; ++i)
      if (is_name(word(i))) names.push_back(word(i));
    return names;
  }

  static held_lock lock_of(const taking& t, const giving& g) {
    held_lock lock;
    lock.taken = t.line, lock.given = g.line, lock.by_branch = t.by_branch;
    lock.fence_behind = t.fence, lock.fence_in_front = g.fence;
    lock.takes_relaxed = t.relaxed, lock.gives_relaxed = g.relaxed;
    lock.store_column = g.column;
    lock.by_macros = t.by_macro && g.by_macro;
    return lock;
  }

  const parsed_source& source_;
  std::vector<function> functions_;
  std::vector<std::unique_ptr<macro>> macros_;
};

// Whether a file can take a lock at all: by an atomic operation, or by waiting for a word.
bool may_take(const parsed_source& source) {
  const auto atomic = [](std::string_view text) { return text.find("atomic") != std::string_view::npos; };
  return std::ranges::any_of(source.directives, atomic) || std::ranges::any_of(source.words, [&](const source_word& w) {
           return atomic(w.text) || is_among(kTakingMembers, w.text) || w.text == "while" || w.text == "for";
         });
}

}  // namespace

held_lock find_held_lock(source_reader& sources, const finding& f) {
  const access &a = f.accesses[0], &b = f.accesses[1];
  const auto is_plain = [](const access& x) { return x.agent == actor::thread && x.kind != access_kind::atomic; };
  if (!is_plain(a) || !is_plain(b) || a.file != b.file || a.line < 1 || b.line < 1) return {};
  if (!may_take(sources.statements_of(a))) return {};
  const lock_text text(sources.statements_of(a));
  std::optional<held_lock> lock;
  if (a.function == b.function) lock = text.held_by(sources.position_of(a), sources.position_of(b));
  for (std::size_t i = 0; !lock && i < std::min(a.stack.size(), b.stack.size()); ++i) {
    const stack_frame &x = a.stack[a.stack.size() - 1 - i], &y = b.stack[b.stack.size() - 1 - i];
    if (x.file == a.file && y.file == a.file && x.function == y.function) lock = text.held_by({x.line, 0}, {y.line, 0});
  }
  if (!lock) return {};
  if (lock->store_column != 0) {
    access store = a;
    store.line = lock->given, store.column = lock->store_column;
    update_text given = sources.assignment_at(store);
    if (given.target.empty()) given = sources.update_at(store);
    lock->target = given.target, lock->operation = given.operation, lock->operand = given.operand;
    return *lock;
  }
  return lock->fence_behind && lock->fence_in_front ? held_lock{} : *lock;
}

}  // namespace simt
