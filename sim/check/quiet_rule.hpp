// SPDX-License-Identifier: Apache-2.0
// What shadow cells must say so that an access of any thread of a block finds nothing, asked for many cells at once.
// Internal to sim/check: for batches.
#pragma once

#include <algorithm>
#include <type_traits>

#include "sim/check/core.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {

inline constexpr std::uintptr_t kPage =
    4096;  // cells of a page of data follow each other (cell_index), and have one owner (ownership_table::index)
inline constexpr shadow_word kAge = kSlow | kEpochMask;  // a pointer to a slow cell compares as younger than all

// What cells of device or own shared memory must say so that an access of any thread of the block finds nothing.
struct quiet_rule {
  bool device;
  epoch oldest, floor;
  const block_state::uniform_region* uniform = nullptr;  // device memory: what untouched cells stand for
  address_range array;                                   // shared memory: whole cells of the array there
  const block_state& block;
  mutable epoch past = 0;  // one that is_past() has found

  quiet_rule(const block_state& b, std::uintptr_t address)
      : device(address - b.device.base < b.device.size),
        oldest(device ? kAncient : b.first_epoch),
        floor(device ? b.device_floor : b.shared_floor),
        block(b) {}

  bool is_old(shadow_word w) const { return (w & kAge) >= oldest && (w & kAge) < floor; }
  // Does the word say what the block itself did before its last barrier, and nothing else? All its threads are ordered
  // after that.
  bool is_past(shadow_word w) const {
    const epoch when = epoch_of(w);
    if ((w & kSlow) != 0 || when < block.first_epoch || when >= block.base) return false;
    if (when != past && !is_of(block, when)) return false;
    past = when;
    return true;
  }
  // Does a read by the thread of `self` stand for the past readers `r`? Not for other threads' reads of device memory:
  // it may turn out to be a guess (reader_groups::add).
  bool stands_for(shadow_word r, shadow_word self) const {
    return (!device || ((r ^ self) & ~kEpochMask) == 0) && is_past(r);
  }
  // The writer's word, if w is older than everything that could race; else 0. With `fresh`, a cell that nothing has
  // written in this run also gives a word other than 0.
  shadow_word old_writer(shadow_word w, shadow_word r, std::uintptr_t granule, bool fresh) const {
    if (is_old(w)) return w;
    if (device) {
      if (w != 0 || uniform == nullptr || granule - uniform->from >= uniform->size || uniform->writer >= floor)
        return 0;
      return uniform->writer != 0 ? uniform->writer : fresh ? shadow_word{kAncient} : 0;
    }
    const bool stale = (w & kAge) < oldest && (r & kEpochMask) < oldest;
    return fresh && stale && granule - array.base < array.size ? shadow_word{kAncient} : 0;
  }
  // The same for neighbouring cells, as cell_vector takes it: up to `most` accesses of `size` bytes from `address` on.
  // Which threads had read what nobody has written is left out: that is found where they read.
  struct neighbours {
    epoch oldest;
    shadow_word untouched = 0;
    std::uint32_t count = 0;  // accesses for which this holds
  };
  neighbours old_neighbours(std::uintptr_t address, std::uint32_t size, std::uint32_t most, bool fresh) const {
    const auto within = [&](std::uintptr_t from, std::uintptr_t bytes) {
      if (address - from >= bytes) return 0U;
      return static_cast<std::uint32_t>(std::min<std::uintptr_t>(most, (from + bytes - address) / size));
    };
    if (!device) return {0, 0, fresh ? within(array.base, array.size) : 0};
    if (uniform == nullptr || uniform->writer >= floor) return {oldest};
    const shadow_word as = uniform->writer != 0 ? uniform->writer : fresh ? shadow_word{kAncient} : 0;
    return {oldest, as, as != 0 ? within(uniform->from, uniform->size) : 0};
  }
};

// What the rule asks for of cells that nothing has touched.
inline void look_up(quiet_rule& q, block_state& b, std::uintptr_t address) {
  if (q.device) {
    q.uniform = b.core->forms.uniform_at(b, address & ~std::uintptr_t{3});
    return;
  }
  for (const shared_object& a : b.arrays)
    if (address - a.address < a.size) q.array = whole_cells({a.address, a.size});
}

// Looks up, where needed, what untouched cells of the row stand for, and says whether that holds for the whole row.
inline bool know_untouched(quiet_rule& q, block_state& b, std::uintptr_t address) {
  const auto within = [&] {
    const address_range r = !q.device              ? q.array
                            : q.uniform != nullptr ? address_range{q.uniform->from, q.uniform->size}
                                                   : address_range{};
    return address - r.base < r.size && r.size - (address - r.base) >= kRowBytes;
  };
  if (within()) return true;
  look_up(q, b, address);
  return within();
}

inline cell* cell_for(block_state& b, bool device, std::uintptr_t address) {
  return device ? cell_at(b.device_cells, address - b.device.base)
                : cell_at(b.shared_cells, address - b.all_shared.base);
}

// Calls f(locked) with what lies on the page of device memory guarded; locked: by locks that f takes.
template <class F>
auto guarded(block_state& b, bool device, std::uintptr_t address, F f) {
  if (!device || b.ownership == nullptr) return f(std::false_type{});
  const std::uint32_t stretch = ownership_table::index((address - b.device.base) / 4);
  if (b.core->shadow.ownership->hold(stretch)) {
    const auto result = f(std::false_type{});
    end_owned();
    return result;
  }
  return f(std::true_type{});
}

// How many positions from `address` on, of at most `most`, lie on its page.
inline std::uint32_t on_page(std::uintptr_t address, std::intptr_t stride, std::uint32_t most) {
  if (stride == 0 || most <= 1) return most;
  const auto left =
      static_cast<std::intptr_t>(stride > 0 ? kPage - 1 - (address & (kPage - 1)) : address & (kPage - 1));
  const std::intptr_t step = stride > 0 ? stride : -stride;
  if (left >= step * static_cast<std::intptr_t>(most - 1)) return most;
  return static_cast<std::uint32_t>(left / step) + 1;
}

}  // namespace simt::check
