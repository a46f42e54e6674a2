// SPDX-License-Identifier: Apache-2.0
// Plain accesses: the fast paths, and the compact cells behind them.
#include <type_traits>

#include "sim/check/hot.hpp"
#include "sim/check/padding.hpp"

namespace simt::check {
namespace {

// Looks up what hot_cell() asks for but has not at hand: whether the record in a cell is the thread's own, and what an
// untouched cell stands for.
inline void fetch_for_hot_cell(thread_state& t, const cell& c, std::uintptr_t granule) {
  block_state& b = *t.block;
  const word w = c.writer, r = readers_of(c);
  if (w == 0 && !b.core->in_shared(granule)) b.core->uniform_at(b, granule);
  const word x = r != 0 ? r : w;
  if (x == 0 || (x & kExtended) || who_of(x) != t.rank || id_of(x) < min_id(t)) return;
  if (b.core->is_of(b, id_of(x))) b.own_id = id_of(x);
}

template <bool Write>
[[gnu::noinline]] bool slow(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc, time_id id) {
  operation op{t, address, size, pc, Write ? access_kind::write : access_kind::read, id};
  t.block->core->plain_access(op, Write);
  return true;
}

[[gnu::noinline]] bool misaligned(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc,
                                  access_kind kind) {
  detector_core& d = *t.block->core;
  operation op{t, address, size, pc, kind, descriptor_for(t, pc)};
  if (d.opt.memory) d.report_memory(op, rule::misaligned, address);
  d.plain_access(op, kind == access_kind::write);
  return true;
}

// An access of whole cells of one group.
template <bool Write, std::uint32_t Size, bool Device>
[[gnu::always_inline]] inline bool whole_cells(thread_state& t, std::uintptr_t address, std::uintptr_t pc, time_id id,
                                               cell* c) {
  block_state& b = *t.block;
  detector_core& d = *b.core;
  if (!Device && address - b.shared.base >= b.shared.size) return slow<Write>(t, address, Size, pc, id);
  constexpr std::uint32_t cells = Size / 4;
  if (!d.opt.races) {
    const time_id least = Device ? 0 : b.first_id;
    std::uint32_t i = 0;
    for (; i < cells; ++i)
      if (const word w = load(c[i].writer); w == 0 || (w & kExtended) || id_of(w) < least) break;
    return i == cells || slow<Write>(t, address, Size, pc, id);
  }
  const word self = id | t.who;
  auto& site = site_of(b, pc);
  bool done;
  {
    const cell_guard guard(d, address);
    done = hot_cells<Write, Device, cells>(t, site, c, address, self);
    for (std::uint32_t i = 0; !done && i < cells; ++i) {
      fetch_for_hot_cell(t, c[i], address + i * 4);
      done = hot_cells<Write, Device, cells>(t, site, c, address, self);
    }
  }
  return done || slow<Write>(t, address, Size, pc, id);
}

}  // namespace

template <bool Write, std::uint32_t Size>
[[gnu::noinline]] bool cold_access(thread_state& t, std::uintptr_t address, std::uintptr_t pc, bool natural) {
  block_state& b = *t.block;
  detector_core& d = *b.core;
  if (t.pending) [[unlikely]]
    Write ? d.settle(t) : d.settle_before_read(t);
  cell* c = d.cell_of(address);
  if (!c) return false;
  if (address & (Size - 1)) [[unlikely]] {
    if (natural) return misaligned(t, address, Size, pc, Write ? access_kind::write : access_kind::read);
    return slow<Write>(t, address, Size, pc, descriptor_for(t, pc));
  }
  if constexpr (Size < 4) {
    constexpr std::uint8_t kBytes = (1 << Size) - 1;
    return d.mosaic_access(t, address, static_cast<std::uint8_t>(kBytes << (address & 3)), Write, pc) ||
           slow<Write>(t, address, Size, pc, descriptor_for(t, pc));
  } else {
    const time_id id = descriptor_for(t, pc);
    return d.in_shared(address) ? whole_cells<Write, Size, false>(t, address, pc, id, c)
                                : whole_cells<Write, Size, true>(t, address, pc, id, c);
  }
}

namespace {

// Natural: the address must be a multiple of the size.
template <bool Write, bool Natural>
bool by_size(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  const auto of = [&]<std::uint32_t Size>(std::integral_constant<std::uint32_t, Size>) {
    return Natural ? announce<Write, Size>(t, address, pc) : cold_access<Write, Size>(t, address, pc, false);
  };
  switch (size) {
    case 1:
      return of(std::integral_constant<std::uint32_t, 1>{});
    case 2:
      return of(std::integral_constant<std::uint32_t, 2>{});
    case 4:
      return of(std::integral_constant<std::uint32_t, 4>{});
    case 8:
      return of(std::integral_constant<std::uint32_t, 8>{});
    default:
      return of(std::integral_constant<std::uint32_t, 16>{});
  }
}

}  // namespace

template bool cold_access<false, 1>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<false, 2>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<false, 4>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<false, 8>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<false, 16>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<true, 1>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<true, 2>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<true, 4>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<true, 8>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool cold_access<true, 16>(thread_state&, std::uintptr_t, std::uintptr_t, bool);

void report_broken_copy(thread_state& t, const broken_copy& c, std::uintptr_t pc) {
  detector_core& d = *t.block->core;
  if (!d.opt.memory || !d.cell_of(c.address)) return;
  operation op{t, c.address, c.size, pc, c.write ? access_kind::write : access_kind::read, descriptor_for(t, pc)};
  op.whole_copy = c.whole;
  op.declared_align = c.declared;
  d.report_memory(op, rule::misaligned, c.address);
}
bool read(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<false, true>(t, address, size, pc);
}
bool write(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<true, true>(t, address, size, pc);
}
bool read_unaligned(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<false, false>(t, address, size, pc);
}
bool write_unaligned(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<true, false>(t, address, size, pc);
}

bool read_range(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
  if (t.pending) t.block->core->settle_before_read(t);
  if (size == 0 || !t.block->core->cell_of(address)) return false;
  return slow<false>(t, address, size, pc, descriptor_for(t, pc));
}
bool write_range(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
  if (t.pending) t.block->core->settle(t);
  if (size == 0 || !t.block->core->cell_of(address)) return false;
  return slow<true>(t, address, size, pc, descriptor_for(t, pc));
}

void detector_core::plain_access(operation& op, bool write) {
  std::uintptr_t at = op.address & ~std::uintptr_t{3};
  const std::uintptr_t end = op.address + op.size;
  while (at < end) {
    const std::uintptr_t line_end = std::min(end, (at & ~std::uintptr_t{15}) + 16);
    const cell_guard guard(*this, at);
    for (; at < line_end; at += 4) {
      cell* c = cell_of(at);
      if (!c) {  // runs over the end of the range
        if (opt.memory && !op.bad_memory) report_memory(op, rule::out_of_bounds, at);
        op.bad_memory = true;
        break;
      }
      std::uint8_t mask = 0xf;
      if (at < op.address) mask &= static_cast<std::uint8_t>(0xf << (op.address - at));
      if (end - at < 4) mask &= static_cast<std::uint8_t>((1 << (end - at)) - 1);
      plain_cell(op, *c, at, mask, write);
    }
    if (at < line_end) break;
  }
  if (op.unwritten_from != op.unwritten_to) end_of_unwritten(op);
}

void detector_core::unwritten(operation& op, std::uintptr_t granule, std::uint8_t mask) {
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

void detector_core::end_of_unwritten(operation& op) {
  const std::uintptr_t from = op.unwritten_from, to = op.unwritten_to;
  op.unwritten_from = op.unwritten_to = 0;
  if (op.uninitialised || from == to) return;
  if (op.kind != access_kind::atomic && may_be_padding(op.address, op.size, from, to)) return;
  op.uninitialised = true;
  report_memory(op, rule::uninitialized_read, from);
}

void detector_core::plain_cell(operation& op, cell& c, std::uintptr_t granule, std::uint8_t mask, bool write) {
  thread_state& t = op.thread;
  block_state& b = *t.block;
  word w = c.writer, r = readers_of(c);
  const bool is_shared = in_shared(granule);
  bool own = false;
  if (is_shared) {
    own = refresh_shared(t, c, granule);
    w = c.writer, r = readers_of(c);
  }
  if (w & kExtended) {
    if (!is_shared) simplify(c);
    if (is_mosaic(c.writer)) extended_form(c);
    w = c.writer, r = readers_of(c);
  }
  if (w == 0 || (w & kExtended) || mask != 0xf) {
    if (w == 0) {
      const memory_state m = look_up(t, granule);
      word copied = 0;
      if (mask & ~m.valid) {
        if (opt.memory && !op.bad_memory) {
          report_memory(op, m.object && !m.object->live ? rule::use_after_free : rule::out_of_bounds, granule);
          op.bad_memory = true;
        }
        if (opt.memory || !(mask & m.valid)) return;
        mask &= m.valid;
      }
      if (m.object) {
        auto& o = const_cast<object_record&>(*m.object);
        if (!__atomic_load_n(&o.touched, __ATOMIC_RELAXED)) __atomic_store_n(&o.touched, true, __ATOMIC_RELAXED);
        for (const range_write& x : o.writes)
          if (x.id >= horizon && x.from < granule + 4 && x.to > granule) {
            const bool covers = x.from <= granule && x.to >= granule + 4;
            copied = covers ? make_word(x.id, 0) : ~word{0};  // a covering copy replaces the ones before it
          }
      }
      if (copied == ~word{0} || m.valid != 0xf || mask != 0xf || (m.initialised != 0 && m.initialised != 0xf)) {
        extended_cell& e = extend(op, c, granule);
        extended_access(op, e, granule,
                        {write ? record_kind::plain_write : record_kind::plain_read, !write, {}, mask, 0, 0});
        return;
      }
      if (m.initialised == 0xf || !opt.uninit) {
        // In shared memory kAncient would look stale, and nothing is initialised there.
        if (!is_shared) store(c.writer, w = copied ? copied : kAncient);
      } else if (!write && !op.uninitialised) {
        unwritten(op, granule, 0xf);
      }
    } else {
      extended_cell& e = w & kExtended ? extended_of(w) : extend(op, c, granule);
      if (write) overwrite_syncs(granule, op.address, op.size, false);
      extended_access(op, e, granule,
                      {write ? record_kind::plain_write : record_kind::plain_read, !write, {}, mask, 0, 0});
      if (!write || mask != 0xf || e.valid != 0xf || e.records.size() != 1 || !e.syncs.empty() || e.sync_back) return;
      // One full write dominates all that came before: back to the compact form.
      word compact = make_word(op.id, t.rank);
      if (e.records[0].ranks || e.records[0].id != op.id || e.records[0].rank != t.rank) return;
      free_extended(&e);
      set_readers(c, 0);
      store(c.writer, compact);
      return;
    }
  }
  if (!opt.races) {
    if (write) store(c.writer, make_word(op.id, t.rank));
    return;
  }
  const word mine = make_word(op.id, t.rank);
  // ---- against the last write ----
  if (w > kAncient && who_of(w) == t.rank && id_of(w) >= min_id(t) && is_of(b, id_of(w))) {
    if (!write && r == 0) return;  // a read after the thread's own write of this interval adds nothing
    if (write && r == 0) {
      store(c.writer, mine);
      return;
    }
  } else if (w > kAncient && !(own && id_of(w) < b.shared_floor) && !ordered(t, id_of(w), who_of(w))) {
    report_race(op, granule, 0xf, {id_of(w), who_of(w), access_kind::write}, ordered(t, id_of(w), who_of(w), true));
  }
  if (!write) {
    const word next = r == 0 || (own && id_of(r) < b.shared_floor) ? mine : add_reader(t, r, op.id);
    if (next != r) set_readers(c, next);
    if (!b.knows) {
      const word who = common_thread(b, r, mine);
      step_slot(b, r ^ who, mine ^ who) = {r ^ who, mine ^ who, next ^ who, b.quiet_from};
    }
    return;
  }
  // ---- a write, against the readers ----
  if (r && !(own && id_of(r) < b.shared_floor)) {
    for (word rest = r; const word group = next_group(descriptors, rest, b.launch->floor);) {
      std::uint32_t who;
      auto any = [&](auto f) { return sets.any(who_of(group), f); };
      const bool wide = find_unordered(t, id_of(group), any, who, true);
      if (wide || find_unordered(t, id_of(group), any, who))
        report_race(op, granule, 0xf, {id_of(group), who, access_kind::read}, !wide);
    }
  }
  store(c.writer, mine);
  if (r) set_readers(c, 0);
}

// Clears what an earlier block left in a cell of shared memory. True if it is the block's own and nobody else's.
bool detector_core::refresh_shared(thread_state& t, cell& c, std::uintptr_t granule) {
  block_state& b = *t.block;
  const bool mine = granule - b.owner->shared.base < b.owner->shared.size;
  block_state* owner = mine ? b.owner : owner_of_shared(granule);
  time_id born = owner ? owner->first_id : kIdMask;
  if (!owner) {
    std::lock_guard guard(owners_mutex);
    if (expected_block* const early = expected_owner(granule).second) {
      early->touched = true;
      born = early->since;
    }
  }
  if (owner && owner != &b) owner->share();
  const word w = c.writer;
  if (is_private(w) ? extended_of(w).made < born : w && id_of(w) < born) forget(c);
  if (const word r = readers_of(c); r && id_of(r) < born) set_readers(c, 0);
  return owner == &b && !b.foreign_shared;
}

std::uint32_t detector_core::with_rank(block_state& b, std::uint32_t set, std::uint32_t rank) {
  const std::uint32_t key = set << 10 | rank;
  auto& slot = set_slot(b, key);
  if (slot.key == key) return slot.set;
  const std::uint32_t next = sets.with(set, rank);
  if (next != thread_sets::kFull) slot = {key, next};
  return next;
}

std::uint32_t detector_core::with_ranks(block_state& b, std::uint32_t set, std::uint32_t first, std::uint32_t step,
                                        std::uint32_t count) {
  for (; count > 0 && set != thread_sets::kFull; --count, first += step) set = with_rank(b, set, first);
  return set;
}

// Links are shared where the cache remembers them, so that cells with one history have one chain.
word detector_core::link(block_state& b, word group, word rest) {
  if (rest == 0) return group;
  constexpr word kWho = kWhoMask << kIdBits;
  const bool alike = ((group ^ rest) & kWho) == 0;
  const word who = alike ? group & kWho : kMixed << kIdBits;
  if (alike) group &= ~kWho, rest &= ~kWho;
  auto& slot = b.links[((group ^ rest << 19) * 0x9e3779b97f4a7c15ULL) >> 56];
  if (slot.group != group || slot.rest != rest) slot = {group, rest, descriptors.add({group, rest, 0, 0})};
  return kChain | who | slot.link;
}

// The readers of a cell after a read by `t`. Invariants: every reader since the last write that a later write could
// race with, while its being unordered is not implied by a newer reader, is in the result; ids fall along the chain.
//
// Groups that are ordered before the read are left out where that is seen, for room: they do no harm, since a write
// that is not ordered after them races with them. So the walk may end at a group that is older than the block, and thus
// not its own, when such groups are mostly unordered with it; and it ends after kMost groups, be there what may.
//
// More threads than one: groups that are ordered before the read of one of them are left out as before.
word detector_core::add_reader(thread_state& t, word readers, time_id id, std::uint32_t step, std::uint32_t threads) {
  constexpr int kMost = 64;
  block_state& b = *t.block;
  const launch_state& l = *b.launch;
  word groups[kMost + 1];
  int count = 0;
  int joined = -1;
  word rest = readers;
  for (word before = rest; const word group = next_group(descriptors, rest, l.floor); before = rest) {
    const time_id g = id_of(group);
    const descriptor& d = descriptors[g];
    if (count == kMost || (g < b.first_id && g >= b.grid_base && d.agent == l.agent && !t.clocks->known.real)) {
      rest = before;
      break;
    }
    const std::uint32_t set = who_of(group);
    const bool same_block = d.block == b.number && d.agent == l.agent;
    // This thread has read here since its last release: the older read stands for the new one.
    const auto has_read = [&](std::uint32_t n) {
      const thread_state& x = n == 0 ? t : b.all[t.rank + n * step];
      return g >= min_id(x) && sets.contains(set, x.rank);
    };
    if (same_block) {
      std::uint32_t n = 0;
      while (n < threads && has_read(n)) ++n;
      if (n == threads) return readers;
    }
    if (same_block && joined < 0 && (g == id || (g >= b.quiet_from && id >= b.quiet_from))) {
      // Nobody of the block has published since either read, so every clock sees both or none: one group will do.
      const std::uint32_t more = with_ranks(b, set, t.rank, step, threads);
      if (more != thread_sets::kFull) {
        time_id merged = g;
        if (g != id) {
          bool listed = false;
          for (time_id x = g; x && !listed; x = descriptors[x].b) listed = descriptors[x].a == descriptors[id].a;
          if (!listed) {
            auto& slot = b.merges[(g * 31 + id) & 63];
            if (slot.a != g || slot.b != id) slot = {g, id, descriptors.add({descriptors[id].a, g, l.agent, b.number})};
            merged = slot.merged;
          }
        }
        joined = count, groups[count++] = make_word(merged, more);
        continue;
      }
    }
    std::uint32_t who;
    if (!find_unordered(
            t, g, [&](auto f) { return sets.any(set, f); }, who))
      continue;  // the new read dominates it
    groups[count++] = group;
  }
  word after_it = rest;
  const word youngest_left = next_group(descriptors, after_it, l.floor);
  if (joined < 0) {
    const std::uintptr_t pc = descriptors[id].a;
    if (id < id_of(youngest_left)) site_of(b, pc) = {pc, id = descriptors.add({pc, 0, l.agent, b.number})};
    const std::uint32_t set = threads == 1 ? t.rank : with_ranks(b, t.rank, t.rank + step, step, threads - 1);
    if (set == thread_sets::kFull) return 0;
    joined = count, groups[count++] = make_word(id, set);
  }
  if (count + (rest != 0) + (after_it != 0) > 2 && over_budget()) {
    // Out of room: two groups of different blocks stay; without synchronisation between blocks that loses nothing.
    b.launch->shortened.fetch_add(1, std::memory_order_relaxed);
    word other = youngest_left;
    for (int i = 0; i < count; ++i)
      if (descriptors[id_of(groups[i])].block != b.number) other = groups[i];
    groups[0] = groups[joined], groups[1] = other;
    count = other ? 2 : 1;
    rest = 0;
  }
  std::sort(groups, groups + count, [](word x, word y) { return id_of(x) < id_of(y); });
  word chain = rest;
  for (int i = 0; i < count; ++i) chain = link(b, groups[i], chain);
  return chain;
}

}  // namespace simt::check
