// SPDX-License-Identifier: Apache-2.0
// Shadow cells: what they are, where the cell of an address lies, and the lock of a group of them. What their words
// say: shadow_word.hpp. The memory that holds them: shadow_memory.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/check/detector.hpp"
#include "sim/check/shadow_word.hpp"
#include "sim/instrument/pause.hpp"

namespace simt::check {

// What is known of 4 aligned bytes; zero until they are first touched.
struct cell {
  shadow_word writer;
  shadow_word readers;
};
static_assert(sizeof(cell) == 16);

// Cells lie apart by one cache line more after every 4 KiB of data: columns of matrices whose rows are a
// power of two would else share a few cache sets. Cells of 16 aligned bytes are neighbours.
inline constexpr std::size_t kCellsSkew = 4;
inline std::size_t cell_index(std::size_t offset) { return offset / 4 + (offset >> 12) * kCellsSkew; }
// The same in fewer instructions, for a multiple of 4.
inline cell* cell_at(cell* cells, std::size_t offset) {
  return reinterpret_cast<cell*>(reinterpret_cast<char*>(cells) + offset * (sizeof(cell) / 4) +
                                 (offset >> 12) * (kCellsSkew * sizeof(cell)));
}

// The part of a range that whole cells stand for.
inline address_range whole_cells(address_range r) {
  const std::uintptr_t from = (r.base + 3) & ~std::uintptr_t{3}, to = (r.base + r.size) & ~std::uintptr_t{3};
  return {from, std::max(from, to) - from};
}

inline shadow_word load(const shadow_word& w) { return __atomic_load_n(&w, __ATOMIC_ACQUIRE); }
inline void store(shadow_word& w, shadow_word value) { __atomic_store_n(&w, value, __ATOMIC_RELEASE); }

// The lock of a group of four cells, which stand for 16 aligned bytes and fill a cache line: a bit in the first one's
// reader word, so that workers which touch different groups never wait for each other's lines.
inline shadow_word readers_of(const cell& c) { return load(c.readers) & ~kLocked; }
inline void set_readers(cell& c, shadow_word readers) { store(c.readers, readers | (load(c.readers) & kLocked)); }
inline shadow_word& lock_word(cell* c) {
  return reinterpret_cast<cell*>(reinterpret_cast<std::uintptr_t>(c) & ~std::uintptr_t{63})->readers;
}
inline void lock_group(cell* c) {
  shadow_word& w = lock_word(c);
  while (__atomic_fetch_or(&w, kLocked, __ATOMIC_ACQUIRE) & kLocked)
    while (__atomic_load_n(&w, __ATOMIC_RELAXED) & kLocked) sim::pause_a_moment();
}
inline void unlock_group(cell* c) { store(lock_word(c), lock_word(c) & ~kLocked); }

}  // namespace simt::check
