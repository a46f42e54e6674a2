// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that need no agent of their own.
//
// A copy begins after what its thread has done, and is over when the thread has waited for it. To the detector that is
// an agent with a clock (async_begin). Where the thread waits itself, the same can be said with less: the copy is
// compared with what the issuer knew at its issue, and recorded as an access of the issuer at its wait. Whoever comes
// later knows of the copy if and only if it knows of the issuer's time behind the wait, which is what the record's
// epoch says.
//
// Invariants
// 1. Such a copy is only recorded where nothing is to be found: all that its cells say is ordered before its issue, and
//    what it reads was written before the launch. Else it becomes an agent at its end, with the clock of its issue
//    (async_began), and is judged as one.
// 2. That clock is known from three epochs, for nobody of the block had learned anything else when it was issued: the
//    block's barrier, the grid's, and how far the issuer's own accesses are before the copy.
// 3. Of the issuer's accesses since its last barrier none that touches the copy's cells is before the issue, or the
//    issuer uses younger epochs from the issue on (`own`). So an access of its own in between is told from one before.
// 4. Two copies under way know nothing of each other: the second one finds the record of the first, which is younger
//    than its issue.
#include "sim/check/core.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/happens_before.hpp"
#include "sim/check/own_copies.hpp"

namespace simt::check {
namespace {

constexpr shadow_word kTime = kSlow | kEpochMask;  // a slow cell compares as younger than all

bool are_whole_words(const data_copy& c) { return c.size != 0 && ((c.to | c.from | c.size) & 3) == 0; }

// May a copy of t's be told by three epochs, from now on or still?
bool is_simple(const thread_state& t, const data_copy& c) {
  const block_state& b = *t.block;
  return b.core->opt.races && b.owner == &b && !b.foreign_shared && are_whole_words(c) && c.size <= 4096 &&
         c.to - b.shared.base < b.quick_shared && b.quick_shared - (c.to - b.shared.base) >= c.size &&
         c.from - b.device.base < b.device.size && b.device.size - (c.from - b.device.base) >= c.size;
}

// What the words of the target say of accesses that are not ordered before the copy.
enum class target { old, own, other };
// Own: by t itself, at epochs of its interval below `until`.
target look_at_target(thread_state& t, const data_copy& c, epoch base, epoch until) {
  block_state& b = *t.block;
  target all = target::old;
  const auto own = [&](shadow_word x) {
    const epoch when = epoch_of(x);
    return (x & kSlow) == 0 && who_of(x) == t.rank && when < until && is_of(b, when);
  };
  for (std::uintptr_t at = c.to; at < c.to + c.size; at += 4) {
    if (at == c.to || at % 64 == 0) b.shadow->settle(at, false);
    const cell* const x = cell_at(b.shared_cells, at - b.all_shared.base);
    const shadow_word w = load(x->writer), r = readers_of(*x);
    if ((w & kTime) < b.first_epoch) {  // nothing, or what an earlier block left in the slot
      if ((r & kEpochMask) >= b.first_epoch || !is_in_one_array(b, at, at + 4)) return target::other;
      continue;
    }
    if (w & kSlow) return target::other;
    if (epoch_of(w) >= base) {
      if (!own(w)) return target::other;
      all = target::own;
    }
    if (r != 0 && epoch_of(r) >= base) {
      if (!own(r)) return target::other;
      all = target::own;
    }
  }
  return all;
}

// Was all of the source written before the launch, and does nobody write it now?
bool is_source_old(thread_state& t, const data_copy& c) {
  block_state& b = *t.block;
  for (std::uintptr_t at = c.from; at < c.from + c.size;) {
    const cell_guard guard(*b.shadow, at);
    for (const std::uintptr_t end = std::min(c.from + c.size, (at & ~std::uintptr_t{15}) + 16); at < end; at += 4) {
      const cell* const x = cell_at(b.device_cells, at - b.device.base);
      const shadow_word w = load(x->writer);
      if (w == 0) {
        const auto* const u = b.core->forms.uniform_at(b, at);
        if (u == nullptr || u->writer == 0 || u->writer >= b.device_floor) return false;
      } else if ((w & kTime) >= b.device_floor) {
        return false;
      }
    }
  }
  return true;
}

void read_source(thread_state& t, const data_copy& c) {
  const std::uintptr_t odd = c.from | c.size;
  const std::uint32_t piece = odd % 16 == 0 ? 16 : odd % 8 == 0 ? 8 : 4;
  for (std::uintptr_t at = c.from; at < c.from + c.size; at += piece) read(t, at, piece, c.pc);
}

void write_target(thread_state& t, const data_copy& c) {
  block_state& b = *t.block;
  const shadow_word self = epoch_for(t, c.pc) | t.who;
  for (std::uintptr_t at = c.to; at < c.to + c.size; at += 4) {
    cell* const x = cell_at(b.shared_cells, at - b.all_shared.base);
    set_readers(*x, 0);
    store(x->writer, self);
  }
}

void perform_as_agent(thread_state& issuer, thread_state& copy, const data_copy& c, sim::copy_end end) {
  read_range(copy, c.from, c.size, c.pc);
  write_range(copy, c.to, c.size, c.pc);
  if (end == sim::copy_end::issuer) {
    sync_object done;
    release(copy, done);
    acquire(issuer, done);
  } else if (end == sim::copy_end::object) {
    tell_object(copy);
  }
  async_end(copy);
}

}  // namespace

sim::copy_start begin_copy(thread_state& issuer, const data_copy& c) {
  block_state& b = *issuer.block;
  b.core->flush(issuer);
  close_deferred(b, c.to);
  if (!b.knows && !b.lanes_used && is_simple(issuer, c) && is_source_old(issuer, c)) {
    const target now = look_at_target(issuer, c, b.base, kEpochMask);
    if (now == target::old) return {nullptr, b.base, b.base, b.grid_base};
    if (now == target::own) {
      close_deferred(b);
      issuer.released = b.quiet_from = b.now();
      b.dirty = true;
      return {nullptr, b.base, b.now(), b.grid_base};
    }
  }
  return {&async_begin(issuer), 0, 0, 0};
}

void perform_copy(thread_state& issuer, sim::copy_start& start, const data_copy& c, sim::copy_end end) {
  block_state& b = *issuer.block;
  if (start.agent == nullptr) {
    b.core->flush(issuer);
    close_deferred(b, c.to);
    if (end == sim::copy_end::issuer && is_simple(issuer, c) &&
        look_at_target(issuer, c, start.base, start.own) != target::other && is_source_old(issuer, c)) {
      b.core->reports.copies.note(c.pc);
      read_source(issuer, c);
      write_target(issuer, c);
      return;
    }
    start.agent = &async_began(issuer, start);
  }
  perform_as_agent(issuer, static_cast<thread_state&>(*start.agent), c, end);
}

}  // namespace simt::check
