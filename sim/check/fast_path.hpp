// SPDX-License-Identifier: Apache-2.0
// The fast path of a plain access, inlined where instrumented code announces it. It takes accesses of whole cells in
// which every record is ordered before the thread, or is the thread's own: nothing can race there and nothing is read
// uninitialised. fast_path_check() takes the usual cells without a call; middle_path() takes rarer ones.
//
// fast_path_check() does not ask whether a row is summarised (row_summary.hpp): the cells of such a row are zero, and
// it decides nothing by those.
//
// Invariant: either answers true only where slow_path() would report nothing and leave the cells the same. False means
// "not decided": the next path judges the whole access again, and may find some of its cells recorded already.
#pragma once

#include <optional>

#include "sim/check/code_sites.hpp"
#include "sim/check/deferred_shared.hpp"
#include "sim/check/launch_reads.hpp"
#include "sim/check/object_table.hpp"
#include "sim/check/readers.hpp"
#include "sim/check/shadow_memory.hpp"

namespace simt::check {

// Decides every access. `natural`: the address must be a multiple of the size.
template <bool Write, std::uint32_t Size>
bool slow_path(thread_state& t, std::uintptr_t address, std::uintptr_t pc, bool natural);

// Does the block remember what the reader word `r` becomes when `self` reads, too? The site then remembers it as well.
[[gnu::always_inline]] inline bool known_step(block_state& b, block_state::access_site& site, shadow_word r,
                                              shadow_word self, shadow_word& after) {
  if (((r ^ self) & (kChain | kEpochMask)) == 0) {  // read by others through the same epoch, and by nobody else
    const std::uint32_t key = who_of(r) << 10 | who_of(self);
    const auto& slot = set_slot(b, key);
    if (slot.key != key) return false;
    after = make_shadow_word(epoch_of(r), slot.set);
  } else {
    const shadow_word who = common_thread(b, r, self);
    const auto& step = step_slot(b, r ^ who, self ^ who);
    if (step.before != (r ^ who) || step.mine != (self ^ who) || step.quiet_from != b.quiet_from || b.knows)
      return false;
    after = step.after | who;
  }
  site.before = r, site.mine = self, site.after = after;
  return true;
}

// The words of a cell, and what an access makes of them.
struct cell_words {
  shadow_word writer, readers;
  bool operator==(const cell_words&) const = default;
};

// Is `x`, a word of a cell, an access by the thread of `self` in its current interval? Only some epochs of the block
// are looked for, own. `newest`: the start of that interval.
inline bool is_own(const block_state& b, shadow_word x, shadow_word self, epoch newest) {
  const epoch when = x & (kSlow | kEpochMask);
  return when - b.own.from <= b.own.more && when >= newest && (x & ~kEpochMask) == (self & ~kEpochMask);
}

// Have several workers asked for this stretch of device memory? It then stays shared until the launch ends.
inline bool is_shared_stretch(const block_state& b, std::uint32_t stretch) {
  return b.ownership != nullptr && b.ownership[stretch].load(std::memory_order_acquire) == b.shared_entry;
}

// What an access makes of one cell. False: not decided.
template <bool Write, bool Device, std::uint32_t Cells>
[[gnu::always_inline]] inline bool middle_path_cell(block_state& b, block_state::access_site& site,
                                                    const cell_words before, cell_words& after, std::uintptr_t granule,
                                                    shadow_word self, epoch newest) {
  constexpr shadow_word kMask = kSlow | kEpochMask;  // a pointer to a slow cell compares as younger than all
  const auto [w, r] = before;
  after = before;
  const epoch oldest = Device ? kAncient : b.first_epoch;
  const epoch floor = Device ? b.device_floor : b.shared_floor;
  const auto own = [&](shadow_word x) { return is_own(b, x, self, newest); };
  bool old_write = (w & kMask) >= oldest && (w & kMask) < floor;
  if (Device && w == 0) {
    const auto* const u = b.objects->known_uniform(b, granule);
    if (u == nullptr || u->writer >= floor || (!Write && u->writer == 0)) return false;
    after.writer = u->writer;  // what the word of an untouched cell stands for
    old_write = true;
  }
  if constexpr (Write) {
    if (r == 0 && w == self) return true;
    if (!old_write && !own(w)) {
      // The first write to this cell of the block's shared memory: the slot's last block left the rest.
      if (Device || (w & kMask) >= oldest || (r & kEpochMask) >= oldest) return false;
      const std::uintptr_t at = granule - b.array.base;
      if (at >= b.array.size || b.array.size - at < Cells * 4)
        return false;  // the array must hold the whole access, for the next cells may copy this answer
    } else if (r != 0 && (r & kEpochMask) >= floor && !own(r)) {
      return false;
    }
    after = {self, 0};
    return true;
  } else {
    if (r == self && w != 0) return true;
    if (!old_write) return r == 0 && own(w);  // a read after the thread's own write adds nothing
    if ((r & kEpochMask) < floor) {
      after.readers = self;
      return true;
    }
    return known_step(b, site, r, self, after.readers);
  }
}

template <bool Write, bool Device, std::uint32_t Cells>
[[gnu::always_inline]] inline bool middle_path_cells(thread_state& t, block_state::access_site& site, cell* c,
                                                     std::uintptr_t address, shadow_word self) {
  block_state& b = *t.block;
  const auto put = [](cell& at, const cell_words& old, const cell_words& now) {
    if (now.readers != old.readers) set_readers(at, now.readers);
    if (now.writer != old.writer) store(at.writer, now.writer);
  };
  const cell_words first{load(c->writer), readers_of(*c)};
  cell_words now;
  if (!middle_path_cell<Write, Device, Cells>(b, site, first, now, address, self, interval_start(t))) return false;
  put(*c, first, now);
#pragma GCC unroll 3
  for (std::uint32_t i = 1; i < Cells; ++i) {
    const cell_words before{load(c[i].writer), readers_of(c[i])};
    cell_words after = now;  // neighbours mostly have one history
    if ((before != first || first.writer == 0) &&
        !middle_path_cell<Write, Device, 1>(b, site, before, after, address + i * 4, self, interval_start(t)))
      return false;
    put(c[i], before, after);
  }
  return true;
}

template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline bool middle_path(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  static_assert(Size >= 4);
  block_state& b = *t.block;
  auto& site = site_of(b, pc);
  if (!is_current(site, t, pc) || (address & (Size - 1)) != 0 || t.pending) [[unlikely]]
    return false;
  const shadow_word self = site.when | t.who;
  if (Write && !can_write(b, address)) return false;
  if (const std::uintptr_t at = address - b.device.base; at < b.device.size) {
    cell* const c = cell_at(b.device_cells, at);
    const cell_guard guard(*b.shadow, address);
    return middle_path_cells<Write, true, Size / 4>(t, site, c, address, self);
  }
  if (address - b.shared.base >= b.shared.size || b.deferred != nullptr) return false;
  std::optional<cell_guard> guard;
  if (b.quick_shared == 0)
    guard.emplace(*b.shadow, address);
  else
    b.shadow->settle(address, false);
  return middle_path_cells<Write, false, Size / 4>(t, site, cell_at(b.shared_cells, address - b.all_shared.base),
                                                   address, self);
}

// Calls nothing. Of device memory it takes what needs no lock: a stretch that the worker owns, or any when there is one
// worker. `Again`: a second try, which also takes stretches that the workers share, under the group's lock, and looks
// up what a set of readers becomes.
template <bool Write, std::uint32_t Size, bool Again = false>
[[gnu::always_inline]] inline bool fast_path_check(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  constexpr shadow_word kMask = kSlow | kEpochMask;
  constexpr std::uint32_t kCells = Size / 4;
  block_state& b = *t.block;
  if constexpr (!Write && !Again)
    if (may_be_constant(b, address) && (address & (Size - 1)) == 0 && reads_constant(t, address, Size)) [[unlikely]]
      return true;
  auto& site = site_of(b, pc);
  if (!is_current(site, t, pc) || t.pending || (address & (Size - 1)) != 0) [[unlikely]]
    return false;
  const shadow_word self = site.when | t.who;

  const auto mine = [&](shadow_word x) __attribute__((always_inline)) {
    return x == self || is_own(b, x, self, interval_start(t));
  };
  // What an access makes of a cell's reader word. `oldest` to `floor`: the epochs that are ordered before this thread
  // without a further look.
  const auto judge = [&](const shadow_word w, const shadow_word r, shadow_word& readers, epoch oldest, epoch floor)
      __attribute__((always_inline)) {
    const bool old_write = (w & kMask) >= oldest && (w & kMask) < floor;
    if constexpr (Write) {
      readers = 0;
      return (old_write || mine(w)) && ((r & kEpochMask) < floor || mine(r));  // its own: y[i] = f(y[i]), and once more
    } else {
      readers = 0;
      if (!old_write) return r == 0 && mine(w);  // a read after the thread's own write adds nothing
      readers = self;
      if ((r & kEpochMask) < floor || r == self) return true;
      readers = site.after;
      return (site.before == r && site.mine == self) || (Again && known_step(b, site, r, self, readers));
    }
  };
  const auto all = [&]<bool Locked>(std::bool_constant<Locked>, cell * c, epoch oldest, epoch floor)
      __attribute__((always_inline)) {
    const auto get = [](const cell& at) { return Locked ? readers_of(at) : load(at.readers); };
    const auto put = [](cell& at, shadow_word readers) {
      Locked ? set_readers(at, readers) : store(at.readers, readers);
    };
    const shadow_word w = load(c->writer), r = get(*c);
    shadow_word first;
    if (!judge(w, r, first, oldest, floor)) return false;
    if (!Write || r != 0) put(*c, first);
    if (Write) store(c->writer, self);
#pragma GCC unroll 3
    for (std::uint32_t i = 1; i < kCells; ++i) {
      shadow_word readers = first;  // neighbours mostly have one history
      if (const shadow_word wi = load(c[i].writer), ri = get(c[i]); wi != w || ri != r)
        if (!judge(wi, ri, readers, oldest, floor)) return false;
      put(c[i], readers);
      if (Write) store(c[i].writer, self);
    }
    return true;
  };
  constexpr std::bool_constant<false> own;
  constexpr std::bool_constant<true> locked;

  if (address - b.shared.base < b.quick_shared)
    return all(own, cell_at(b.shared_cells, address - b.all_shared.base), b.first_epoch, b.shared_floor);
  const std::uintptr_t at = address - b.device.base;
  if (at >= b.device.size) return false;
  if (Write && !may_write(b, address)) return false;
  cell* const c = cell_at(b.device_cells, at);
  __builtin_prefetch(c + 24, 1);
  if (b.ownership == nullptr) return all(own, c, kAncient, b.device_floor);
  const std::uint32_t stretch = ownership_table::index(at / 4);
  if (begin_owned(b.ownership, stretch)) {
    const bool done = all(own, c, kAncient, b.device_floor);
    end_owned();
    return done;
  }
  if (!Again || !is_shared_stretch(b, stretch)) return false;
  lock_group(c);
  const bool done = all(locked, c, kAncient, b.device_floor);
  unlock_group(c);
  return done;
}

// A scalar access of a device thread, to its end. False: the address has no cells (see detector.hpp).
template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline bool announce(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  if constexpr (Size >= 4)
    if (fast_path_check<Write, Size>(t, address, pc) || fast_path_check<Write, Size, true>(t, address, pc) ||
        middle_path<Write, Size>(t, address, pc)) [[likely]]
      return true;
  return slow_path<Write, Size>(t, address, pc, true);
}

}  // namespace simt::check
