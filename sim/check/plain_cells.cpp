// SPDX-License-Identifier: Apache-2.0
// Plain accesses of any size, cell by cell. Cells that are slow, or become so, are slow_accesses.cpp's.
#include "sim/check/access_checker.hpp"
#include "sim/check/happens_before.hpp"
#include "sim/check/padding.hpp"

namespace simt::check {

void access_checker::plain(operation& op, bool write) {
  std::uintptr_t at = op.address & ~std::uintptr_t{3};
  const std::uintptr_t end = op.address + op.size;
  while (at < end) {
    const std::uintptr_t group_end = std::min(end, (at & ~std::uintptr_t{15}) + 16);
    const cell_guard guard(shadow_, at);
    for (; at < group_end; at += 4) {
      cell* c = shadow_.cell_of(at);
      if (!c) {  // runs over the end of the range
        if (opt_.memory && !op.bad_memory) reports_.memory(op, rule::out_of_bounds, at);
        op.bad_memory = true;
        break;
      }
      std::uint8_t mask = 0xf;
      if (at < op.address) mask &= static_cast<std::uint8_t>(0xf << (op.address - at));
      if (end - at < 4) mask &= static_cast<std::uint8_t>((1 << (end - at)) - 1);
      plain_cell(op, *c, at, mask, write);
    }
    if (at < group_end) break;
  }
  if (op.unwritten_from != op.unwritten_to) end_of_unwritten(op);
}

void access_checker::unwritten(operation& op, std::uintptr_t granule, std::uint8_t mask) {
  for (std::uintptr_t at = granule; at < granule + 4 && !op.uninitialised; ++at) {
    if (!(mask >> (at - granule) & 1)) continue;
    if (at == op.unwritten_to && op.unwritten_from != op.unwritten_to) {
      ++op.unwritten_to;
      continue;
    }
    end_of_unwritten(op);
    op.unwritten_from = at;
    op.unwritten_to = at + 1;
  }
  if (op.kind == access_kind::atomic) end_of_unwritten(op);
}

void access_checker::end_of_unwritten(operation& op) {
  const std::uintptr_t from = op.unwritten_from, to = op.unwritten_to;
  op.unwritten_from = op.unwritten_to = 0;
  if (op.uninitialised || from == to) return;
  if (op.kind != access_kind::atomic && may_be_padding(op.address, op.size, from, to)) return;
  op.uninitialised = true;
  reports_.memory(op, rule::uninitialized_read, from);
}

void access_checker::plain_cell(operation& op, cell& c, std::uintptr_t granule, std::uint8_t mask, bool write) {
  thread_state& t = op.thread;
  block_state& b = *t.block;
  shadow_word w = c.writer, r = readers_of(c);
  const bool is_shared = shadow_.in_shared(granule);
  bool own = false;
  if (is_shared) {
    own = refresh_shared(t, c, granule);
    w = c.writer, r = readers_of(c);
  }
  if (w & kSlow) {
    if (!is_shared) forms_.simplify(c);
    if ((c.writer & kSlow) && !is_slow(c.writer)) forms_.slow_form(c);
    w = c.writer, r = readers_of(c);
  }
  if (w == 0 || (w & kSlow) || mask != 0xf) {
    if (w == 0) {
      const memory_state m = forms_.look_up(t, granule);
      shadow_word copied = 0;
      if (mask & ~m.valid) {
        if (opt_.memory && !op.bad_memory) {
          reports_.memory(op, m.object && !m.object->live ? rule::use_after_free : rule::out_of_bounds, granule);
          op.bad_memory = true;
        }
        if (opt_.memory || !(mask & m.valid)) return;
        mask &= m.valid;
      }
      if (m.object) {
        const object_record& o = *m.object;
        set_once(o.touched);
        for (const range_write& x : o.writes)
          if (x.when >= agents_.horizon && x.from < granule + 4 && x.to > granule) {
            const bool covers = x.from <= granule && x.to >= granule + 4;
            copied =
                covers ? make_shadow_word(x.when, 0) : ~shadow_word{0};  // a covering copy replaces the ones before it
          }
      }
      if (copied == ~shadow_word{0} || m.valid != 0xf || mask != 0xf || (m.initialised != 0 && m.initialised != 0xf)) {
        slow_cell& e = forms_.make_slow(op.thread, op.when, c, granule);
        slow_access(op, e, granule,
                    {write ? record_kind::plain_write : record_kind::plain_read, !write, {}, mask, 0, 0});
        return;
      }
      if (m.initialised == 0xf || !opt_.uninit) {
        // Not in shared memory: nothing is initialised there, and kAncient would be older than the block.
        if (!is_shared) store(c.writer, w = copied ? copied : kAncient);
      } else if (!write && !op.uninitialised) {
        unwritten(op, granule, 0xf);
      }
    } else {
      slow_cell& e = w & kSlow ? slow_cell_of(w) : forms_.make_slow(op.thread, op.when, c, granule);
      if (write) sync_variables_.overwrite(granule, op.address, op.size, false);
      slow_access(op, e, granule, {write ? record_kind::plain_write : record_kind::plain_read, !write, {}, mask, 0, 0});
      if (!write || mask != 0xf || e.valid != 0xf || e.records.size() != 1 || !e.syncs.empty() || e.sync_back) return;
      // One write of the whole cell is ordered after all that came before: back to the plain form.
      shadow_word compact = make_shadow_word(op.when, t.rank);
      if (e.records[0].ranks || e.records[0].when != op.when || e.records[0].rank != t.rank) return;
      shadow_.slow_cells.give_back(&e);
      set_readers(c, 0);
      store(c.writer, compact);
      return;
    }
  }
  if (!opt_.races) {
    if (write) store(c.writer, make_shadow_word(op.when, t.rank));
    return;
  }
  const shadow_word mine = make_shadow_word(op.when, t.rank);
  // ---- against the last write ----
  if (w > kAncient && who_of(w) == t.rank && epoch_of(w) >= interval_start(t) && is_of(b, epoch_of(w))) {
    if (!write && r == 0) return;  // a read after the thread's own write of this interval adds nothing
    if (write && r == 0) {
      store(c.writer, mine);
      return;
    }
  } else if (w > kAncient && !(own && epoch_of(w) < b.shared_floor) && !ordered(t, epoch_of(w), who_of(w))) {
    reports_.race(op, granule, 0xf, {epoch_of(w), who_of(w), access_kind::write},
                  ordered(t, epoch_of(w), who_of(w), true));
  }
  if (!write) {
    const shadow_word next = r == 0 || (own && epoch_of(r) < b.shared_floor) ? mine : readers_.add(t, r, op.when);
    if (next != r) set_readers(c, next);
    if (!b.knows) {
      const shadow_word who = common_thread(b, r, mine);
      step_slot(b, r ^ who, mine ^ who) = {r ^ who, mine ^ who, next ^ who, b.quiet_from};
    }
    return;
  }
  // ---- a write, against the readers ----
  if (r && !(own && epoch_of(r) < b.shared_floor)) {
    for (shadow_word rest = r; const shadow_word group = next_group(epochs_, rest, b.launch->floor);) {
      std::uint32_t who;
      auto any = [&](auto f) { return sets_.any(who_of(group), f); };
      const bool unscoped = find_unordered(t, epoch_of(group), any, who, true);
      if (unscoped || find_unordered(t, epoch_of(group), any, who))
        reports_.race(op, granule, 0xf, {epoch_of(group), who, access_kind::read}, !unscoped);
    }
  }
  store(c.writer, mine);
  if (r) set_readers(c, 0);
}

bool access_checker::refresh_shared(thread_state& t, cell& c, std::uintptr_t granule) {
  block_state& b = *t.block;
  epoch born;  // of its owner
  const block_state* const owner = blocks_.touched(b, granule, born);
  const shadow_word w = c.writer;
  if (is_slow(w) ? slow_cell_of(w).made < born : w && epoch_of(w) < born) shadow_.forget(c);
  if (const shadow_word r = readers_of(c); r && epoch_of(r) < born) set_readers(c, 0);
  return owner == &b && !b.foreign_shared;
}

}  // namespace simt::check
