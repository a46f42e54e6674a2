// SPDX-License-Identifier: Apache-2.0
#include "phrase_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parting_lines.hpp"
#include "phrase_atomic.hpp"

namespace simt {
namespace {

// Nobody but the blocks of its cluster reaches a block's shared memory.
bool is_of_cluster(const finding& f) { return f.space == memory_space::shared && is_between_blocks(f.cause); }

// What orders the two, as a noun.
std::string barrier_for(const finding& f, dialect d) {
  if (is_between_blocks(f.cause)) return std::string(word_of(is_of_cluster(f) ? "sync_cluster" : "sync_grid", d));
  const std::string_view sync = word_of("sync", d), sync_warp = word_of("sync_warp", d);
  const std::uint32_t lanes = f.facts.place.lanes;
  if (f.cause != cause::race_lanes) return fmt::format("a barrier ({})", sync);
  if (lanes == kWholeWarp) return std::string(sync_warp);
  if (lanes != 0) return fmt::format("{}({:#010x})", sync_warp.substr(0, sync_warp.find('(')), lanes);
  return fmt::format("a barrier ({}, or {} where one warp alone shares the data)", sync, sync_warp);
}

// The same, told a second time.
std::string barrier_again(const finding& f, dialect d) {
  const bool either = f.cause == cause::race_lanes && f.facts.place.lanes == 0;
  return either ? "another" : barrier_for(f, d);
}

// What else it takes that every thread comes to the barrier.
std::string so_that_all_come(const barrier_place& p) {
  if (p.guard != 0 && p.guard_is_loop && p.after != 0 && p.turns_share)
    return fmt::format(
        ", and another at the end of the body of the loop at line {}; of which all threads have to make the same "
        "number "
        "of turns: let them count by what the whole block has to do, and guard the work in the body",
        p.guard);
  if (p.guard != 0 && p.guard_is_loop && p.after != 0)
    return fmt::format(
        ", and make two loops of the one at line {}, of which not all threads make as many turns: one in front of the "
        "barrier and one behind it",
        p.guard);
  if (p.guard != 0 && p.guard_is_loop)
    return fmt::format(
        "; threads make different numbers of turns in the loop at line {}: let all make the same number, and guard the "
        "work in its body instead",
        p.guard);
  if (p.guard != 0 && p.in_loop && p.turn == 0)
    return fmt::format(
        "; not all threads take the branch at line {} around the loop: move its condition into the loop's body, so "
        "that all of them make the turns and come to the barrier",
        p.guard);
  if (p.guard != 0)
    return fmt::format(
        ", outside of the branch at line {}, which not all threads take: end the branch before the barrier, and begin "
        "it again behind it",
        p.guard);
  if (p.call_guard != 0)
    return fmt::format(
        "; the branch at line {} around the call keeps threads from it: let all threads make the call, and guard the "
        "work in the function",
        p.call_guard);
  if (p.leave != 0)
    return fmt::format("; threads that leave at line {} must come to it, too: guard the work instead of leaving",
                       p.leave);
  return {};
}

// "at the end of the loop's body, line 22"
std::string end_of_body(const facts& v) {
  if (v.place.turn_is_bare)
    return fmt::format("at the end of the loop's body, behind line {}, in braces that the body needs then", v.loop_end);
  return fmt::format("at the end of the loop's body, line {}", v.loop_end);
}

// Of two sides in the two branches of one if: the one that writes belongs in front.
std::string between_branches(const finding& f, const access& later, const access& earlier, const std::string& barrier) {
  const bool later_first =
      later.kind != access_kind::read && (earlier.kind == access_kind::read || later.line < earlier.line);
  const auto [first, second] = later_first ? std::pair(later.line, earlier.line) : std::pair(earlier.line, later.line);
  return fmt::format(
      "make two branches of the one at line {}, with {} between them, to which all threads come: first the branch of "
      "line {}, behind the barrier that of line {}{}",
      f.facts.place.guard, barrier, first, second,
      f.facts.loop_end != 0 ? fmt::format("; and put another barrier {}", end_of_body(f.facts)) : "");
}

// Of threads that take different ways and meet at barriers of some of them, or by atomic operations: a barrier of the
// whole block would hold up those that have nothing to do with it, or never come to it.
std::string between_roles(const finding& f, const access& later, const access& earlier, dialect d) {
  const facts& v = f.facts;
  if (v.waits_by_atomics)
    return fmt::format(
        "the branches of line {} wait for each other by atomic operations: let each tell the other only behind what it "
        "does at line {} and line {}, with {} in front of telling and behind waiting",
        v.place.guard, std::min(later.line, earlier.line), std::max(later.line, earlier.line),
        word_of("fence_block", d));
  const bool in_turns = v.loop_end != 0;  // then nobody knows which of the two comes first
  const bool later_first = !in_turns && later.kind != access_kind::read && earlier.kind == access_kind::read;
  const auto [first, second] = later_first ? std::pair(later.line, earlier.line) : std::pair(earlier.line, later.line);
  if (v.named_barriers)
    return fmt::format(
        "let both branches of line {} meet behind line {} and in front of line {}{}, at a named barrier of a number of "
        "its "
        "own: bar.sync where a thread waits, bar.arrive where it only tells, with the number of threads of both",
        v.place.guard, first, second, in_turns ? ", in each turn of the loop" : "");
  return fmt::format(
      "let both branches of line {} meet behind line {} and in front of line {}{}, at a barrier object of its own "
      "beside "
      "{}: arrive() behind the one, wait() in front of the other",
      v.place.guard, first, second, in_turns ? ", in each turn of the loop" : "", v.barrier_object);
}

// Every such line is a step that the lanes of a warp do not take together by themselves.
std::string steps_of_lanes(const finding& f, const access& later, const access& earlier, dialect d) {
  const auto [low, high] = std::minmax(later.line, earlier.line);
  barrier_place place = f.facts.place;
  if (place.lanes == 0) place.lanes = kWholeWarp;
  const std::string_view sync = word_of("sync_warp", d);
  const std::string barrier = place.lanes == kWholeWarp
                                  ? std::string(sync)
                                  : fmt::format("{}({:#010x})", sync.substr(0, sync.find('(')), place.lanes);
  return fmt::format(
      "in line {}, line {} and those like them, read the other lane's element into a variable, put {} behind that, "
      "then write, and put {} behind the write",
      low, high, barrier, barrier);
}

// At the end of a loop's body all come that make the turn: what stands around the places in it is no matter.
std::string so_that_all_end_the_turn(const barrier_place& p) {
  barrier_place outer = p;
  outer.after = 0;  // it is not between the two
  if (p.turn != 0) outer.guard = 0;
  return so_that_all_come(outer);
}

// Both accesses are one statement, which reads one element and writes another.
std::string read_first(const std::string& barrier, const barrier_place& p) {
  const std::string text =
      fmt::format("read into a variable of the thread, put {} behind that, and write behind the barrier", barrier);
  return p.guard != 0 && !p.guard_is_loop && !p.in_loop
             ? fmt::format("{}; the barrier belongs outside of the branch at line {}, which not all threads take", text,
                           p.guard)
             : text + so_that_all_come(p);
}

// left and right of one array, whose second half begins too early.
std::string names_kept_apart(const facts& v) {
  return fmt::format(
      "{} are one place here: keep apart what they are meant to name (arrays that overlap, bit-fields of one word)",
      v.two_names);
}

bool both_write(const access& a, const access& b) {
  return a.kind == access_kind::write && b.kind == access_kind::write;
}

// The lines that a barrier or the border of two launches goes between, of one finding or of its group.
std::pair<int, int> lines_between(const facts& v, const access& a, const access& b) {
  if (v.between_low != 0) return {v.between_low, v.between_high};
  if (v.place.after != 0 && v.place.after < v.place.before) return {v.place.after, v.place.before};
  return std::minmax(a.line, b.line);
}

// "between line 7 and line 9"
std::string place_between(const finding& f, const access& later_access, const access& earlier_access) {
  const auto [later, earlier] = parting_lines(later_access, earlier_access);
  if (later.line == 0 || earlier.line == 0) return "between the two accesses";
  if (!of_one_function(later, earlier))
    return fmt::format("between line {} of {} and line {} of {}", earlier.line, earlier.function, later.line,
                       later.function);
  const auto [low, high] = lines_between(f.facts, later, earlier);
  const std::string of_function = later.function == later_access.function ? "" : " of " + later.function;
  const barrier_place& p = f.facts.place;
  if (low == high && p.after == low && p.before == low && !p.upper.empty() && !p.lower.empty())
    return fmt::format("in line {}{} between \"{}\" and \"{}\"", low, of_function, p.upper, p.lower);
  if (low == high) return fmt::format("between the two statements of line {}{}", low, of_function);
  return fmt::format("between line {} and line {}{}", low, high, of_function);
}

// One side belongs to the loop's next turn.
std::string end_of_turn(const finding& f, const std::string& barrier, int low, int high) {
  const barrier_place& p = f.facts.place;
  if (p.turn_ends_in_head)
    return fmt::format(
        "put {} at the beginning of the loop's body, in front of line {}: other threads still read the condition at "
        "line {} of the turn before",
        barrier, low, high);
  if (low == high)
    return fmt::format(
               "put {} at the end of the loop's body, line {}: what stands in line {} in front of its barrier "
               "belongs to the loop's next turn",
               barrier, std::max(f.facts.loop_end, high), low) +
           so_that_all_end_the_turn(p);
  return fmt::format("put {} at the end of the loop's body, behind line {}: line {} belongs to the loop's next turn",
                     barrier, std::max(p.turn_behind, high), low) +
         so_that_all_end_the_turn(p);
}

// How accesses of two blocks that may wait for each other are put in order. Which of them came first says nothing about
// their lines: blocks run one after the other.
std::string order_in_grid(const finding& f, const access& later_access, const access& earlier_access, dialect d) {
  const auto [later, earlier] = parting_lines(later_access, earlier_access);
  const std::string sync = barrier_for(f, d);
  const facts& v = f.facts;
  const auto [low, high] = std::minmax(later.line, earlier.line);
  if (low == 0 || !of_one_function(later, earlier))
    return fmt::format("put {} {}", sync, place_between(f, later_access, earlier_access));
  const bool in_loop = v.loop_end != 0;
  if (v.next_turn) return end_of_turn(f, sync, low, high);
  if (low == high && in_loop && !v.same_array)
    return fmt::format("put {} {}: no block may begin its next turn before all have ended this one", sync,
                       end_of_body(v)) +
           so_that_all_end_the_turn(v.place);
  if (low == high) return read_first(sync, v.place) + (in_loop ? fmt::format("; and {} {}", sync, end_of_body(v)) : "");
  const bool meets_in_loop = in_loop && v.loop_begin <= v.barrier_line && v.barrier_line <= v.loop_end;
  return fmt::format("put {} {}{}{}", sync, place_between(f, later_access, earlier_access),
                     in_loop && !meets_in_loop ? ", and " + end_of_body(v) : "", so_that_all_come(v.place));
}

}  // namespace

bool meet_by_some(const facts& v) { return v.named_barriers || !v.barrier_object.empty() || v.waits_by_atomics; }

std::string element_of(const finding& f) {
  std::string out = !f.object.empty() ? f.object : f.space == memory_space::local ? "a variable" : "memory";
  for (const std::int64_t i : f.index) out += fmt::format("[{}]", i);
  return out;
}

std::string order_in_block(const finding& f, const access& later_access, const access& earlier_access, dialect d) {
  const facts& v = f.facts;
  if (wants_atomic(v)) return made_atomic(f, d);
  if (!v.two_names.empty())
    return names_kept_apart(v) + fmt::format("; only where one is to overwrite the other, put {} {}", barrier_for(f, d),
                                             place_between(f, later_access, earlier_access));
  if (v.steps_of_lanes) return steps_of_lanes(f, later_access, earlier_access, d);
  const auto [later, earlier] = parting_lines(later_access, earlier_access);
  const std::string barrier = barrier_for(f, d);
  const auto [low, high] = std::minmax(later.line, earlier.line);
  if (v.next_call)
    return fmt::format("put {} in front of line {}: it belongs to the next call of {}{}", barrier, low, later.function,
                       so_that_all_come(v.place));
  if (v.next_turn) return end_of_turn(f, barrier, low, high);
  if (v.place.in_two_branches && v.place.guard != 0)
    return meet_by_some(v) ? between_roles(f, later, earlier, d) : between_branches(f, later, earlier, barrier);
  const bool has_room = v.place.guard == 0 && v.place.after != 0 && v.place.after <= v.place.before;
  if (v.from_before_loop)
    return fmt::format(
        "put {} at the beginning of the loop's body, line {}: it orders the loop's turns, and the first of them after "
        "what came before the loop{}",
        barrier, v.loop_begin,
        low != high && has_room ? "; and another " + place_between(f, later_access, earlier_access) : "");
  if (v.flag && v.place.guard_is_loop) return made_atomic(f, d);
  if (v.place.turn_reads_others)
    return fmt::format(
               "read into a variable of the thread, put {} behind that, write behind the barrier, and put {} {}",
               barrier, barrier_again(f, d), end_of_body(v)) +
           so_that_all_end_the_turn(v.place);
  // A loop without a barrier: what one turn writes, another thread reads in its next, and the lines say no more.
  if (v.loop_end != 0 && (low == high || v.place.guard != 0 || (v.place.in_loop && v.place.after == 0)))
    return fmt::format("put {} {}: no thread may begin its next turn before all have ended this one", barrier,
                       end_of_body(v)) +
           so_that_all_end_the_turn(v.place);
  if (v.loop_end != 0)
    return fmt::format("put {} {}, and another {}{}", barrier, place_between(f, later_access, earlier_access),
                       end_of_body(v), so_that_all_end_the_turn(v.place));
  const bool one_place = low == high && of_one_function(later, earlier);
  if (one_place && both_write(later, earlier))
    return "give each thread an element of its own, let one thread alone write this one, or combine what they write by "
           "an atomic operation";
  if (one_place && low != 0 && later.kind != earlier.kind && v.place.after == 0) return read_first(barrier, v.place);
  const std::string_view apart =
      f.space == memory_space::global && v.place.lanes == 0 ? "; blocks are ordered only by separate launches" : "";
  return fmt::format("put {} {}{}{}", barrier, place_between(f, later_access, earlier_access),
                     so_that_all_come(v.place), apart);
}

namespace {

// One of two blocks reads what the other has changed by an atomic operation.
std::string read_what_all_have_changed(const facts& v, const access& later, const access& earlier, dialect d) {
  const access& read = later.kind == access_kind::read ? later : earlier;
  return fmt::format(
      "read it at line {} in a second launch; or in the block that is last: each block passes {} behind its updates "
      "and counts itself by an atomic operation, and the one that counts last reads{}",
      read.line, word_of("fence", d),
      v.cooperative ? fmt::format("; or put {} in front of the read", word_of("sync_grid", d)) : "");
}

// Other blocks still read what this one overwrites. The values have to lie somewhere until all have read.
std::string write_elsewhere(const finding& f, int line) {
  const facts& v = f.facts;
  return fmt::format(
      "write to a second array at line {}, {}and swap the two pointers between launches: other blocks still read what "
      "that line overwrites",
      line,
      v.place.in_loop && v.place.turn != 0
          ? fmt::format("launch the kernel once for each turn of the loop at line {}, ", v.place.turn)
          : "");
}

std::string split_launches(const finding& f, const access& later, const access& earlier, dialect d) {
  const auto [x, y] = parting_lines(later, earlier);
  if (f.facts.place.turn != 0)
    return fmt::format(
        "end the launch with each turn of the loop at line {}, and launch the kernel once for each; or make it a "
        "cooperative launch, with {} at the end of the loop's body",
        f.facts.place.turn, word_of("sync_grid", d));
  const bool one_function = x.line != 0 && y.line != 0 && of_one_function(x, y);
  const std::string where = one_function && x.line != y.line && f.facts.loop_end == 0
                                ? " " + place_between(f, later, earlier)
                                : std::string();
  const bool both = both_write(later, earlier);
  return fmt::format(
      "split the kernel into two launches{}, or hand over by an atomic flag or counter, with {} between "
      "the {}write and the flag, and between the flag and the {}",
      where, word_of("fence", d), both ? "first " : "", both ? "second" : "read");
}

}  // namespace

std::string order_of_blocks(const finding& f, const access& later, const access& earlier, dialect d) {
  const facts& v = f.facts;
  const std::string apart = ", or give each block memory of its own";
  if (v.in_place || v.both_update) return made_atomic(f, d) + apart;
  if (wants_atomic(v) || v.flag) return made_atomic(f, d);
  if (!v.two_names.empty()) return names_kept_apart(v);
  const bool one_reads = (later.kind == access_kind::read) != (earlier.kind == access_kind::read);
  const bool one_is_atomic = later.kind == access_kind::atomic || earlier.kind == access_kind::atomic;
  if (one_reads && one_is_atomic && !v.cooperative && !is_of_cluster(f))
    return read_what_all_have_changed(v, later, earlier, d);
  const auto [x, y] = parting_lines(later, earlier);
  const bool one_place = x.line != 0 && x.line == y.line && of_one_function(x, y);
  if (one_place && both_write(later, earlier) && !is_of_cluster(f))
    return "give each block memory of its own, let one block alone write here, or combine what they write by an atomic "
           "operation";
  if (v.cooperative || is_of_cluster(f)) return order_in_grid(f, later, earlier, d);
  const int written = later.kind == access_kind::write ? later.line : earlier.line;
  if (v.reads_first || (one_place && one_reads && v.same_array && v.loop_end == 0)) return write_elsewhere(f, written);
  return split_launches(f, later, earlier, d);
}

}  // namespace simt
