// SPDX-License-Identifier: Apache-2.0
// Three cases: what a copy brings is used before anybody has waited for it, a copy fills again what is still in use, or
// what it reads is written by another thread.
#include "phrase_copy.hpp"

#include <fmt/format.h>

#include "parting_lines.hpp"
#include "phrase_order.hpp"

namespace simt {
namespace {

// The copy, and who uses what it fills.
const access& copy_of(const finding& f) { return f.accesses[f.accesses[0].work == work::async_copy ? 0 : 1]; }
const access& use_of(const finding& f) { return f.accesses[f.accesses[0].work == work::async_copy ? 1 : 0]; }

// Each thread has waited for its own copies, and uses those of others.
bool only_lacks_barrier(const copy_wait& c) { return c.waits != 0 && c.barrier == 0 && !c.for_all; }

std::string before_next_copy(const copy_wait& c, dialect d) {
  return c.next_turn == 0 ? ""
                          : fmt::format(
                                "; and {} at the end of the loop's body, line {}, before the next turn's copy fills "
                                "the memory again",
                                word_of("sync", d), c.next_turn);
}

// The memory is what the copy reads, and the other side writes it.
bool reads_source(const finding& f) { return copy_of(f).kind == access_kind::read; }
// The copy was issued first, or the other side was there first.
bool copy_came_first(const finding& f) { return f.accesses[1].work == work::async_copy; }
bool of_one_block(const finding& f) { return f.accesses[0].block == f.accesses[1].block; }

// An asynchronous copy of what another thread wrote: its issuer has to come behind that.
std::string write_before_copy(const finding& f, dialect d) {
  const int begins = copy_of(f).line, written = use_of(f).line;
  if (!of_one_block(f))
    return fmt::format(
        "write it in an earlier launch than that of the copy at line {}, or let each block copy what it has written "
        "itself",
        begins);
  const bool in_order = written > 0 && written < begins && of_one_function(f.accesses[0], f.accesses[1]);
  return in_order ? fmt::format("put a barrier ({}) between line {} and line {}, where the copy begins",
                                word_of("sync", d), written, begins)
                  : fmt::format("put a barrier ({}) in front of the copy at line {}", word_of("sync", d), begins);
}

// A wait that leaves batches under way, behind a branch that does not end one in each turn.
std::string batch_in_each_turn(const copy_wait& c) {
  return fmt::format(
      "end a batch in each turn: move line {} out of the branch at line {} (a batch may be empty); or let line {} "
      "leave "
      "none under way where that branch copies nothing",
      c.batched, c.batch_guard, c.waits);
}

std::string wait_first(const finding& f, dialect d) {
  const facts& v = f.facts;
  const copy_wait& c = v.copy;
  const int filled = copy_of(f).line, used = use_of(f).line;
  const std::string wait =
      v.wait_call.empty() ? "wait for the copy" : fmt::format("wait for the copy ({})", v.wait_call);
  if (used <= 0 || filled <= 0 || !of_one_function(f.accesses[0], f.accesses[1]))
    return wait + " and put a barrier behind that before other threads use its destination";
  if (c.barrier != 0 && (!c.for_all || v.wait_call.empty()))
    return fmt::format("{} in front of the barrier at line {}", wait, c.barrier) + before_next_copy(c, d);
  if (c.for_all && filled < used)
    return fmt::format("{} between line {} and line {}", wait, filled, used) + before_next_copy(c, d);
  if (c.for_all) return fmt::format("{} in front of line {}", wait, used);
  return fmt::format("{}, and put a barrier ({}) behind that and in front of line {}", wait, word_of("sync", d), used) +
         before_next_copy(c, d);
}

}  // namespace

std::string why_of_copy(const finding& f) {
  if (f.accesses.size() < 2) return "an asynchronous copy is complete for a thread only after it has waited for it";
  if (reads_source(f) && !of_one_block(f))
    return fmt::format(
        "blocks of one launch are not ordered: the copy at line {} may read before line {} writes, and behind it",
        copy_of(f).line, use_of(f).line);
  if (reads_source(f) && !copy_came_first(f))
    return fmt::format("the copy at line {} reads what line {} writes, and no barrier has run between them",
                       copy_of(f).line, use_of(f).line);
  if (f.facts.copy.unbatched)
    return fmt::format(
        "line {} waits for batches, and no call ends the one that the copy at line {} is in: nothing waits for it",
        f.facts.copy.waits, copy_of(f).line);
  if (reads_source(f))
    return fmt::format("the copy at line {} may read its source until its thread has waited for it", copy_of(f).line);
  if (f.facts.copy.is_for_too_few())
    return fmt::format(
        "line {} leaves the last {} under way, and this copy may be of them", f.facts.copy.waits,
        f.facts.copy.leaves == 1 ? "batch of copies" : fmt::format("{} batches of copies", f.facts.copy.leaves));
  if (!f.facts.next_turn && only_lacks_barrier(f.facts.copy))
    return fmt::format(
        "each thread has waited for its own copies at line {}, and no barrier has run since: those of other threads "
        "may not be there",
        f.facts.copy.waits);
  if (!f.facts.next_turn)
    return "an asynchronous copy is complete for a thread only after that thread has waited for it";
  const int used = use_of(f).line, given = f.facts.lock.given;
  if (given != 0 && given < used)
    return fmt::format("line {} gives the stage back before line {} has used it, so the next copy may fill it", given,
                       used);
  return fmt::format("nothing keeps the copy at line {} from filling what line {} still uses", copy_of(f).line, used);
}

std::string order_of_copy(const finding& f, dialect d) {
  if (f.accesses.size() < 2) return "wait for the copy before its destination is used";
  const facts& v = f.facts;
  if (reads_source(f) && (!of_one_block(f) || !copy_came_first(f))) return write_before_copy(f, d);
  if (v.copy.unbatched)
    return fmt::format("put __pipeline_commit() behind the copy at line {} and in front of line {}", copy_of(f).line,
                       v.copy.waits);
  if (v.copy.is_for_too_few() && v.copy.batch_guard != 0) return batch_in_each_turn(v.copy);
  if (v.copy.is_for_too_few())
    return fmt::format(
        "let line {} leave fewer batches under way, {}: only those of which nothing is used before the next wait",
        v.copy.waits, v.copy.leaves - 1);
  if (!v.next_turn && only_lacks_barrier(v.copy))
    return fmt::format("put a barrier ({}) between line {} and line {}", word_of("sync", d), v.copy.waits,
                       use_of(f).line) +
           before_next_copy(v.copy, d);
  if (!v.next_turn) return wait_first(f, d);
  const int fill = copy_of(f).line, used = use_of(f).line;
  if (!v.text.empty() && v.lock.given != 0 && v.lock.given < used)
    return fmt::format("move {} from line {} to behind line {}, where the stage is used for the last time", v.text,
                       v.lock.given, used);
  if (!v.text.empty() && v.lock.given == 0)
    return fmt::format(
        "call {} behind line {}, where the stage is used for the last time, and producer_acquire() in front of line "
        "{}, which waits for that",
        v.text, used, fill);
  if (fill > used && of_one_function(f.accesses[0], f.accesses[1]))
    return fmt::format("put a barrier ({}) between line {} and line {}, where the copy fills the memory again",
                       word_of("sync", d), used, fill);
  if (v.copy.next_turn > used)
    return fmt::format(
        "put a barrier ({}) at the end of the loop's body, behind line {}: the copy at line {} belongs to the loop's "
        "next turn",
        word_of("sync", d), used, fill);
  return fmt::format(
      "put a barrier ({}) behind line {}, where the memory is used for the last time, and in front of the copy at line "
      "{} that fills it again: in a loop, at the end of the body",
      word_of("sync", d), used, fill);
}

}  // namespace simt
