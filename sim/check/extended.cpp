// SPDX-License-Identifier: Apache-2.0
// Extended cells: atomics, volatile, parts of a cell. Exact; see extended.hpp.
#include <span>

#include "sim/check/core.hpp"

namespace simt::check {
namespace {

access_kind kind_of(record_kind k) {
  return is_atomic(k) ? access_kind::atomic : k == record_kind::plain_write ? access_kind::write : access_kind::read;
}

// Reads among atomic updates of the same bytes are alike as well: they do not race with them.
template <class Touch>
bool alike_to(const record& o, const Touch& n) {
  const bool kinds = o.kind == n.kind || (is_atomic(o.kind) && is_atomic(n.kind) && !n.is_volatile);
  return kinds && o.scope == n.scope && o.mask == n.mask && o.start == n.start && o.size == n.size &&
         o.is_volatile == n.is_volatile;
}

void find_alike(extended_cell& e) {
  e.alike_from = e.records.size();
  while (e.alike_from > 0 && alike_to(e.records[e.alike_from - 1], e.records.back())) --e.alike_from;
}

}  // namespace

extended_cell* detector_core::new_extended() {
  std::unique_lock lock(extended_mutex, std::defer_lock);
  if (parallel) lock.lock();
  extended_cell* e;
  if (extended_free.empty()) {
    e = &extended_pool.emplace_back();
  } else {
    e = extended_free.back();
    extended_free.pop_back();
  }
  return e;
}

void detector_core::free_extended(extended_cell* e) {
  record_count.fetch_sub(e->records.size(), std::memory_order_relaxed);
  *e = extended_cell{};
  std::unique_lock lock(extended_mutex, std::defer_lock);
  if (parallel) lock.lock();
  extended_free.push_back(e);
}

void detector_core::forget(cell& c) {
  if (is_private(c.writer)) free_extended(&extended_of(c.writer));
  set_readers(c, 0);
  store(c.writer, 0);
}

// Turns a compact or untouched cell into an extended one that says the same.
extended_cell& detector_core::extend(operation& op, cell& c, std::uintptr_t granule) {
  extended_cell* e = new_extended();
  const word w = c.writer, r = readers_of(c);
  const time_id floor = horizon;  // not the launch's: what is ordered before it may race with another stream's work
  e->made = op.id;
  if (w == 0) {
    const memory_state m = look_up(op.thread, granule);
    e->valid = m.valid;
    e->initialised = opt.uninit ? m.initialised : 0xf;
    if (m.object) {
      auto& o = const_cast<object_record&>(*m.object);
      __atomic_store_n(&o.touched, true, __ATOMIC_RELAXED);
      for (const range_write& x : o.writes) {
        std::uint8_t mask = 0;
        for (int i = 0; i < 4; ++i)
          if (granule + i >= x.from && granule + i < x.to) mask |= 1 << i;
        if (mask && x.id >= floor) e->records.push_back({x.id, record_kind::plain_write, {}, mask, 0, 0, 0, nullptr});
      }
    }
  } else {
    e->initialised = 0xf;
    e->written = id_of(w);
    if (id_of(w) >= floor)
      e->records.push_back({id_of(w), record_kind::plain_write, {}, 0xf, 0, 0, who_of(w), nullptr});
  }
  if (!in_shared(granule))
    if (object_record* o = find_object(granule)) __atomic_store_n(&o->extended, true, __ATOMIC_RELAXED);
  for (word rest = r; const word group = next_group(descriptors, rest, floor);) {
    bool first = true;
    sets.any(who_of(group), [&](std::uint32_t rank) {
      if (first) e->records.push_back({id_of(group), record_kind::plain_read, {}, 0xf, 0, 0, rank, nullptr});
      e->records.back().add(rank);
      first = false;
      return false;
    });
  }
  e->alike_from = e->records.size();
  record_count.fetch_add(e->records.size(), std::memory_order_relaxed);
  store(c.writer, kExtended | reinterpret_cast<std::uintptr_t>(e));
  set_readers(c, 0);
  return *e;
}

void detector_core::extended_access(operation& op, extended_cell& e, std::uintptr_t granule, touch n) {
  thread_state& t = op.thread;
  block_state& b = *t.block;
  const launch_state& l = *b.launch;
  if (n.mask & ~e.valid) {
    if (opt.memory && !op.bad_memory) {
      const memory_state m = look_up(t, granule);
      report_memory(op, m.object && !m.object->live ? rule::use_after_free : rule::out_of_bounds, granule);
    }
    op.bad_memory = true;
    n.mask &= e.valid;
    if (!n.mask) return;
  }
  if (n.reads && (n.mask & ~e.initialised) && opt.uninit && !op.uninitialised) {
    unwritten(op, granule, n.mask & ~e.initialised);
  }
  if (is_write(n.kind)) {
    e.initialised |= n.mask;
    e.written = op.id;
  }
  const auto last = e.updated;
  const std::uint64_t this_block = std::uint64_t{l.agent} << 32 | b.number;
  const bool updated_it = last.size != 0 && last.rank == t.rank && last.block == this_block;
  if (is_write(n.kind)) {
    if (is_atomic(n.kind) && n.reads)
      e.updated = {this_block, t.rank, n.scope, n.start, n.size};
    else if (is_atomic(n.kind) || !updated_it)
      e.updated = {};  // a plain write of the thread itself goes on with what its update has observed
  }
  if (!opt.races) return;
  const bool updated_here = n.kind == record_kind::plain_write && updated_it;
  auto same_key = [&](const record& o) {
    return o.id == op.id && o.kind == n.kind && o.mask == n.mask && o.start == n.start && o.size == n.size &&
           (!is_atomic(n.kind) || (o.scope == n.scope && o.is_volatile == n.is_volatile));
  };
  auto& records = e.records;
  record* group = nullptr;
  for (auto it = records.rbegin(); it != records.rend() && it - records.rbegin() < 8; ++it)
    if (same_key(*it)) {
      if (it->has(t.rank)) return;
      group = &*it;
      break;
    }

  // ---- conflicts ----
  std::size_t ancient = 0;
  // The usual counter: atomics that are all alike, at a scope that holds every thread that can get there, never
  // conflict.
  const scope enough = in_shared(granule) && !l.has_clusters ? scope::block : scope::device;
  const bool alike = is_atomic(n.kind) && n.scope >= enough && e.alike_from < records.size() &&
                     alike_to(records[e.alike_from], n) && records[e.alike_from].id >= horizon;
  if (alike && group && e.alike_from == 0) {
    group->add(t.rank);
    return;
  }
  for (const record& o : std::span(records).first(alike ? e.alike_from : records.size())) {
    if (o.id < l.floor) {
      ancient += o.id < horizon;
      continue;
    }
    const std::uint8_t common = o.mask & n.mask;
    if (!common || (!is_write(o.kind) && !is_write(n.kind))) continue;
    if (updated_here && o.kind == record_kind::atomic_write && o.start == last.start && o.size == last.size) {
      const scope needed = is_of(b, o.id) ? scope::block : l.on_host == on_host(descriptors[o.id].agent) ? scope::device : scope::system;
      if (std::min(o.scope, last.scope) >= needed) continue;
    }
    auto any = [&](auto f) { return o.any(f); };
    std::uint32_t who;
    bool scope_only = false;
    if (n.lanes && n.is_volatile && o.is_volatile && is_write(o.kind) != is_write(n.kind)) {
      // Data that lanes of one warp pass to each other: nothing keeps them in step.
      const auto in_warp = [&](auto f) {
        return o.any([&](std::uint32_t r) { return r / kWarp == t.rank / kWarp && f(r); });
      };
      if (is_of(b, o.id) && find_unordered(t, o.id, in_warp, who)) {
        report_race(op, granule, common, {o.id, who, access_kind::atomic, o.scope, true, is_write(o.kind), o.pc},
                    !find_unordered(t, o.id, in_warp, who, true));
        continue;
      }
    }
    if (is_atomic(o.kind) && is_atomic(n.kind) && o.start == n.start && o.size == n.size) {
      // Atomics do not race where each one's scope holds the other's thread.
      const scope narrow = std::min(o.scope, n.scope);
      const descriptor& d = descriptors[o.id];
      if (narrow >= scope::device && (narrow == scope::system || l.on_host == on_host(d.agent))) continue;
      if (d.agent == l.agent) {
        if (d.block == b.number && narrow >= scope::block) continue;
        if (narrow >= scope::cluster && l.has_clusters && !(d.block & kAsyncBlock) && l.cluster_of[d.block] == b.cluster)
          continue;
      }
      scope_only = true;
    }
    if (scope_only) {
      if (!find_unordered(t, o.id, any, who)) continue;
    } else if (!find_unordered(t, o.id, any, who, true)) {
      if (!find_unordered(t, o.id, any, who)) continue;
      scope_only = true;
    }
    report_race(op, granule, common, {o.id, who, kind_of(o.kind), o.scope, o.is_volatile, is_write(o.kind), o.pc},
                scope_only);
  }

  // ---- what the new access makes superfluous ----
  if (ancient) {
    const std::size_t gone = std::erase_if(records, [&](const record& o) { return o.id < horizon; });
    record_count.fetch_sub(gone, std::memory_order_relaxed);
    find_alike(e);
    group = nullptr;
    for (auto& o : records)
      if (same_key(o)) group = &o;
  }
  if (group) {
    group->add(t.rank);
    return;
  }
  // Of many alike the newest are looked at, and all of them whenever there are twice as many as were left the last
  // time.
  const bool all = !alike || records.size() >= e.all_at;
  std::size_t kept = all || records.size() <= 8 ? 0 : records.size() - 8;
  std::size_t before = 0;
  for (std::size_t i = kept; i < records.size(); ++i) {
    record& o = records[i];
    bool weaker;
    if (n.kind == record_kind::plain_write)
      weaker = true;
    else if (n.kind == record_kind::plain_read)
      weaker = !is_write(o.kind);
    else {
      weaker = is_atomic(o.kind) && (n.kind == o.kind || n.kind == record_kind::atomic_write) && o.scope == n.scope &&
               o.start == n.start && o.size == n.size && is_of(b, o.id);
      // A volatile one also conflicts within its warp, until a barrier of the block has ordered it before all.
      if (weaker && n.lanes && o.is_volatile && o.id >= b.base)
        weaker =
            n.is_volatile && n.kind == o.kind && !o.any([&](std::uint32_t r) { return r / kWarp != t.rank / kWarp; });
    }
    std::uint32_t who;
    // A plain write replaces what it raced with as well: that byte's race is reported.
    if (weaker && (o.mask & n.mask) &&
        !find_unordered(
            t, o.id, [&](auto f) { return o.any(f); }, who))
      o.mask &= ~n.mask;
    if (o.mask) {
      if (kept != i) records[kept] = std::move(o);
      ++kept;
    } else if (i < e.alike_from) {
      ++before;
    }
  }
  e.alike_from -= before;
  record_count.fetch_sub(records.size() - kept, std::memory_order_relaxed);
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(kept), records.end());
  if (all) e.all_at = static_cast<std::uint32_t>(std::max<std::size_t>(64, 2 * records.size()));
  if (records.size() >= 64 && over_budget()) {
    // Out of memory: the oldest half goes. Only misses can follow.
    inexact.fetch_add(1, std::memory_order_relaxed);
    record_count.fetch_sub(records.size() / 2, std::memory_order_relaxed);
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2));
    find_alike(e);
  }
  if (e.alike_from < records.size() && !alike_to(records.back(), n)) e.alike_from = records.size();
  records.push_back({op.id, n.kind, n.scope, n.mask, n.start, n.size, t.rank, nullptr, n.is_volatile});
  record_count.fetch_add(1, std::memory_order_relaxed);
}

void detector_core::forget_guesses(thread_state& t, std::uintptr_t address, std::uint32_t size) {
  const block_state& b = *t.block;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4) {
    const cell* c = cell_of(at);
    if (!c || !is_private(c->writer)) continue;
    extended_cell& e = extended_of(c->writer);
    const std::size_t gone = std::erase_if(e.records, [&](record& o) {
      if (o.kind != record_kind::plain_read || !o.has(t.rank)) return false;
      return is_of(b, o.id) && !o.remove(t.rank);
    });
    record_count.fetch_sub(gone, std::memory_order_relaxed);
    if (gone) find_alike(e);
  }
}

}  // namespace simt::check
