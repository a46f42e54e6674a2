// SPDX-License-Identifier: Apache-2.0
// The first tiers of a plain access, inline at its announcement: accesses of whole cells of which everything recorded is
// so old, or so much the thread's own, that nothing can race and nothing is read uninitialised. glance() takes cells that
// were touched before and are nobody else's just now; hot_access() what is rarer.
//
// Invariant: either only answers "done" where cold_access would leave the cells the same and report nothing. What it
// cannot decide it leaves to the next one, which may find a part of the cells recorded already.
#pragma once

#include "sim/check/core.hpp"

namespace simt::check {

// All accesses that hot_access does not decide. `natural`: the address must be a multiple of the size.
template <bool Write, std::uint32_t Size>
bool cold_access(thread_state& t, std::uintptr_t address, std::uintptr_t pc, bool natural);

// `key`: a set << 10 | a rank.
inline block_state::cached_set& set_slot(block_state& b, std::uint32_t key) { return b.sets[key * 0x9e3779b9U >> 19]; }

inline block_state::cached_readers& step_slot(block_state& b, word readers, word mine) {
  return b.reader_steps[((readers ^ mine << 17 ^ mine >> 23) * 0x9e3779b97f4a7c15ULL) >> 54];
}

// The bits of the thread that step_slot() need not know: see block_state::reader_steps.
inline word common_thread(const block_state& b, word readers, word mine) {
  constexpr word kWho = kWhoMask << kIdBits;
  return ((readers ^ mine) & kWho) == 0 && id_of(readers) < b.first_id ? mine & kWho : 0;
}

// Does the block remember what becomes of the reader word `r` when `self` reads, too?
[[gnu::always_inline]] inline bool known_step(block_state& b, block_state::access_site& site, word r, word self, word& after) {
  if (((r ^ self) & (kChain | kIdMask)) == 0) {  // read by others through the same descriptor, and by nobody else
    const std::uint32_t key = who_of(r) << 10 | who_of(self);
    const auto& slot = set_slot(b, key);
    if (slot.key != key) return false;
    after = make_word(id_of(r), slot.set);
  } else {
    const word who = common_thread(b, r, self);
    const auto& step = step_slot(b, r ^ who, self ^ who);
    if (step.before != (r ^ who) || step.mine != (self ^ who) || step.quiet_from != b.quiet_from || b.knows) return false;
    after = step.after | who;
  }
  site.before = r, site.mine = self, site.after = after;
  return true;
}

// The words of a cell, and what an access makes of them.
struct cell_words {
  word writer, readers;
  bool operator==(const cell_words&) const = default;
};

// Is the record `x` of a cell what the block knows to be its own, by the thread of `self`? `newest`: records of this
// thread that are older do not count, for it has released since.
inline bool is_own(const block_state& b, word x, word self, time_id newest) {
  return (x & (kExtended | kIdMask)) == b.own_id && b.own_id >= newest && (x & ~kIdMask) == (self & ~kIdMask);
}

// A stretch of device memory that several workers have asked for stays shared until the launch ends.
inline bool is_shared_stretch(const block_state& b, std::uint32_t stretch) {
  return b.leases != nullptr && b.leases[stretch].load(std::memory_order_acquire) == b.shared_entry;
}

// False: not decided.
template <bool Write, bool Device, std::uint32_t Cells>
[[gnu::always_inline]] inline bool hot_cell(block_state& b, block_state::access_site& site, const cell_words before,
                                            cell_words& after, std::uintptr_t granule, word self, time_id newest) {
  constexpr word kMask = kExtended | kIdMask;  // a pointer to an extended cell compares as younger than all
  const auto [w, r] = before;
  after = before;
  const time_id oldest = Device ? kAncient : b.first_id;
  const time_id floor = Device ? b.device_floor : b.shared_floor;
  const auto own = [&](word x) { return is_own(b, x, self, newest); };
  bool old_write = (w & kMask) >= oldest && (w & kMask) < floor;
  if (Device && w == 0) {
    const auto* const u = known_uniform(b, granule);
    if (u == nullptr || u->writer >= floor || (!Write && u->writer == 0)) return false;
    after.writer = u->writer;  // what the word of an untouched cell stands for
    old_write = true;
  }
  if constexpr (Write) {
    if (r == 0 && w == self) return true;
    if (!old_write && !own(w)) {
      // The first write to this cell of the block's shared memory: the slot's last block left the rest.
      if (Device || (w & kMask) >= oldest || (r & kIdMask) >= oldest) return false;
      const std::uintptr_t at = granule - b.array.base;
      if (at >= b.array.size || b.array.size - at < Cells * 4)
        return false;  // the whole access: the others may copy this
    } else if (r != 0 && (r & kIdMask) >= floor && !own(r)) {
      return false;
    }
    after = {self, 0};
    return true;
  } else {
    if (r == self && w != 0) return true;
    if (!old_write) return r == 0 && own(w);  // a read after the thread's own write adds nothing
    if ((r & kIdMask) < floor) {
      after.readers = self;
      return true;
    }
    return known_step(b, site, r, self, after.readers);
  }
}

template <bool Write, bool Device, std::uint32_t Cells>
[[gnu::always_inline]] inline bool hot_cells(thread_state& t, block_state::access_site& site, cell* c,
                                             std::uintptr_t address, word self) {
  block_state& b = *t.block;
  const auto put = [](cell& at, const cell_words& old, const cell_words& now) {
    if (now.readers != old.readers) set_readers(at, now.readers);
    if (now.writer != old.writer) store(at.writer, now.writer);
  };
  const cell_words first{load(c->writer), readers_of(*c)};
  cell_words now;
  if (!hot_cell<Write, Device, Cells>(b, site, first, now, address, self, min_id(t))) return false;
  put(*c, first, now);
#pragma GCC unroll 3
  for (std::uint32_t i = 1; i < Cells; ++i) {
    const cell_words before{load(c[i].writer), readers_of(c[i])};
    cell_words after = now;  // neighbours mostly have one history
    if ((before != first || first.writer == 0) &&
        !hot_cell<Write, Device, 1>(b, site, before, after, address + i * 4, self, min_id(t)))
      return false;
    put(c[i], before, after);
  }
  return true;
}

template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline bool hot_access(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  static_assert(Size >= 4);
  block_state& b = *t.block;
  auto& site = site_of(b, pc);
  if (!is_current(site, t, pc) || (address & (Size - 1)) != 0 || t.pending) [[unlikely]]
    return false;
  const word self = site.id | t.who;
  if (const std::uintptr_t at = address - b.device.base; at < b.device.size) {
    cell* const c = cell_at(b.device_cells, at);
    const cell_guard guard = is_shared_stretch(b, lease_table::index(at / 4)) ? cell_guard(c) : cell_guard(*b.core, address);
    return hot_cells<Write, true, Size / 4>(t, site, c, address, self);
  }
  if (address - b.shared.base >= b.shared.size) return false;
  std::optional<cell_guard> guard;
  if (b.quick_shared == 0) guard.emplace(*b.core, address);
  return hot_cells<Write, false, Size / 4>(t, site, cell_at(b.shared_cells, address - b.all_shared.base), address, self);
}

// The first look, which calls nothing. Of device memory it takes what needs no lock: a stretch that the worker leases, or
// any when there is one worker. `Again`: the second look, which also takes what the workers share, by the group's lock,
// and looks up what becomes of a set of readers.
template <bool Write, std::uint32_t Size, bool Again = false>
[[gnu::always_inline]] inline bool glance(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  constexpr word kMask = kExtended | kIdMask;
  constexpr std::uint32_t kCells = Size / 4;
  block_state& b = *t.block;
  auto& site = site_of(b, pc);
  if (!is_current(site, t, pc) || t.pending || (address & (Size - 1)) != 0) [[unlikely]]
    return false;
  const word self = site.id | t.who;

  // What an access makes of a cell's reader word. `oldest` to `floor`: the ids that are ordered before this thread without
  // a further look.
  const auto judge = [&](const word w, const word r, word& readers, time_id oldest, time_id floor) __attribute__((always_inline)) {
    if ((w & kMask) < oldest || (w & kMask) >= floor) return false;
    if constexpr (Write) {
      readers = 0;
      // The thread's own read: y[i] = f(y[i]).
      return (r & kIdMask) < floor || is_own(b, r, self, min_id(t));
    } else {
      readers = self;
      if ((r & kIdMask) < floor || r == self) return true;
      readers = site.after;
      return (site.before == r && site.mine == self) || (Again && known_step(b, site, r, self, readers));
    }
  };
  const auto all = [&]<bool Locked>(std::bool_constant<Locked>, cell* c, time_id oldest, time_id floor) __attribute__((always_inline)) {
    const auto get = [](const cell& at) { return Locked ? readers_of(at) : load(at.readers); };
    const auto put = [](cell& at, word readers) { Locked ? set_readers(at, readers) : store(at.readers, readers); };
    const word w = load(c->writer), r = get(*c);
    word first;
    if (!judge(w, r, first, oldest, floor)) return false;
    if (!Write || r != 0) put(*c, first);
    if (Write) store(c->writer, self);
#pragma GCC unroll 3
    for (std::uint32_t i = 1; i < kCells; ++i) {
      word readers = first;  // neighbours mostly have one history
      if (const word wi = load(c[i].writer), ri = get(c[i]); wi != w || ri != r)
        if (!judge(wi, ri, readers, oldest, floor)) return false;
      put(c[i], readers);
      if (Write) store(c[i].writer, self);
    }
    return true;
  };
  constexpr std::bool_constant<false> own;
  constexpr std::bool_constant<true> locked;

  if (address - b.shared.base < b.quick_shared)
    return all(own, cell_at(b.shared_cells, address - b.all_shared.base), b.first_id, b.shared_floor);
  const std::uintptr_t at = address - b.device.base;
  if (at >= b.device.size) return false;
  cell* const c = cell_at(b.device_cells, at);
  __builtin_prefetch(c + 24, 1);
  if (b.leases == nullptr) return all(own, c, kAncient, b.device_floor);
  const std::uint32_t stretch = lease_table::index(at / 4);
  if (begin_lease(b.leases, stretch)) {
    const bool done = all(own, c, kAncient, b.device_floor);
    end_lease();
    return done;
  }
  if (!Again || !is_shared_stretch(b, stretch)) return false;
  lock_group(c);
  const bool done = all(locked, c, kAncient, b.device_floor);
  unlock_group(c);
  return done;
}

// A scalar access of a device thread; see detector.hpp for the result.
template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline bool announce(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  if constexpr (Size >= 4)
    if (glance<Write, Size>(t, address, pc) || glance<Write, Size, true>(t, address, pc) ||
        hot_access<Write, Size>(t, address, pc)) [[likely]]
      return true;
  return cold_access<Write, Size>(t, address, pc, true);
}

}  // namespace simt::check
