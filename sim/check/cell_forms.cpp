// SPDX-License-Identifier: Apache-2.0
#include "sim/check/cell_forms.hpp"

#include <algorithm>

#include "sim/check/addition_records.hpp"

namespace simt::check {

memory_state cell_forms::look_up(thread_state& t, std::uintptr_t granule) {
  return shadow_.in_shared(granule) ? blocks_.look_up(*t.block, granule) : objects_.look_up(*t.block, granule);
}

slow_cell& cell_forms::make_slow(thread_state& t, epoch when, cell& c, std::uintptr_t granule) {
  slow_cell* e = shadow_.slow_cells.take();
  const launch_state& l = *t.block->launch;
  const shadow_word w = c.writer, r = readers_of(c);
  const epoch floor =
      agents_.horizon;  // not the launch's floor: what is ordered before this launch may race with another stream's
  e->made = when;
  if (w == 0) {
    const memory_state m = look_up(t, granule);
    e->valid = m.valid;
    e->initialised = opt_.uninit ? m.initialised : 0xf;
    if (m.object) {
      const object_record& o = *m.object;
      set_once(o.touched);
      for (const range_write& x : o.writes) {
        std::uint8_t mask = 0;
        for (int i = 0; i < 4; ++i)
          if (granule + i >= x.from && granule + i < x.to) mask |= 1 << i;
        if (mask && x.when >= floor)
          e->records.push_back({x.when, record_kind::plain_write, {}, mask, 0, 0, 0, nullptr});
      }
    }
  } else {
    e->initialised = 0xf;
    e->written = epoch_of(w);
    if (epoch_of(w) >= floor)
      e->records.push_back({epoch_of(w), record_kind::plain_write, {}, 0xf, 0, 0, who_of(w), nullptr});
  }
  if (!shadow_.in_shared(granule))
    if (const object_record* o = objects_.find(granule)) set_once(o->has_slow_cells);
  for (shadow_word rest = r; const shadow_word group = next_group(epochs_, rest, floor);) {
    bool first = true;
    sets_.any(who_of(group), [&](std::uint32_t rank) {
      if (first) e->records.push_back({epoch_of(group), record_kind::plain_read, {}, 0xf, 0, 0, rank, nullptr});
      e->records.back().add(rank);
      first = false;
      return false;
    });
  }
  for (const access_record& o : e->records) {
    const bool of_launch = o.when >= l.floor && epochs_[o.when].agent == l.agent;
    (is_write(o.kind) ? e->others : e->reads)
        .add(o.when, {l.agent, l.floor, 0}, of_launch && !(epochs_[o.when].block & kAsyncBlock));
  }
  e->alike_from = e->records.size();
  shadow_.slow_cells.count_records(static_cast<std::ptrdiff_t>(e->records.size()));
  store(c.writer, kSlow | reinterpret_cast<std::uintptr_t>(e));
  set_readers(c, 0);
  return *e;
}

shadow_word cell_forms::last_write(const cell& c) const {
  const shadow_word w = c.writer, r = readers_of(c);
  if (is_slow(w)) {
    epoch last = std::max(slow_cell_of(w).written, kAncient);
    const addition_log& log = shadow_.additions;
    if (chain_length(w) != 0 && !log.is_dead(ticket_of(r))) last = std::max(last, epoch_of(log[last_of(r)].access));
    return make_shadow_word(last, 0);
  }
  if (is_byte_cells(w)) return make_shadow_word(std::max(byte_cells_of(w).written(), kAncient), 0);
  if (!is_byte_pattern(w)) return w;
  if (byte_patterns_[pattern_of(w)].written()) return make_shadow_word(epoch_of(w), 0);
  if (!(r & kChain)) return std::max(r, shadow_word{kAncient});
  const bool written = is_link(r) ? pattern_of(r) == kLinkWritten : byte_patterns_[pattern_of(r)].written() != 0;
  return written ? make_shadow_word(epoch_of(r), 0) : kAncient;
}

std::uint8_t cell_forms::initialised_in(const cell& c, const object_record& o, std::uintptr_t granule) const {
  const shadow_word w = c.writer;
  if (w == 0) return objects_.initial_mask(o, granule);
  return is_byte_cells(w)     ? byte_cells_of(w).initialised()
         : is_byte_pattern(w) ? byte_patterns_[pattern_of(w)].initialised
         : is_slow(w)         ? slow_cell_of(w).initialised
                              : 0xf;
}

slow_cell& cell_forms::slow_form(cell& c) {
  const shadow_word w = c.writer, before = readers_of(c);
  if (is_byte_cells(w)) return slow_form_of_bytes(c);
  if (!is_byte_pattern(w)) {
    gather(c);
    return slow_cell_of(w);
  }
  slow_cell* const e = shadow_.slow_cells.take();
  const byte_pattern& now = byte_patterns_[pattern_of(w)];
  e->made = epoch_of(w);
  e->initialised = now.initialised;
  e->written = epoch_of(last_write(c));
  const std::uint8_t written = now.written();
  const auto add = [&](epoch when, std::uint32_t rank, bool write, std::uint8_t mask, std::uintptr_t pc) {
    if (mask == 0 || when < agents_.horizon) return;
    const auto kind = write ? record_kind::plain_write : record_kind::plain_read;
    e->records.push_back({when, kind, {}, mask, 0, 0, rank, nullptr, false, pc});
  };
  // Without reads of what their thread wrote at that time, too: whoever races with those races with its write.
  const auto add_pattern = [&](epoch when, std::uint32_t base, const byte_pattern& p, std::uint8_t left) {
    for (const auto& a : p.accesses) {
      std::uint8_t mask = a.mask & left;
      for (const auto& own : p.accesses)
        if (!a.write && own.write && own.rank == a.rank) mask &= static_cast<std::uint8_t>(~own.mask);
      add(when, base + a.rank, a.write, mask, a.pc);
    }
  };
  const auto add_level = [&](shadow_word level) {
    const auto left = static_cast<std::uint8_t>(0xf & ~written);
    if (!(level & kChain)) return add(epoch_of(level), who_of(level), true, left, 0);
    add_pattern(epoch_of(level), base_of(level), byte_patterns_[pattern_of(level)], left);
  };
  if (!is_link(before)) {
    add_level(before);
  } else if (epoch_of(before) >= agents_.horizon) {
    const epoch_record link = epochs_[epoch_of(before)];
    add_level(with_origin(link.next, base_of(before) + link.agent));
    add_level(with_origin(link.pc, base_of(before)));
  }
  add_pattern(epoch_of(w), base_of(w), now, 0xf);
  for (const access_record& o : e->records) (is_write(o.kind) ? e->others : e->reads).add_unknown(o.when);
  e->alike_from = e->records.size();
  shadow_.slow_cells.count_records(static_cast<std::ptrdiff_t>(e->records.size()));
  store(c.writer, kSlow | reinterpret_cast<std::uintptr_t>(e));
  set_readers(c, 0);
  return *e;
}

bool cell_forms::is_over(const slow_cell& e, epoch done) const {
  return e.newest() < done && e.valid == 0xf && e.syncs.empty() && e.sync_back == 0 && e.updated.size == 0;
}

void cell_forms::gather(cell& c, const launch_state* covered_by) {
  const shadow_word w = c.writer, r = readers_of(c);
  if (r == 0 || !is_slow(w)) return;
  slow_cell& e = slow_cell_of(w);
  addition_log& log = shadow_.additions;
  set_readers(c, 0);
  store(c.writer, kSlow | reinterpret_cast<std::uintptr_t>(&e));
  const std::uint32_t last = last_of(r);
  if (last == 0 || log.is_dead(ticket_of(r))) return;
  additions& a = e.added;
  const shadow_word latest = log[last].access;
  if (epoch_of(latest) < agents_.horizon) return log.close(w, r);
  const epoch_record& d = epochs_[epoch_of(latest)];
  e.updated = {block_key(d.agent, d.block), who_of(latest), a.reach, a.start, a.size};
  e.written = std::max(e.written, epoch_of(latest));
  begin_additions(e, d.agent);  // an earlier launch may have opened it
  if (covered_by != nullptr && covered_by->agent != a.agent && agents_.ordered_before(*covered_by, a.agent))
    return log.close(w, r);
  const access_record like{0, record_kind::atomic_write, a.reach, 0xf, a.start, a.size, 0, nullptr};
  begin_alike(e, like);
  const std::size_t before = e.records.size();
  const recorded_chain chain = records_of_chain(log, last, agents_.horizon, like, e.alike_from, e.records);
  a.newest = std::max(a.newest, chain.newest);
  shadow_.slow_cells.count_records(static_cast<std::ptrdiff_t>(e.records.size() - before));
  log.close(w, r, chain.first);
}

void cell_forms::simplify(cell& c) {
  gather(c);
  const shadow_word w = c.writer;
  if (is_byte_cells(w)) {
    byte_cells& bytes = byte_cells_of(w);
    if (bytes.initialised() != 0xf || !bytes.are_over(agents_.horizon)) return;
    store(c.writer, last_write(c));
    return shadow_.bytes_apart.give_back(&bytes);
  }
  const bool is_pattern = is_byte_pattern(w);
  const std::uint8_t initialised = is_pattern ? byte_patterns_[pattern_of(w)].initialised : slow_cell_of(w).initialised;
  if (initialised != 0xf || !(is_pattern ? epoch_of(w) < agents_.horizon : is_over(slow_cell_of(w), agents_.horizon)))
    return;
  const shadow_word last = last_write(c);
  if (!is_pattern) shadow_.slow_cells.give_back(&slow_cell_of(w));
  set_readers(c, 0);
  store(c.writer, last);
}

}  // namespace simt::check
