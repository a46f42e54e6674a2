// SPDX-License-Identifier: Apache-2.0
// Device memory as objects: what lies at an address, which bytes of it have held a value since before any cell said so,
// and what copies wrote there as a whole.
//
// A cell that is zero says nothing; the objects say what it stands for. So allocating, filling and copying to the
// device touch no cells.
//
// Invariants
//  1. Objects do not overlap. A freed one stays until its place is given to another.
//  2. `version` changes whenever an object, its initialised ranges or its range writes do; then no device thread runs.
//     What blocks keep of objects is good for one version.
//  3. `touched` is false only while all cells of the object are zero, has_slow_cells only while none of them is slow or
//  a
//     byte pattern. Device threads of several workers set them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/check/block_state.hpp"

namespace simt::check {

// A copy or fill that covered a whole range at once and is not yet ordered before everything.
struct range_write {
  epoch when;
  std::uintptr_t from, to;
};

struct object_record {
  allocation what;
  bool live = true;
  bool touched = false;                              // some cell may be non-zero
  bool has_slow_cells = false;                       // some cell may be slow or a byte pattern
  bool initialised = false;                          // known: every byte has held a value
  epoch host_written = 0;                            // epochs up to here: the last write by the host or a copy
  std::map<std::uintptr_t, std::uintptr_t> initial;  // initialised ranges [from, to), apart from what cells say
  std::vector<range_write> writes;
  std::uintptr_t end() const { return what.address + what.size; }
};
// By device threads, at any time.
inline void set_once(const bool& flag) {
  if (!__atomic_load_n(&flag, __ATOMIC_RELAXED)) __atomic_store_n(const_cast<bool*>(&flag), true, __ATOMIC_RELAXED);
}

// What the memory behind a zero cell is.
struct memory_state {
  std::uint8_t valid = 0, initialised = 0;  // bytes of the cell
  const object_record* object = nullptr;
};

// Of an access in a gap: whether it meant the object below, whose end it is `past`, and not the one above. Most who go
// astray run past an end.
inline bool means_the_one_below(std::uintptr_t past, std::uintptr_t to_above) { return past / 4 <= to_above; }

// Sets of addresses, as ranges [from, to) that neither touch nor overlap.
void add_range(std::map<std::uintptr_t, std::uintptr_t>& ranges, std::uintptr_t from, std::uintptr_t to);
void remove_range(std::map<std::uintptr_t, std::uintptr_t>& ranges, std::uintptr_t from, std::uintptr_t to);

class object_table {
 public:
  std::uint64_t version = 1;

  const std::map<std::uintptr_t, object_record>& all() const { return objects_; }  // by address
  object_record* starts_at(std::uintptr_t address);
  object_record* find(std::uintptr_t address);     // live or freed, that holds the address
  object_record* nearest(std::uintptr_t address);  // the one that an access there most likely meant
  void add(allocation a, bool initialised);        // freed ones whose place it takes are forgotten

  std::uint8_t initial_mask(const object_record& o, std::uintptr_t granule) const;  // bytes of the cell
  memory_state look_up(block_state& b, std::uintptr_t granule);
  // The stretch of whole, live cells around `granule` that are alike while untouched; null: none. The block keeps some.
  // `horizon`: agent_order's. `uninit`: whether unwritten bytes count.
  const block_state::uniform_region* uniform_at(block_state& b, std::uintptr_t granule, epoch horizon, bool uninit) {
    const auto* const r = known_uniform(b, granule);
    return r != nullptr ? r : find_uniform(b, granule, horizon, uninit);
  }
  // The same if the block has it at hand.
  const block_state::uniform_region* known_uniform(const block_state& b, std::uintptr_t granule) const {
    for (const auto& r : b.regions)
      if (granule - r.from < r.size && r.version == version) return &r;
    return nullptr;
  }

 private:
  const block_state::uniform_region* find_uniform(block_state& b, std::uintptr_t granule, epoch horizon, bool uninit);
  std::map<std::uintptr_t, object_record> objects_;
};

}  // namespace simt::check
