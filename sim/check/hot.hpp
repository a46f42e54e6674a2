// SPDX-License-Identifier: Apache-2.0
// The first tier of a plain access, inline at its announcement: accesses of whole cells of which everything recorded is
// so old, or so much the thread's own, that nothing can race and nothing is read uninitialised.
//
// Invariant: hot_access only answers "done" where cold_access would leave the cells the same and report nothing. What
// it cannot decide at a glance it leaves to cold_access, which may find a part of the cells recorded already.
#pragma once

#include "sim/check/core.hpp"

namespace simt::check {

// All accesses that hot_access does not decide. `natural`: the address must be a multiple of the size.
template <bool Write, std::uint32_t Size>
bool cold_access(thread_state& t, std::uintptr_t address, std::uintptr_t pc, bool natural);

// `key`: a set << 10 | a rank.
inline block_state::cached_set& set_slot(block_state& b, std::uint32_t key) { return b.sets[key * 0x9e3779b9U >> 21]; }

inline block_state::cached_readers& step_slot(block_state& b, word readers, word mine) {
  return b.reader_steps[((readers ^ mine << 17 ^ mine >> 23) * 0x9e3779b97f4a7c15ULL) >> 54];
}

// The bits of the thread that step_slot() need not know: see block_state::reader_steps.
inline word common_thread(const block_state& b, word readers, word mine) {
  constexpr word kWho = kWhoMask << kIdBits;
  return ((readers ^ mine) & kWho) == 0 && id_of(readers) < b.first_id ? mine & kWho : 0;
}

// The words of a cell, and what an access makes of them.
struct cell_words {
  word writer, readers;
  bool operator==(const cell_words&) const = default;
};

// False: not decided.
template <bool Write, bool Device, std::uint32_t Cells>
[[gnu::always_inline]] inline bool hot_cell(block_state& b, const cell_words before, cell_words& after,
                                            std::uintptr_t granule, word self, time_id newest) {
  constexpr word kMask = kExtended | kIdMask;  // a pointer to an extended cell compares as younger than all
  const auto [w, r] = before;
  after = before;
  const time_id oldest = Device ? kAncient : b.first_id;
  const time_id floor = Device ? b.device_floor : b.shared_floor;
  const auto own = [&](word x) {
    return (x & kMask) == b.own_id && b.own_id >= newest && (x & ~kIdMask) == (self & ~kIdMask);
  };
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
      const std::uintptr_t at = granule - b.array_from;
      if (at >= b.array_size || b.array_size - at < Cells * 4)
        return false;  // the whole access: the others may copy this
    } else if (r != 0 && (r & kIdMask) >= floor && !own(r)) {
      return false;
    }
    after = {self, 0};
    return true;
  } else {
    if (r == self) return true;
    if (!old_write) return r == 0 && own(w);  // a read after the thread's own write adds nothing
    if ((r & kIdMask) < floor) {
      after.readers = self;
      return true;
    }
    if (((r ^ self) & (kChain | kIdMask)) == 0) {  // read by others through the same descriptor, and by nobody else
      const std::uint32_t key = who_of(r) << 10 | who_of(self);
      const auto& slot = set_slot(b, key);
      if (slot.key != key) return false;
      after.readers = make_word(r & kIdMask, slot.set);
      return true;
    }
    const word who = common_thread(b, r, self);
    const auto& step = step_slot(b, r ^ who, self ^ who);
    if (step.before != (r ^ who) || step.mine != (self ^ who) || step.quiet_from != b.quiet_from || b.knows)
      return false;
    after.readers = step.after | who;
    return true;
  }
}

template <bool Write, bool Device, std::uint32_t Cells>
[[gnu::always_inline]] inline bool hot_cells(block_state& b, cell* c, std::uintptr_t address, word self,
                                             time_id newest) {
  const auto put = [](cell& at, const cell_words& old, const cell_words& now) {
    if (now.readers != old.readers) store(at.readers, now.readers);
    if (now.writer != old.writer) store(at.writer, now.writer);
  };
  const cell_words first{load(c->writer), load(c->readers)};
  cell_words now;
  if (!hot_cell<Write, Device, Cells>(b, first, now, address, self, newest)) return false;
  put(*c, first, now);
#pragma GCC unroll 3
  for (std::uint32_t i = 1; i < Cells; ++i) {
    const cell_words before{load(c[i].writer), load(c[i].readers)};
    cell_words after = now;  // neighbours mostly have one history
    if ((before != first || first.writer == 0) &&
        !hot_cell<Write, Device, 1>(b, before, after, address + i * 4, self, newest))
      return false;
    put(c[i], before, after);
  }
  return true;
}

template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline bool hot_access(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  static_assert(Size >= 4);
  block_state& b = *t.block;
  const auto& slot = descriptor_slot(b, pc);
  const time_id newest = std::max(t.min_id, b.base);
  if (slot.pc != pc || slot.id < newest || (address & (Size - 1)) != 0 || t.pending) [[unlikely]]
    return false;
  const word self = make_word(slot.id, t.rank);
  bool done;
  if (const std::uintptr_t at = address - b.device.base; at < b.device.size) {
    cell* const c = b.device_cells + cell_index(at);
    stripe* const lock = b.stripes != nullptr ? b.stripes + stripe_index(address) : nullptr;
    if (lock != nullptr) lock->lock();
    done = hot_cells<Write, true, Size / 4>(b, c, address, self, newest);
    if (lock != nullptr) lock->unlock();
  } else if (address - b.shared.base < b.shared.size) {
    // The block's own shared memory, which only its worker touches unless there are clusters.
    cell* const c = b.shared_cells + cell_index(address - b.all_shared.base);
    stripe* const lock =
        b.stripes != nullptr && (b.foreign_shared || b.launch->clusters.load(std::memory_order_relaxed))
            ? b.stripes + stripe_index(address)
            : nullptr;
    if (lock != nullptr) lock->lock();
    done = hot_cells<Write, false, Size / 4>(b, c, address, self, newest);
    if (lock != nullptr) lock->unlock();
  } else {
    return false;
  }
  return done;
}

// A scalar access of a device thread; see detector.hpp for the result.
template <bool Write, std::uint32_t Size>
[[gnu::always_inline]] inline bool announce(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
  if constexpr (Size >= 4)
    if (hot_access<Write, Size>(t, address, pc)) [[likely]]
      return true;
  return cold_access<Write, Size>(t, address, pc, true);
}

}  // namespace simt::check
