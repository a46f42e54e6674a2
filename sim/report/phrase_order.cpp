// SPDX-License-Identifier: Apache-2.0
#include "phrase_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parting_lines.hpp"

namespace simt {
namespace {

std::string make_atomic(const finding& f, dialect d) {
  const std::string call = d == dialect::cuda ? "atomicAdd(&{}, ...)" : "atomic_add({}, ...)";
  return "make the update one atomic operation: " + fmt::format(fmt::runtime(call), element_of(f));
}

bool of_one_function(const access& a, const access& b) { return a.file == b.file && a.function == b.function; }

// The lines that a barrier or the border of two launches goes between, of one finding or of its group.
std::pair<int, int> lines_between(const facts& v, const access& a, const access& b) {
  if (v.between_low != 0) return {v.between_low, v.between_high};
  return std::minmax(a.line, b.line);
}

// How accesses of two blocks that may wait for each other are put in order. Which of them came first says nothing about
// their lines: blocks run one after the other.
std::string order_in_grid(const finding& f, const access& later_access, const access& earlier_access, dialect d) {
  const auto [later, earlier] = parting_lines(later_access, earlier_access);
  const std::string_view sync = word_of("sync_grid", d);
  const auto [low, high] = lines_between(f.facts, later, earlier);
  if (low == 0) return fmt::format("put {} between the two accesses", sync);
  if (!of_one_function(later, earlier))
    return fmt::format("put {} between line {} of {} and line {} of {}", sync, earlier.line, earlier.function,
                       later.line, later.function);
  const int barrier = f.facts.barrier_line;
  const bool in_loop = f.facts.loop_end != 0;
  if (barrier != 0 && low < barrier && barrier <= high)
    return fmt::format("put {} at the end of the loop's body, behind line {}: line {} belongs to the loop's next turn",
                       sync, high, low);
  if (low == high) return fmt::format("read into a variable, put {} behind that, then write", sync);
  const bool meets_in_loop = in_loop && f.facts.loop_begin <= barrier && barrier <= f.facts.loop_end;
  return fmt::format(
      "put {} between line {} and line {}{}", sync, low, high,
      in_loop && !meets_in_loop ? fmt::format(", and at the end of the loop's body, line {}", f.facts.loop_end) : "");
}

}  // namespace

std::string element_of(const finding& f) {
  std::string out = f.object.empty() ? "memory" : f.object;
  for (const std::int64_t i : f.index) out += fmt::format("[{}]", i);
  return out;
}

std::string order_in_block(const finding& f, const access& later_access, const access& earlier_access, dialect d) {
  if (f.facts.in_place) return make_atomic(f, d);  // no barrier goes between them
  const auto [later, earlier] = parting_lines(later_access, earlier_access);
  const std::string_view sync = word_of("sync", d);
  // Both have passed the last barrier. A line before it belongs to the next turn of the loop that holds the barrier.
  const int barrier = f.facts.barrier_line;
  const auto [low, high] = std::minmax(later.line, earlier.line);
  if (barrier != 0 && later.file == earlier.file && later.function == earlier.function && low < barrier &&
      barrier <= high)
    return fmt::format(
        "put a barrier ({}) at the end of the loop's body, behind line {}: line {} belongs to the loop's next turn",
        sync, high, low);
  if (f.facts.from_before_loop)
    return fmt::format(
        "put a barrier ({}) at the beginning of the loop's body, line {}: it orders the loop's turns, and the first of "
        "them after what came before the loop",
        sync, f.facts.loop_begin);
  // A loop without a barrier: what one turn writes, another thread reads in its next, and the lines say no more.
  if (f.facts.loop_end != 0 && low == high)
    return fmt::format(
        "put a barrier ({}) at the end of the loop's body, line {}: no thread may begin its next turn before all have "
        "ended this one",
        sync, f.facts.loop_end);
  if (f.facts.loop_end != 0)
    return fmt::format(
        "put a barrier ({}) at the end of the loop's body, line {}, and one between the two accesses if threads meet "
        "there within a turn: outside of branches that not all threads take",
        sync, f.facts.loop_end);
  if (low == high && low != 0 && later.kind != earlier.kind && later.file == earlier.file &&
      later.function == earlier.function)
    return fmt::format("read into a variable, put a barrier ({}) behind that, then write; or make them atomic", sync);
  if (later.line != later_access.line || earlier.line != earlier_access.line)
    return fmt::format("put a barrier ({}) between line {} and line {} of {}", sync, earlier.line, later.line,
                       later.function);
  const std::string in_branch =
      f.cause == cause::race_lanes ? fmt::format("; {} in a branch of one warp", word_of("sync_warp", d)) : "";
  const std::string_view apart = f.space == memory_space::global ? "; between blocks only another launch orders" : "";
  return fmt::format("put a barrier ({}{}) between the two accesses, or make them atomic{}", sync, in_branch, apart);
}

std::string order_of_blocks(const finding& f, const access& later, const access& earlier, dialect d) {
  if (f.facts.in_place) return make_atomic(f, d);
  if (f.facts.cooperative) return order_in_grid(f, later, earlier, d);
  const auto [x, y] = parting_lines(later, earlier);
  const auto [low, high] = lines_between(f.facts, x, y);
  const std::string where = low != 0 && low != high && of_one_function(x, y) && f.facts.loop_end == 0
                                ? fmt::format(" between line {} and line {}", low, high)
                                : "";
  return fmt::format(
      "split the kernel into two launches{}, or hand over by an atomic flag or counter, with {} between "
      "the write and the flag, and between the flag and the read",
      where, word_of("fence", d));
}

std::string order_of_writes(const finding& f, const access& later, const access& earlier, dialect d) {
  const std::string apart = ", or give each block memory of its own";
  if (f.facts.in_place) return make_atomic(f, d) + apart;
  const bool same_line = later.line == earlier.line && of_one_function(later, earlier);
  if (f.facts.cooperative && !(same_line && later.kind == earlier.kind)) return order_in_grid(f, later, earlier, d);
  return "use an atomic operation" + apart;
}

}  // namespace simt
