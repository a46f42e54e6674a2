// SPDX-License-Identifier: Apache-2.0
// Three cases: what a copy brings is used before anybody has waited for it, or by other threads than the one that has;
// or a copy fills again what is still in use.
#include "phrase_copy.hpp"

#include <fmt/format.h>

#include "phrase_order.hpp"

namespace simt {
namespace {
const access& copy_of(const finding& f) { return f.accesses[f.accesses[0].work == work::async_copy ? 0 : 1]; }
const access& use_of(const finding& f) { return f.accesses[&copy_of(f) == &f.accesses[0] ? 1 : 0]; }
}  // namespace

std::string why_of_copy(const finding& f) {
  if (f.facts.waited_at != 0)
    return fmt::format(
        "line {} waits for the copies of its own thread only, not for those of the block's other threads",
        f.facts.waited_at);
  if (!f.facts.next_turn)
    return "an asynchronous copy is complete for a thread only after that thread has waited for it";
  const int used = use_of(f).line, given = f.facts.lock.given;
  if (given != 0 && given < used)
    return fmt::format("line {} gives the stage back before line {} has used it, so the next copy may fill it", given,
                       used);
  return fmt::format("nothing keeps the copy at line {} from filling what line {} still uses", copy_of(f).line, used);
}

std::string order_of_copy(const finding& f, dialect d) {
  const facts& v = f.facts;
  if (v.waited_at != 0)
    return fmt::format(
        "put a barrier ({}) behind the wait at line {}, before threads use what others have copied; in a loop, one at "
        "the end of the body, too, before the next turn's copy fills it again",
        word_of("sync", d), v.waited_at);
  if (!f.facts.next_turn)
    return fmt::format(
        "wait for the copy{} and put a barrier behind that before other threads use its destination; in a loop, one at "
        "the end of the body, too, before the next turn's copy fills it again",
        v.wait_call.empty() ? "" : fmt::format(" ({})", v.wait_call));
  const int fill = copy_of(f).line, used = use_of(f).line;
  if (!v.text.empty() && v.lock.given != 0 && v.lock.given < used)
    return fmt::format("move {} from line {} to behind line {}, where the stage is used for the last time", v.text,
                       v.lock.given, used);
  if (!v.text.empty() && v.lock.given == 0)
    return fmt::format(
        "call {} behind line {}, where the stage is used for the last time, and producer_acquire() in front of line "
        "{}, which waits for that",
        v.text, used, fill);
  return fmt::format(
      "put a barrier ({}) behind line {}, where the memory is used for the last time, and in front of the copy at line "
      "{} that fills it again: in a loop, at the end of the body",
      word_of("sync", d), used, fill);
}

}  // namespace simt
