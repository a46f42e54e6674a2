// SPDX-License-Identifier: Apache-2.0
// Accesses of slow cells: exact, record by record. Atomics and volatile accesses always take this way.
#include <algorithm>
#include <optional>
#include <span>

#include "sim/check/access_checker.hpp"
#include "sim/check/happens_before.hpp"
#include "sim/check/quick_additions.hpp"
#include "sim/check/unfenced.hpp"

namespace simt::check {
namespace {

access_kind kind_of(record_kind k) {
  return is_atomic(k) ? access_kind::atomic : k == record_kind::plain_write ? access_kind::write : access_kind::read;
}

// May an atomic operation by t be an addition (cell_summary.hpp)?
bool is_addition(const slow_cell& e, const block_state& b, const touch& n, bool shared) {
  return n.kind == record_kind::atomic_write && n.reads && !n.is_volatile && !shared && !b.launch->on_host &&
         !(b.number & kAsyncBlock) && n.scope >= scope::device && n.mask == 0xf && e.valid == 0xf && n.size <= 8;
}

// Has t itself written these bytes since it last met others? Then a write that races with its read races with its own
// write, too, which was found to change the value or not. (Cells of 4 bytes: plain_cells.cpp.)
bool has_written(const thread_state& t, const slow_cell& e, std::uint8_t mask) {
  return std::ranges::any_of(e.records, [&](const access_record& o) {
    return o.kind == record_kind::plain_write && !(mask & ~o.mask) && o.when >= interval_start(t) &&
           is_of(*t.block, o.when) && o.has(t.rank);
  });
}

// A plain read by t may turn out to be a guess, and then stands for nothing (unconfirmed_reads.hpp). So of the reads by
// others that are ordered before it the youngest stays: its place among the records from `from` on; else their number.
std::size_t replaced_read(thread_state& t, const std::vector<access_record>& records, std::size_t from) {
  std::uint32_t who;
  for (std::size_t i = records.size(); i-- > from;) {
    const access_record& o = records[i];
    if (o.kind != record_kind::plain_read || find_unordered(
                                                 t, o.when, [&](auto f) { return o.any(f); }, who))
      continue;
    if (!is_of(*t.block, o.when) || o.any([&](std::uint32_t rank) { return rank != t.rank; })) return i;
  }
  return records.size();
}

}  // namespace

void access_checker::slow_access(operation& op, slow_cell& e, std::uintptr_t granule, touch n) {
  thread_state& t = op.thread;
  block_state& b = *t.block;
  const launch_state& l = *b.launch;
  if (n.mask & ~e.valid) {
    if (opt_.memory && !op.bad_memory) {
      const memory_state m = forms_.look_up(t, granule);
      reports_.memory(op, m.object && !m.object->live ? rule::use_after_free : rule::out_of_bounds, granule);
    }
    op.bad_memory = true;
    n.mask &= e.valid;
    if (!n.mask) return;
  }
  if (n.reads && (n.mask & ~e.initialised) && opt_.uninit && !op.uninitialised) {
    unwritten(op, granule, n.mask & ~e.initialised);
  }
  if (n.kind == record_kind::plain_write) e.unfenced.reset();
  if (is_write(n.kind)) {
    e.initialised |= n.mask;
    e.written = op.when;
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
  if (!opt_.races) return;
  const bool updated_here = n.kind == record_kind::plain_write && updated_it;
  auto same_key = [&](const access_record& o) {
    return o.when == op.when && !o.observed && o.kind == n.kind && o.mask == n.mask && o.start == n.start &&
           o.size == n.size && (!is_atomic(n.kind) || (o.scope == n.scope && o.is_volatile == n.is_volatile));
  };
  auto& records = e.records;
  if (e.newest() < agents_.horizon) forget_records(e);
  const common_past past = past_of(b);
  const bool additions_past = e.added.is_in(past);
  access_record* group = nullptr;
  for (auto it = records.rbegin(); it != records.rend() && it - records.rbegin() < 8; ++it)
    if (same_key(*it)) {
      if (it->has(t.rank)) return;
      group = &*it;
      break;
    }

  // ---- conflicts ----
  std::size_t ancient = 0;
  // The usual counter: atomics that are alike, at a scope that holds every thread that can reach the cell, never
  // conflict with each other.
  const scope enough = shadow_.in_shared(granule) && !l.has_clusters ? scope::block : scope::device;
  const bool alike = is_atomic(n.kind) && n.scope >= enough && e.alike_from < records.size() &&
                     alike_to(records[e.alike_from], n) && records[e.alike_from].when >= agents_.horizon;
  // Gathered additions have left some that are superfluous.
  const bool crowded = alike && records.size() >= e.all_at;
  if (alike && group && e.alike_from == 0 && !crowded) {
    group->add(t.rank);
    return;
  }
  bool excused = false;
  // Of a plain read: looked up once, and only where a write is young, for a look goes through all records.
  std::optional<bool> own;
  const auto own_written = [&] {
    if (!own) own = n.kind == record_kind::plain_read && !e.others.is_in(past) && has_written(t, e, n.mask);
    return *own;
  };
  const bool nothing_young = n.kind == record_kind::plain_read && additions_past && e.others.is_in(past);
  const std::size_t compared = nothing_young ? 0 : alike ? e.alike_from : records.size();
  for (access_record& o : std::span(records).first(compared)) {
    if (o.when < l.floor) {
      ancient += o.when < agents_.horizon;
      continue;
    }
    const std::uint8_t common = o.mask & n.mask;
    if (!common || (!is_write(o.kind) && !is_write(n.kind))) continue;
    if (updated_here && o.kind == record_kind::atomic_write && o.start == last.start && o.size == last.size) {
      const scope needed = is_of(b, o.when)                                      ? scope::block
                           : l.on_host == agents_.on_host(epochs_[o.when].agent) ? scope::device
                                                                                 : scope::system;
      if (std::min(o.scope, last.scope) >= needed) {
        o.observed = true;
        continue;
      }
    }
    auto any = [&](auto f) { return o.any(f); };
    std::uint32_t who;
    bool scope_only = false;
    if (n.lanes && n.is_volatile && o.is_volatile && is_write(o.kind) != is_write(n.kind)) {
      // Data that lanes of one warp pass to each other: nothing keeps them in step.
      const auto in_warp = [&](auto f) {
        return o.any([&](std::uint32_t r) { return r / kWarp == t.rank / kWarp && f(r); });
      };
      if (is_of(b, o.when) && find_unordered(t, o.when, in_warp, who)) {
        reports_.race(op, granule, common, {o.when, who, access_kind::atomic, o.scope, true, is_write(o.kind), o.pc},
                      !find_unordered(t, o.when, in_warp, who, true));
        continue;
      }
    }
    if (is_atomic(o.kind) && is_atomic(n.kind) && o.start == n.start && o.size == n.size) {
      if ((n.is_volatile || l.on_host) && o.is_volatile && find_unordered(t, o.when, any, who)) {
        if (!excused && n.is_volatile) memory_.excused_volatile.fetch_add(1, std::memory_order_relaxed);
        excused = true;
        judge_handover(reports_, op, e, granule, common,
                       {o.when, who, kind_of(o.kind), o.scope, true, is_write(o.kind)});
      }
      // Atomics do not race where each one's scope holds the other's thread.
      const scope narrow = std::min(o.scope, n.scope);
      const epoch_record& d = epochs_[o.when];
      if (narrow >= scope::device && (narrow == scope::system || l.on_host == agents_.on_host(d.agent))) continue;
      if (d.agent == l.agent) {
        if (d.block == b.number && narrow >= scope::block) continue;
        if (narrow >= scope::cluster && l.has_clusters && !(d.block & kAsyncBlock) &&
            l.cluster_of[d.block] == b.cluster)
          continue;
      }
      scope_only = true;
    }
    if (o.kind == record_kind::plain_write && own_written()) continue;
    if (scope_only) {
      if (!find_unordered(t, o.when, any, who)) continue;
    } else if (!find_unordered(t, o.when, any, who, true)) {
      if (!find_unordered(t, o.when, any, who)) continue;
      scope_only = true;
    }
    reports_.race(op, granule, common, {o.when, who, kind_of(o.kind), o.scope, o.is_volatile, is_write(o.kind), o.pc},
                  scope_only);
  }

  // ---- what the new access makes superfluous ----
  if (ancient) {
    const std::size_t gone = std::erase_if(records, [&](const access_record& o) { return o.when < agents_.horizon; });
    shadow_.slow_cells.count_records(-static_cast<std::ptrdiff_t>(gone));
    find_alike(e);
    group = nullptr;
    for (auto& o : records)
      if (same_key(o)) group = &o;
  }
  // Whoever races with the read of what its thread wrote races with that write.
  if (own_written()) return;
  if (group && !crowded) {
    group->add(t.rank);
    return;
  }
  // Of many alike records, and by a read, only the newest are looked at. All are, whenever there are twice as many as
  // the last look at all of them left.
  std::uint32_t& all_at = n.kind == record_kind::plain_read ? e.all_at_read : e.all_at;
  const bool all = (!alike && n.kind != record_kind::plain_read) || records.size() >= all_at;
  std::size_t kept = all || records.size() <= 8 ? 0 : records.size() - 8;
  const std::size_t replaced = n.kind == record_kind::plain_read ? replaced_read(t, records, kept) : records.size();
  std::size_t before = 0;
  for (std::size_t i = kept; i < records.size(); ++i) {
    access_record& o = records[i];
    bool weaker;
    if (n.kind == record_kind::plain_write)
      weaker = true;
    else if (n.kind == record_kind::plain_read)
      weaker = !is_write(o.kind) && i != replaced;
    else {
      weaker = is_atomic(o.kind) && (n.kind == o.kind || n.kind == record_kind::atomic_write) && o.scope == n.scope &&
               o.start == n.start && o.size == n.size && (is_of(b, o.when) || (!n.is_volatile && is_past_of_all(b, o)));
      // A volatile access also conflicts within its warp, until a barrier of the block orders it before all threads.
      if (weaker && n.lanes && o.is_volatile && o.when >= b.base)
        weaker =
            n.is_volatile && n.kind == o.kind && !o.any([&](std::uint32_t r) { return r / kWarp != t.rank / kWarp; });
    }
    std::uint32_t who;
    const auto any = [&](auto f) { return o.any(f); };
    // A plain write also replaces another block's that it raced with, whatever scopes say: the race at those bytes has
    // been reported. So a flag that all blocks set keeps one of their writes.
    const bool of_two_writes =
        n.kind == record_kind::plain_write && o.kind == record_kind::plain_write && !is_of(b, o.when);
    if (weaker && (o.mask & n.mask) &&
        (!find_unordered(t, o.when, any, who) || (of_two_writes && find_unordered(t, o.when, any, who, true))))
      o.mask &= ~n.mask;
    if (o.mask) {
      if (kept != i) records[kept] = std::move(o);
      ++kept;
    } else if (i < e.alike_from) {
      ++before;
    }
  }
  e.alike_from -= before;
  shadow_.slow_cells.count_records(-static_cast<std::ptrdiff_t>(records.size() - kept));
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(kept), records.end());
  if (all) all_at = static_cast<std::uint32_t>(std::max<std::size_t>(64, 2 * records.size()));
  for (auto it = records.rbegin(); crowded && group && it != records.rend(); ++it)
    if (same_key(*it)) return it->add(t.rank);
  if (records.size() >= 64 && memory_.is_over_limit()) {
    // Out of memory: the oldest half goes. Only misses can follow.
    memory_.inexact_cells.fetch_add(1, std::memory_order_relaxed);
    shadow_.slow_cells.count_records(-static_cast<std::ptrdiff_t>(records.size() / 2));
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2));
    find_alike(e);
  }
  begin_alike(e, n);
  const bool by_block = !(b.number & kAsyncBlock);
  if (n.kind == record_kind::plain_read) {
    e.reads.add(op.when, past, by_block);
  } else if (is_addition(e, b, n, shadow_.in_shared(granule))) {
    additions& a = e.added;
    if (!a.are(l.agent, n.scope, n.start, n.size)) {
      // Those before are the others' from here on.
      if (a.size != 0) e.others.add(a.newest, past, a.agent == l.agent);
      a.agent = l.agent;
      a.reach = n.scope;
      a.start = n.start;
      a.size = n.size;
      a.newest = 0;
    }
    a.newest = std::max(a.newest, op.when);
  } else {
    e.others.add(op.when, past, by_block);
  }
  records.push_back({op.when, n.kind, n.scope, n.mask, n.start, n.size, t.rank, nullptr, n.is_volatile});
  shadow_.slow_cells.count_records(static_cast<std::ptrdiff_t>(1));
}

