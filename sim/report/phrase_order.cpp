// SPDX-License-Identifier: Apache-2.0
#include "phrase_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parting_lines.hpp"

namespace simt {
namespace {

// What the kernel calls it, which has its own name for the host's buffer; else the host's name.
std::string called(const finding& f) { return f.facts.target.empty() ? element_of(f) : f.facts.target; }

struct atomic_call {
  std::string_view update, in_api, in_cuda;
  bool negates = false;
};
constexpr atomic_call kAtomics[] = {
    {"+=", "atomic_add", "atomicAdd"},       {"++", "atomic_add", "atomicAdd"}, {"-=", "atomic_add", "atomicAdd", true},
    {"--", "atomic_add", "atomicAdd", true}, {"|=", "atomic_or", "atomicOr"},   {"&=", "atomic_and", "atomicAnd"},
    {"^=", "atomic_xor", "atomicXor"},       {">", "atomic_max", "atomicMax"},  {"<", "atomic_min", "atomicMin"},
};

// "atomicAdd(&bins[b], 1)"
std::string atomic_of(const finding& f, dialect d) {
  const facts& v = f.facts;
  const auto* call = std::ranges::find(kAtomics, v.update.empty() ? "+=" : v.update, &atomic_call::update);
  std::string target = called(f);
  if (d == dialect::cuda) target = target.starts_with('*') ? target.substr(1) : "&" + target;
  if (call == std::end(kAtomics))
    return fmt::format("a loop with {}({}, ...)", d == dialect::cuda ? "atomicCAS" : "atomic_cas", target);
  const bool steps = v.update == "++" || v.update == "--";
  std::string operand = steps ? "1" : v.operand.empty() ? "..." : v.operand;
  if (call->negates)
    operand = operand.find_first_of(" +-*/?") != std::string::npos ? "-(" + operand + ")" : "-" + operand;
  const std::string text =
      fmt::format("{}({}, {})", d == dialect::cuda ? call->in_cuda : call->in_api, target, operand);
  return v.value_used ? text + (call->negates ? " - 1" : " + 1") : text;
}

std::string make_atomic(const finding& f, dialect d) {
  if (f.facts.plain_update != 0)
    return fmt::format("make the update at line {} atomic, too: {}", f.facts.plain_update, atomic_of(f, d));
  return "make the update one atomic operation: " + atomic_of(f, d);
}

std::string make_test_atomic(const finding& f, dialect d) {
  if (f.facts.update == ">" || f.facts.update == "<")
    return "make the test and the write one atomic operation: " + atomic_of(f, d);
  return fmt::format(
      "make the read and the write one atomic operation: an addition, maximum, minimum or exchange, or a "
      "loop with {}",
      d == dialect::cuda ? "atomicCAS" : "atomic_cas");
}

// "atomicExch(&lock, 0)"
std::string give_back(const finding& f, dialect d) {
  const facts& v = f.facts;
  const std::string target = d == dialect::api           ? v.target
                             : v.target.starts_with('*') ? v.target.substr(1)
                                                         : "&" + v.target;
  return fmt::format(
      "give it back at line {} by an atomic operation, too: {}({}, {}), with {} in front of it, and another behind "
      "the operation that takes it",
      v.unlock_line, d == dialect::cuda ? "atomicExch" : "atomic_exch", target, v.operand, word_of("fence", d));
}

// What orders the two, as a noun.
std::string barrier_for(const finding& f, dialect d) {
  if (is_between_blocks(f.cause)) return std::string(word_of("sync_grid", d));
  const std::string_view sync = word_of("sync", d), sync_warp = word_of("sync_warp", d);
  const std::uint32_t lanes = f.facts.place.lanes;
  if (f.cause != cause::race_lanes) return fmt::format("a barrier ({})", sync);
  if (lanes == kWholeWarp) return std::string(sync_warp);
  if (lanes != 0) return fmt::format("{}({:#010x})", sync_warp.substr(0, sync_warp.find('(')), lanes);
  return fmt::format("a barrier ({}, or {} for the whole block)", sync_warp, sync);
}

// What else it takes that every thread comes to the barrier.
std::string so_that_all_come(const barrier_place& p) {
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
  if (p.leave != 0)
    return fmt::format("; threads that leave at line {} must come to it, too: guard the work instead of leaving",
                       p.leave);
  return {};
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
  if (low == high) return fmt::format("between the two statements of line {}{}", low, of_function);
  return fmt::format("between line {} and line {}{}", low, high, of_function);
}

// One side belongs to the loop's next turn.
std::string end_of_turn(const finding& f, const std::string& barrier, int low, int high) {
  const barrier_place& p = f.facts.place;
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
    return fmt::format(
               "put {} at the end of the loop's body, line {}: no block may begin its next turn before all "
               "have ended this one",
               sync, v.loop_end) +
           so_that_all_end_the_turn(v.place);
  if (low == high)
    return read_first(sync, v.place) +
           (in_loop ? fmt::format("; and {} at the end of the loop's body, line {}", sync, v.loop_end) : "");
  const bool meets_in_loop = in_loop && v.loop_begin <= v.barrier_line && v.barrier_line <= v.loop_end;
  return fmt::format(
      "put {} {}{}{}", sync, place_between(f, later_access, earlier_access),
      in_loop && !meets_in_loop ? fmt::format(", and at the end of the loop's body, line {}", v.loop_end) : "",
      so_that_all_come(v.place));
}

}  // namespace

std::string element_of(const finding& f) {
  std::string out = f.object.empty() ? "memory" : f.object;
  for (const std::int64_t i : f.index) out += fmt::format("[{}]", i);
  return out;
}

std::string order_in_block(const finding& f, const access& later_access, const access& earlier_access, dialect d) {
  const facts& v = f.facts;
  if (v.in_place || v.both_update) return make_atomic(f, d);
  if (v.unlock_line != 0) return give_back(f, d);
  const auto [later, earlier] = parting_lines(later_access, earlier_access);
  const std::string barrier = barrier_for(f, d);
  const auto [low, high] = std::minmax(later.line, earlier.line);
  if (v.next_call)
    return fmt::format("put {} in front of line {}: it belongs to the next call of {}{}", barrier, low, later.function,
                       so_that_all_come(v.place));
  if (v.next_turn) return end_of_turn(f, barrier, low, high);
  if (v.from_before_loop)
    return fmt::format(
        "put {} at the beginning of the loop's body, line {}: it orders the loop's turns, and the first of them after "
        "what came before the loop",
        barrier, v.loop_begin);
  // A loop without a barrier: what one turn writes, another thread reads in its next, and the lines say no more.
  if (v.loop_end != 0 && (low == high || v.place.guard != 0 || (v.place.in_loop && v.place.after == 0)))
    return fmt::format(
               "put {} at the end of the loop's body, line {}: no thread may begin its next turn before all have ended "
               "this one",
               barrier, v.loop_end) +
           so_that_all_end_the_turn(v.place);
  if (v.loop_end != 0)
    return fmt::format("put {} {}, and another at the end of the loop's body, line {}{}", barrier,
                       place_between(f, later_access, earlier_access), v.loop_end, so_that_all_end_the_turn(v.place));
  const bool one_place = low == high && of_one_function(later, earlier);
  if (one_place && both_write(later, earlier))
    return "give each thread an element of its own, or let one thread alone write this one";
  if (v.test_and_write) return make_test_atomic(f, d);
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
  const bool one_function = x.line != 0 && y.line != 0 && of_one_function(x, y);
  const std::string where = one_function && x.line != y.line && f.facts.loop_end == 0
                                ? " " + place_between(f, later, earlier)
                                : std::string();
  return fmt::format(
      "split the kernel into two launches{}, or hand over by an atomic flag or counter, with {} between "
      "the write and the flag, and between the flag and the read",
      where, word_of("fence", d));
}

}  // namespace

