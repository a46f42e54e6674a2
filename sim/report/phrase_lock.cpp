// SPDX-License-Identifier: Apache-2.0
#include "phrase_lock.hpp"

#include <fmt/format.h>

#include "names.hpp"
#include "phrase_atomic.hpp"
#include "phrase_order.hpp"

namespace simt {
namespace {

bool is_relaxed(const held_lock& l) { return l.takes_relaxed || l.gives_relaxed; }

std::string behind_taking(const held_lock& l) {
  if (l.by_macros) return fmt::format("behind line {}, which takes the lock", l.taken);
  return l.by_branch ? fmt::format("at the beginning of the branch of line {}, which takes the lock", l.taken)
                     : fmt::format("behind the loop at line {}, which takes the lock", l.taken);
}

std::string orders_named(const held_lock& l) {
  const std::string acquire = fmt::format("memory_order_acquire at line {}, where the lock is taken", l.taken),
                    release = fmt::format("memory_order_release at line {}, where it is given back", l.given);
  if (!l.gives_relaxed) return "write " + acquire;
  return l.takes_relaxed ? fmt::format("write {}, and {}", acquire, release) : "write " + release;
}

}  // namespace

std::string lock_fails(const facts& v) {
  if (v.lock.store_column != 0) return "a plain store gives it back, which orders nothing";
  return is_relaxed(v.lock) ? "a relaxed operation keeps no other accesses in order"
                            : "an atomic operation alone keeps no other accesses in order";
}

std::string mended_lock(const finding& f, dialect d) {
  const held_lock& l = f.facts.lock;
  const std::string fence(word_of("fence", d));
  if (l.store_column != 0) {
    std::string out = fmt::format("give the lock back at line {} by an atomic operation: {}", l.given,
                                  atomic_update({l.given, l.target, l.operation, l.operand}, d));
    if (!l.fence_in_front) out += fmt::format(", with {} in front of it", fence);
    if (!l.fence_behind)
      out += fmt::format("{} {} {}", l.fence_in_front ? ", and put" : ", and", l.fence_in_front ? fence : "another",
                         behind_taking(l));
    return out + of_a_word(f, d);
  }
  if (is_relaxed(l)) return orders_named(l);
  std::string in_front =
      fmt::format("in front of {}line {}, which gives it back", l.by_macros ? "" : "the operation at ", l.given);
  for (const int line : l.also_given) in_front += fmt::format(", and of the one at line {}", line);
  if (l.fence_behind) return fmt::format("put {} {}", fence, in_front);
  if (l.fence_in_front) return fmt::format("put {} {}", fence, behind_taking(l));
  return fmt::format("put {} {}, and another {}", fence, behind_taking(l), in_front);
}

}  // namespace simt
