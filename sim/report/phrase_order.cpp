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
    {"^=", "atomic_xor", "atomicXor"},
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

std::string make_test_atomic(dialect d) {
  return fmt::format(
      "make the read and the write one atomic operation: an addition, maximum, minimum or exchange, or a "
      "loop with {}",
      d == dialect::cuda ? "atomicCAS" : "atomic_cas");
}

// Both accesses are one statement, which reads one element and writes another.
std::string read_first(std::string_view barrier) {
  return fmt::format("read into a variable of the thread, put {} behind that, and write behind the barrier", barrier);
}

bool both_write(const access& a, const access& b) {
  return a.kind == access_kind::write && b.kind == access_kind::write;
}

// The lines that a barrier or the border of two launches goes between, of one finding or of its group.
std::pair<int, int> lines_between(const facts& v, const access& a, const access& b) {
  if (v.between_low != 0) return {v.between_low, v.between_high};
  return std::minmax(a.line, b.line);
}

// One side belongs to the loop's next turn.
std::string end_of_turn(const finding& f, std::string_view barrier, int low, int high) {
  if (low == high)
    return fmt::format(
        "put {} at the end of the loop's body, line {}: what stands in line {} in front of its barrier "
        "belongs to the loop's next turn",
        barrier, std::max(f.facts.loop_end, high), low);
  return fmt::format("put {} at the end of the loop's body, behind line {}: line {} belongs to the loop's next turn",
                     barrier, high, low);
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
  if (f.facts.next_turn) return end_of_turn(f, sync, low, high);
  if (low == high && in_loop && !f.facts.same_array)
    return fmt::format(
        "put {} at the end of the loop's body, line {}: no block may begin its next turn before all "
        "have ended this one",
        sync, f.facts.loop_end);
  if (low == high)
    return read_first(sync) +
           (in_loop ? fmt::format("; and {} at the end of the loop's body, line {}", sync, f.facts.loop_end) : "");
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
  const facts& v = f.facts;
  if (v.in_place || v.both_update) return make_atomic(f, d);
  const auto [later, earlier] = parting_lines(later_access, earlier_access);
  const std::string_view sync = word_of("sync", d);
  const std::string barrier = fmt::format("a barrier ({})", sync);
  const auto [low, high] = std::minmax(later.line, earlier.line);
  if (v.next_turn) return end_of_turn(f, barrier, low, high);
  if (v.from_before_loop)
    return fmt::format(
        "put {} at the beginning of the loop's body, line {}: it orders the loop's turns, and the first of them after "
        "what came before the loop",
        barrier, v.loop_begin);
  // A loop without a barrier: what one turn writes, another thread reads in its next, and the lines say no more.
  if (v.loop_end != 0 && low == high)
    return fmt::format(
        "put {} at the end of the loop's body, line {}: no thread may begin its next turn before all have ended this "
        "one",
        barrier, v.loop_end);
  if (v.loop_end != 0)
    return fmt::format(
        "put {} at the end of the loop's body, line {}, and one between line {} and line {} if threads meet there "
        "within a turn: outside of branches that not all threads take",
        barrier, v.loop_end, low, high);
  const bool one_place = low == high && of_one_function(later, earlier);
  if (one_place && both_write(later, earlier))
    return "give each thread an element of its own, or let one thread alone write this one";
  if (v.test_and_write) return make_test_atomic(d);
  if (one_place && low != 0 && later.kind != earlier.kind) return read_first(barrier);
  const std::string in_branch =
      f.cause == cause::race_lanes ? fmt::format("; {} in a branch of one warp", word_of("sync_warp", d)) : "";
  const std::string_view apart = f.space == memory_space::global ? "; between blocks only another launch orders" : "";
  std::string where = "between the two accesses";
  if (low != high && low != 0 && of_one_function(later, earlier))
    where = fmt::format("between line {} and line {}{}", low, high,
                        later.function == later_access.function ? "" : " of " + later.function);
  else if (low != high && low != 0)
    where = fmt::format("between line {} of {} and line {} of {}", earlier.line, earlier.function, later.line,
                        later.function);
  return fmt::format("put a barrier ({}{}) {}{}", sync, in_branch, where, apart);
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

std::string split_launches(const finding& f, const access& later, const access& earlier, dialect d) {
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

}  // namespace

std::string order_of_blocks(const finding& f, const access& later, const access& earlier, dialect d) {
  const facts& v = f.facts;
  const std::string apart = ", or give each block memory of its own";
  if (v.in_place || v.both_update) return make_atomic(f, d) + apart;
  if (v.test_and_write) return make_test_atomic(d);
  const bool one_reads = (later.kind == access_kind::read) != (earlier.kind == access_kind::read);
  const bool one_is_atomic = later.kind == access_kind::atomic || earlier.kind == access_kind::atomic;
  if (one_reads && one_is_atomic && !v.cooperative) return read_what_all_have_changed(v, later, earlier, d);
  const auto [x, y] = parting_lines(later, earlier);
  const bool one_place = x.line != 0 && x.line == y.line && of_one_function(x, y);
  if (one_place && both_write(later, earlier))
    return "give each block memory of its own, let one block alone write here, or combine what they write by an atomic "
           "operation";
  if (v.cooperative) return order_in_grid(f, later, earlier, d);
  if (one_place && v.same_array && v.loop_end == 0)
    return "write to another array than the one that is read: other blocks still read what this line overwrites";
  return split_launches(f, later, earlier, d);
}

}  // namespace simt