std::string order_of_blocks(const finding& f, const access& later, const access& earlier, dialect d) {
  const facts& v = f.facts;
  const std::string apart = ", or give each block memory of its own";
  if (v.in_place || v.both_update) return make_atomic(f, d) + apart;
  if (v.unlock_line != 0) return give_back(f, d);
  if (v.test_and_write) return make_test_atomic(f, d);
  const bool one_reads = (later.kind == access_kind::read) != (earlier.kind == access_kind::read);
  const bool one_is_atomic = later.kind == access_kind::atomic || earlier.kind == access_kind::atomic;
  if (one_reads && one_is_atomic && !v.cooperative) return read_what_all_have_changed(v, later, earlier, d);
  const auto [x, y] = parting_lines(later, earlier);
  const bool one_place = x.line != 0 && x.line == y.line && of_one_function(x, y);
  if (one_place && both_write(later, earlier))
    return "give each block memory of its own, let one block alone write here, or combine what they write by an atomic "
           "operation";
  if (v.cooperative) return order_in_grid(f, later, earlier, d);
  const int written = later.kind == access_kind::write ? later.line : earlier.line;
  if (v.reads_first || (one_place && one_reads && v.same_array && v.loop_end == 0)) return write_elsewhere(f, written);
  return split_launches(f, later, earlier, d);
}

}  // namespace simt
