// SPDX-License-Identifier: Apache-2.0
// Loads that read stores which come later in the run (load buffering), as promises that the run must keep (after Kang
// and others, "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017).
//
// The load is told which thread will store which value, and the store has its place in the coherence order from then
// on: behind all that was stored there before. Nobody else sees it until it is done. The run is none (is_unkept) if the
// launch ends without that store, or if the axioms forbid it:
// - causality: the storing thread is behind the load in causality order, or behind something in the place's coherence
//   order that is behind the promised place;
// - a release pattern that ends in the store would reach an acquire that is done already;
// - somebody who knows of the load would have to read the promised store before it is done.
// All else is as if the store had been there: a load that is morally strong with it raises its thread's view to the
// promised place.
//
// Whether the value comes out of thin air nobody can tell here: cli/thread_histories.hpp judges that.
#include <cstring>

#include <sim/exec/scheduler/weak_memory.hpp>

namespace simt::sim {

void weak_memory::launch_ends() {
  settle();
  if (!promises_.empty()) unkept_ = true;
  promises_.clear();
}

// What a step has read or stored: its bytes, of an update those before and after, of more than 8 a hash.
void weak_memory::note_value(const pending_access& what, std::int64_t step, std::uint64_t before) {
  if (step < 0) return;
  std::uint64_t value = before * 0x9E3779B97F4A7C15ULL;
  for (std::size_t done = 0; done < what.bytes; done += sizeof value) {
    std::uint64_t part = 0;
    std::memcpy(&part, reinterpret_cast<const char*>(what.address) + done, std::min(sizeof part, what.bytes - done));
    value = done == 0 ? value + part : (value ^ part) * 0xBF58476D1CE4E5B9ULL;
  }
  values_.emplace_back(static_cast<std::size_t>(step), value);
}

weak_memory::promise* weak_memory::promise_of(std::uint32_t location, std::int64_t thread) {
  for (promise& p : promises_)
    if (p.location == location && p.what.thread == thread) return &p;
  return nullptr;
}

void weak_memory::read_early(const location& x, thread_state& me, const store_to_come& s, const who& by,
                             const pending_access& what) {
  promise* p = promise_of(x.id, s.thread);
  if (p == nullptr) {
    std::uint64_t top = x.newest().position;
    for (const promise& other : promises_)
      if (other.location == x.id) top = std::max(top, other.position);
    // An odd number, so that no place in the middle of two others is the same.
    promises_.push_back({x.id, s, top + kRoom / 2 + 1, next_location_++, {}});
    p = &promises_.back();
  }
  if (p->what != s || p->position < me.seen.at(x.id)) unkept_ = true;
  const bool strong = what.ordered != order::weak;
  const who writer = name_of(s.thread / threads_of_block_, static_cast<std::int32_t>(s.thread % threads_of_block_));
  if (strong && s.scope > 0 && strong_together(static_cast<scope>(s.scope - 1), writer, what.reach, by))
    me.seen.raise(x.id, p->position);
  me.seen.raise(p->mark, 1);
  p->readers.push_back({by, what.reach, strong, {}});
  if (strong && acquires(what.ordered)) p->readers.back().acquired.push_back(what.reach);
}

// The thread acquires what it has observed; x: of that location only.
void weak_memory::acquires_early(std::int64_t thread, scope s, const location* x) {
  for (promise& p : promises_)
    for (early_reader& r : p.readers)
      if (r.by.thread == thread && (x == nullptr || p.location == x->id)) r.acquired.push_back(s);
}

// Where a store goes that becomes the newest. An update stays next to what it has read, and what a thread stores before
// the store that it has promised must be before that.
std::uint64_t weak_memory::place_on_top(const location& x, const store& s, const promise* own) const {
  std::uint64_t below = x.newest().position, above = 0;  // 0: nothing is there
  for (const promise& p : promises_) {
    if (p.location != x.id) continue;
    if (s.by_update) {
      if (p.position > below && (above == 0 || p.position < above)) above = p.position;
    } else if (own == nullptr) {
      below = std::max(below, p.position);
    }
  }
  if (!s.by_update && own != nullptr) {
    above = own->position;
    below = 0;
    for (const store& each : x.stores)
      if (each.position < above) below = std::max(below, each.position);
    for (const store& each : x.stores)
      if (each.position > below) above = std::min(above, each.position);
  }
  return above == 0 ? below + kRoom : between(below, above);
}

// The promised store is done. Its thread must not be behind a reader, nor behind a later place; what it releases must
// not be owed to acquires that are done.
void weak_memory::keep(const promise& p, const store& s, const thread_state& me) {
  if ((s.strong ? static_cast<int>(s.reach) + 1 : 0) != p.what.scope) unkept_ = true;
  if (me.seen.at(p.mark) > 0 || me.seen.at(p.location) >= p.position) unkept_ = true;
  for (const early_reader& r : p.readers) {
    if (!s.strong || !r.strong || !strong_together(s.reach, s.by, r.reach, r.by)) continue;
    for (const head& h : s.heads) {
      for (const scope at : r.acquired)
        if (strong_together(h.reach, h.by, at, r.by)) unkept_ = true;
      threads_[r.by.thread].observed.push_back({p.location, false, r.reach, h});
    }
  }
}

}  // namespace simt::sim