void access_checker::forget_records(slow_cell& e) {
  shadow_.slow_cells.count_records(-static_cast<std::ptrdiff_t>(e.records.size()));
  e.records.clear();
  e.alike_from = 0;
}

void access_checker::forget_unconfirmed(thread_state& t, std::uintptr_t address, std::uint32_t size) {
  const block_state& b = *t.block;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4) {
    const cell* c = shadow_.cell_of(at);
    if (!c || !is_slow(c->writer)) continue;
    slow_cell& e = slow_cell_of(c->writer);
    std::uint8_t swapped = 0;
    for (std::uintptr_t i = 0; i < 4; ++i)
      if (at + i - address < size) swapped |= static_cast<std::uint8_t>(1 << i);
    const std::size_t before = e.records.size();
    bool changed = false;
    for (std::size_t i = 0; i < before; ++i) {
      access_record& o = e.records[i];
      if (o.kind != record_kind::plain_read || !(o.mask & swapped) || !o.has(t.rank) || !is_of(b, o.when)) continue;
      access_record rest{o.when, o.kind, o.scope, o.mask, o.start, o.size, t.rank, nullptr, o.is_volatile, o.pc};
      rest.mask &= static_cast<std::uint8_t>(~swapped);
      if (!o.remove(t.rank)) o.mask = 0, changed = true;
      if (rest.mask != 0) e.records.push_back(std::move(rest)), changed = true;
    }
    if (!changed) continue;
    std::erase_if(e.records, [](const access_record& o) { return o.mask == 0; });
    shadow_.slow_cells.count_records(static_cast<std::ptrdiff_t>(e.records.size() - before));
    find_alike(e);
  }
}

