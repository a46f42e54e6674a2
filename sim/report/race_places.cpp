// SPDX-License-Identifier: Apache-2.0
#include "race_places.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "callers.hpp"
#include "combining.hpp"
#include "held_lock.hpp"
#include "one_step_places.hpp"
#include "parting_lines.hpp"
#include "turns_of_loop.hpp"
#include "waiting_calls.hpp"

namespace simt {
namespace {

// The read and the write of one x += 1. Of calls that were inlined (our views), the columns are the same; in plain C++
// the write's is its operator's. clang gives that column to the s[i + d] of s[i] += s[i + d], too. A read that names
// what is changed a second time is another one, as in n++; last = n == 8.
bool is_one_update(source_reader& sources, const access& a, const access& b) {
  if (a.line == 0 || a.line != b.line || !of_one_function(a, b)) return false;
  const access &write = a.kind == access_kind::write ? a : b, &read = a.kind == access_kind::write ? b : a;
  if (write.kind != access_kind::write || read.kind != access_kind::read) return false;
  if (sources.update_at(write).target.empty())
    return a.column != 0 && a.column == b.column && sources.assignment_at(write).target.empty();
  return !sources.reads_another_element(write) && sources.is_in_statement(read, write);
}

bool is_update(source_reader& sources, const access& a) {
  return a.kind == access_kind::atomic || (!sources.update_at(a).target.empty() && !sources.reads_another_element(a));
}

// x += n, and x = x + n at its write or at the read of x.
update_text plain_update_at(source_reader& sources, const access& a) {
  update_text update = sources.update_at(a);
  if (!update.target.empty() || a.kind == access_kind::atomic) return update;
  if (a.kind == access_kind::write) update = sources.assignment_at(a);
  // The compiler may tell the read at the write's place.
  access at = a;
  const auto end = a.kind == access_kind::read ? static_cast<int>(sources.as_written(a).size()) : 0;
  for (at.column = 1; at.column <= end && update.target.empty(); ++at.column) {
    update = sources.assignment_at(at);
    if (!names_same_word(update.target, sources.expression_of(a))) update = {};
  }
  const combination how = update.is_whole ? combined(update.operand, update.target) : combination();
  if (update.target.empty() || how.operation.empty()) return {};
  update.operation = how.operation;
  update.operand = how.operand;
  return update;
}

// x = x + n beside an atomic operation on x.
bool is_update_beside_atomic(source_reader& sources, const access& a, const access& b) {
  if ((a.kind == access_kind::atomic) == (b.kind == access_kind::atomic)) return false;
  return !plain_update_at(sources, a.kind == access_kind::atomic ? b : a).target.empty();
}

void name_update(source_reader& sources, finding& f, const access& write) {
  update_text update = plain_update_at(sources, write);
  if (update.target.empty()) return;
  f.facts.target = std::move(update.target);
  f.facts.update = std::move(update.operation);
  if (update.is_whole) f.facts.operand = std::move(update.operand);
  f.facts.value_used = update.is_prefix && update.is_used;
}

// Of two updates of one word, atomic or not.
void name_updates(source_reader& sources, finding& f, const access& later, const access& earlier) {
  facts& v = f.facts;
  const access& plain = later.kind == access_kind::atomic ? earlier : later;
  name_update(sources, f, plain);
  if (later.kind == access_kind::atomic || earlier.kind == access_kind::atomic) {
    v.plain_update = plain.line;
  } else if (later.line != earlier.line) {
    const update_text other = sources.update_at(earlier);
    v.update_line = later.line;
    v.other_updates = {{earlier.line, other.target, other.operation, other.is_whole ? other.operand : std::string(),
                        other.is_prefix && other.is_used}};
  }
}

// An update is no data that a flag hands over, so a fence would not mend it.
void forget_flag(finding& f) {
  if (f.cause != cause::race_blocks_unfenced && f.cause != cause::race_blocks_unacquired) return;
  f.cause = cause::race_blocks;
  f.accesses.resize(2);
}

// s[t] += s[t + 8], at either of its accesses.
bool reads_another_lane(source_reader& sources, const access& a) {
  access update = a;
  for (update.column = 1; update.column <= static_cast<int>(sources.as_written(a).size()); ++update.column)
    if (!sources.update_at(update).target.empty()) return sources.reads_another_element(update);
  return false;
}

// Of a place in the text: which comes first.
std::pair<int, int> position(const access& a) { return {a.line, a.column}; }

bool stands_between(const access& a, const access& b, std::pair<int, int> barrier) {
  const auto [low, high] = std::minmax({position(a), position(b)});  // a copy of each
  const bool by_line = low.first < barrier.first && barrier.first <= high.first;
  if (low.second == 0 || high.second == 0 || barrier.second == 0) return by_line;
  return low < barrier && barrier < high;
}

std::string_view array_of(std::string_view expression) {
  expression.remove_prefix(std::min(expression.find_first_not_of("*&("), expression.size()));
  const auto end = std::find_if_not(expression.begin(), expression.end(), in_identifier);
  return expression.substr(0, static_cast<std::size_t>(end - expression.begin()));
}

// temp[out] = temp[in]: both branches do all of a turn's work, none waits for the other.
bool assigns_what_it_reads(source_reader& sources, const access& read) {
  const std::string array(array_of(sources.expression_of(read)));
  access at = read;
  for (at.column = 1; at.column < read.column; ++at.column)
    if (const update_text to = sources.assignment_at(at); !to.target.empty() && array_of(to.target) == array)
      return true;
  return false;
}

// A branch or return around the calls that lead to both places keeps threads from a barrier between them.
void find_guard_of_calls(source_reader& sources, finding& f, barrier_of whose) {
  barrier_place& p = f.facts.place;
  for (const access& call : common_calls(f.accesses[0], f.accesses[1])) {
    const barrier_place around = sources.guard_of(call, whose);
    if (p.call_guard == 0) p.call_guard = around.guard;
    if (p.leave == 0) p.leave = around.leave;
  }
}

// Where the turns of a loop go over an array, each thread meets others at its words in each turn: what is missing is a
// barrier between the turns, unless each step is an addition and the like.
void keep_step_of_one_word(facts& v) {
  const bool in_turns = v.place.turn != 0 && v.target.find('[') != std::string::npos && !v.target.ends_with("[0]");
  const bool commutes = !v.update.empty() && v.update != "=" && !v.step.does_more;
  if (v.step.read_line == 0 || !in_turns || commutes || !v.step.call.empty()) return;
  v.step = {};
  v.target.clear(), v.update.clear(), v.operand.clear();
}

// Whether a loop in it polls by an atomic operation: while (atomicAdd(&head, 0) == n) {}
bool polls_atomically(const parsed_source& source, const statement& s) {
  for (std::size_t i = s.kind == statement_kind::loop ? s.head : s.head_end; i < s.head_end; ++i)
    if (source.words[i].text.starts_with("atomic") || source.words[i].text == "load") return true;
  return std::ranges::any_of(s.parts, [&](const statement& part) { return polls_atomically(source, part); });
}

// Of the branch at that line around a place.
bool waits_at_line(source_reader& sources, const access& inside, int line) {
  const parsed_source& source = sources.statements_of(inside);
  return std::ranges::any_of(statements_around(source, sources.position_of(inside)), [&](const statement* s) {
    return s->kind == statement_kind::branch && source.words[s->first].line == line && polls_atomically(source, *s);
  });
}

// s[t] = a; s[t + 64] = b; out[t] = s[...]: a barrier behind the first write alone would leave the next ones. The last
// line above `read` that assigns to an element of what the write at `write` does.
int last_write_above(source_reader& sources, const access& write, const access& read) {
  const std::string array(array_of(sources.expression_of(write)));
  int last = write.line;
  if (array.empty()) return last;
  for (access at = write; ++at.line < read.line;) {
    const std::string_view text = sources.as_written(at);
    const auto first = text.find_first_not_of(' ');
    if (first == text.npos || text.find('}') != text.npos) continue;
    if (text.substr(first).starts_with(array + "[") && assigned(text, after_subscripts(text, first + array.size())))
      last = at.line;
  }
  return last;
}

// Where a barrier may stand, and the loop around both, where one at the end of its body orders one turn and the next:
// one side reads and the other writes, and no barrier in it does so.
void find_barrier(source_reader& sources, finding& f, const access& a, const access& b) {
  const bool of_blocks = is_between_blocks(f.cause);
  facts& v = f.facts;
  v.place = sources.place_between(a, b,
                                  of_blocks                      ? barrier_of::grid
                                  : f.cause == cause::race_lanes ? barrier_of::warp_or_block
                                                                 : barrier_of::block);
  const access &first = a.line < b.line ? a : b, &second = a.line < b.line ? b : a;
  if (v.place.after == first.line && v.place.before == second.line && !v.next_turn && !v.place.in_loop &&
      first.kind == access_kind::write && second.kind == access_kind::read)
    v.place.after = last_write_above(sources, first, second);
  v.waits_by_atomics = v.place.in_two_branches && waits_at_line(sources, a, v.place.guard);
  if (v.place.guard_is_loop) v.place.turns_share = turns_share_memory(sources, f, a, v.place.guard);
  find_guard_of_calls(sources, f, of_blocks ? barrier_of::grid : barrier_of::block);
  for (const access* side : {&f.accesses[0], &f.accesses[1]})
    if (side->kind == access_kind::read && assigns_what_it_reads(sources, *side)) v.place.in_two_branches = false;
  if (v.next_turn && !v.place.in_loop) {  // no loop has both: only a call can come again
    v.next_call = !(a.stack.empty() && b.stack.empty());
    v.next_turn = !v.next_call && v.place.after == 0;  // where nothing is known of the text
  }
  // A warp's own number of turns: for (int row = warp; row < n; row += warps) { ... __syncwarp(); ... }
  if (f.cause == cause::race_lanes && v.place.turn == 0 && v.place.guard_is_loop && v.place.in_loop &&
      lanes_meet_between(sources, a, b)) {
    v.next_turn = true;
    v.place.guard = 0, v.place.guard_is_loop = false, v.place.lanes = kWholeWarp;
    return;
  }
  if (v.place.turn == 0) return;
  if (!of_blocks && v.place.in_loop && !v.place.in_two_branches)
    v.next_turn |= meet_between(sources, a, b, v.barrier_object) ||
                   (f.cause == cause::race_lanes && lanes_meet_between(sources, a, b));
  if (v.next_turn) v.loop_end = v.place.turn_end;
  if (!of_blocks && v.place.turn_synchronizes) return;  // a block's barrier orders no blocks
  v.loop_begin = v.place.turn_begin;
  if (of_blocks || a.kind != b.kind) v.loop_end = v.place.turn_end;
  const access& write = a.kind == access_kind::write ? a : b;
  v.place.turn_reads_others = !of_blocks && a.line == b.line && v.loop_end != 0 && v.same_array &&
                              reads_another_lane(sources, write) && !turn_picks(sources, write, v.place.turn);
}

// if (n > *best) *best = n: an atomic maximum.
void name_maximum(source_reader& sources, finding& f, const access& read, const access& write) {
  update_text assignment = sources.assignment_at(write);
  const char compared = sources.compared_at(read, assignment);
  if (compared == 0) return;
  f.facts.update = compared;
  f.facts.target = std::move(assignment.target);
  f.facts.operand = std::move(assignment.operand);
}

// Whether both sides hold a lock that does not keep them in order.
bool find_lock(source_reader& sources, finding& f) {
  const bool of_threads = f.cause == cause::race_lanes || f.cause == cause::race_block || is_between_blocks(f.cause);
  if (!of_threads || f.accesses.size() < 2) return false;
  f.facts.lock = find_held_lock(sources, f);
  if (f.facts.lock.taken == 0) return false;
  f.cause = cause::race_held_lock;
  f.accesses.resize(2);
  return true;
}

// A lock that is taken by an atomic operation and given back by a plain store.
void find_unlock(source_reader& sources, finding& f, const access& taken, const access& given) {
  if (!sources.takes_lock_at(taken) && !sources.waits_at(taken)) return;
  update_text assignment = sources.assignment_at(given);
  if (assignment.target.empty() || !assignment.is_whole) return;
  f.facts.unlock_line = given.line;
  f.facts.target = std::move(assignment.target);
  f.facts.operand = std::move(assignment.operand);
}

// Whether the loops around the place leave the pointer as it is, as far as they only name elements of it.
bool stays_in_loops(source_reader& sources, const access& inside, std::string_view pointer) {
  const parsed_source& source = sources.statements_of(inside);
  return std::ranges::none_of(statements_around(source, sources.position_of(inside)), [&](const statement* s) {
    if (s->kind != statement_kind::loop) return false;
    for (std::size_t i = s->first; i < s->end; ++i)
      if (source.words[i].text == pointer && (i + 1 == source.words.size() || source.words[i + 1].text != "["))
        return true;
    return false;
  });
}

// Both touch one word, so two names are two pointers into one array, unless a loop's turns exchange what they point to.
bool names_one_array(source_reader& sources, const access& later, const access& earlier) {
  const std::string one = sources.expression_of(later), other = sources.expression_of(earlier);
  const std::string_view a = array_of(one), b = array_of(other);
  if (one.empty() || other.empty() || a == b) return true;
  return of_one_function(later, earlier) && stays_in_loops(sources, later, a) && stays_in_loops(sources, later, b);
}

// "left" of left[i] and *left, "p.a" of p[i].a: an expression without subscripts and stars. Nothing of a cast or call.
std::string place_named(std::string_view expression) {
  std::string out;
  int depth = 0;
  for (const char c : expression) {
    if (c == '(') return {};
    depth += c == '[' ? 1 : 0;
    if (depth == 0 && (in_identifier(c) || c == '.' || c == '>')) out += c == '>' ? '.' : c;
    depth -= c == ']' ? 1 : 0;
  }
  return out;
}

// "b" of f.b and f->b; empty: it names no member.
std::string member_of(const std::string& expression) {
  const auto dot = expression.rfind('.'), arrow = expression.rfind("->");
  if (arrow != std::string::npos && (dot == std::string::npos || dot < arrow)) return expression.substr(arrow + 2);
  return dot == std::string::npos ? std::string() : expression.substr(dot + 1);
}

// Who writes a bit-field also reads the word that it is in, at the assignment. What the assigned value reads may stand
// at that column, too, so it must not name the other side's member.
bool reads_word_of_field(source_reader& sources, const access& a, const access& other) {
  if (a.kind != access_kind::read) return false;
  const update_text to = sources.assignment_at(a);
  const std::string written = sources.expression_of(other);
  const std::string member = member_of(written);
  return !member_of(to.target).empty() && !member.empty() && to.operand.find(member) == std::string::npos;
}

// Two writes of one function that do not mean one place, by what they name: arrays that overlap, bit-fields of one
// word. A member and the whole are meant to be.
std::string two_names(source_reader& sources, const access& later, const access& earlier) {
  const bool fields = reads_word_of_field(sources, later, earlier) || reads_word_of_field(sources, earlier, later);
  const bool both_write = fields || (later.kind == access_kind::write && earlier.kind == access_kind::write);
  if (!both_write || (later.line == earlier.line && !fields) || !of_one_function(later, earlier)) return {};
  const bool down = position(later) < position(earlier);
  const std::string one = sources.expression_of(down ? later : earlier);
  const std::string other = sources.expression_of(down ? earlier : later);
  const std::string a = place_named(one), b = place_named(other);
  const bool within = a == b || a.starts_with(b + '.') || b.starts_with(a + '.');
  if (fields && (a.find('.') == a.npos || b.find('.') == b.npos)) return {};
  return a.empty() || b.empty() || within ? std::string() : one + " and " + other;
}

// v[i] = u[i - 1] + u[i + 1], of one line. What stands in a loop may be a step of a tree, whose turns go apart.
bool is_operand_of(source_reader& sources, const finding& f, const access& read, const access& write) {
  if (read.line != write.line || f.facts.place.turn != 0) return false;
  const std::string wanted = without_blanks(sources.expression_of(read));
  return without_blanks(sources.assignment_at(write).operand).find(wanted) != std::string::npos;
}

// u[i] = v behind v = u[i - 1] + u[i + 1]: a barrier in time would not do, for the values have to be kept.
bool reads_first(source_reader& sources, const finding& f, const access& read, const access& write) {
  const std::string written = sources.expression_of(write), other = sources.expression_of(read);
  const bool element = written.ends_with(']') || written.ends_with(')');
  return element && !other.empty() && written != other &&
         (position(read) < position(write) || is_operand_of(sources, f, read, write));
}

}  // namespace

void find_places(source_reader& sources, finding& f, const stack_frame& barrier, int barrier_column) {
  facts& v = f.facts;
  for (access& a : f.accesses) name_callers(sources, a, f.kernel);
  v.barrier_line = barrier.line;
  if (find_lock(sources, f)) return;
  v.in_place = is_one_update(sources, f.accesses[0], f.accesses[1]);
  v.both_update = !v.in_place && f.rule != rule::race_scope &&
                  ((is_update(sources, f.accesses[0]) && is_update(sources, f.accesses[1])) ||
                   is_update_beside_atomic(sources, f.accesses[0], f.accesses[1]));
  if (v.in_place || v.both_update) forget_flag(f);
  const access &later = f.accesses[0], &earlier = f.accesses[1];
  if (v.in_place) return name_update(sources, f, later.kind == access_kind::write ? later : earlier);
  if (f.rule == rule::race_scope) {
    v.narrow_line = sources.narrow_order(earlier, later);
    return;
  }
  if (v.both_update) return name_updates(sources, f, later, earlier);
  const bool in_block = f.cause == cause::race_lanes || f.cause == cause::race_block;
  if (f.cause == cause::race_async_copy) find_wait_for_copy(sources, f);
  find_way_to_flag(sources, f);
  if (!in_block && !is_between_blocks(f.cause)) return;
  if (in_block) find_barrier_object(sources, f);
  const access &write = later.kind == access_kind::write ? later : earlier,
               &other_side = later.kind == access_kind::write ? earlier : later;
  const bool one_writes = write.kind == access_kind::write;
  if (one_writes && other_side.kind == access_kind::atomic) find_unlock(sources, f, other_side, write);
  find_one_step(sources, f, other_side.kind == access_kind::read ? other_side : write,
                other_side.kind == access_kind::read ? write : other_side);
  if (v.step.is_test) name_maximum(sources, f, other_side, write);
  v.flag = one_writes && v.step.read_line == 0 && is_flag(sources, f, other_side, write);
  if (is_between_blocks(f.cause) && v.step.read_line == 0 && !v.flag)
    v.flag = is_set_atomically(sources, f, later, earlier) || is_set_atomically(sources, f, earlier, later);
  v.two_names = two_names(sources, later, earlier);
  v.steps_of_lanes = f.cause == cause::race_lanes && reads_another_lane(sources, later) &&
                     reads_another_lane(sources, earlier) && later.line != earlier.line;
  v.same_array = names_one_array(sources, later, earlier);
  const auto [a, b] = parting_lines(later, earlier);
  if (!of_one_function(a, b)) return;
  v.next_turn = barrier.line != 0 && stands_between(a, b, {barrier.line, barrier_column});
  find_barrier(sources, f, a, b);
  v.reads_first = f.cause != cause::race_blocks_unacquired && v.same_array && one_writes &&
                  other_side.kind == access_kind::read && of_one_function(later, earlier) &&
                  reads_first(sources, f, other_side, write);
  keep_step_of_one_word(v);
}

}  // namespace simt