void access_checker::atomic(operation& op, atomic_op what) {
  const bool writes = what != atomic_op::load, reads = what != atomic_op::store;
  const std::uintptr_t line = op.address & ~std::uintptr_t{3};
  const bool lanes = in_shared_array(*op.thread.block, op.address);
  for (std::uintptr_t at = line; at < op.address + op.size; at += 4) {
    cell* c = shadow_.cell_of(at);
    if (!c) break;
    touch n{writes ? record_kind::atomic_write : record_kind::atomic_read,
            reads,
            op.scope,
            0xf,
            static_cast<std::int8_t>(static_cast<std::intptr_t>(op.address - at)),
            static_cast<std::uint8_t>(op.size),
            op.is_volatile,
            lanes};
    if (op.size < 4) n.mask = static_cast<std::uint8_t>(((1 << op.size) - 1) << (op.address - at));
    if (!(c->writer & kSlow)) {
      if (c->writer == 0 && opt_.memory) {
        const memory_state m = forms_.look_up(op.thread, at);
        if (n.mask & ~m.valid) {
          if (!op.bad_memory)
            reports_.memory(op, m.object && !m.object->live ? rule::use_after_free : rule::out_of_bounds, at);
          op.bad_memory = true;
          continue;
        }
      }
      forms_.make_slow(op.thread, op.when, *c, at);
    }
    if (writes && reads && !op.is_volatile && is_slow(c->writer)) {
      const slow_cell& e = slow_cell_of(c->writer);
      if (e.added.reach == n.scope && e.added.start == n.start && e.added.size == n.size &&
          !op.thread.block->launch->on_host)
        forms_.gather(*c, op.thread.block->launch);
    }
    slow_cell& e = forms_.slow_form(*c);
    if (writes) sync_variables_.overwrite(at, op.address, op.size, true);
    slow_access(op, e, at, n);
  }
}

}  // namespace simt::check
