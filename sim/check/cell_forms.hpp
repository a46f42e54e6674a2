// SPDX-License-Identifier: Apache-2.0
// The forms of a cell, and the ways between them.
//
//   untouched  the objects say what the cell stands for
//   plain      the last write of all 4 bytes, and the readers since: shadow_word.hpp
//   pattern    bytes that different threads touch one by one: byte_pattern.hpp
//   bytes      the same, where data choose the bytes: byte_cells.hpp
//   slow       everything else: slow_cells.hpp
//
// Invariant: a change of form changes nothing that could matter to an access that is still to come. Guarded.
#pragma once

#include "sim/check/agents.hpp"
#include "sim/check/blocks.hpp"
#include "sim/check/byte_pattern.hpp"
#include "sim/check/object_table.hpp"
#include "sim/check/readers.hpp"
#include "sim/check/shadow_memory.hpp"

namespace simt::check {

class cell_forms {
 public:
  cell_forms(const options& o, shadow_memory& shadow, const epoch_table& epochs, const thread_sets& sets,
             const byte_pattern_table& patterns, const agent_order& agents, object_table& objects, block_table& blocks)
      : opt_(o),
        shadow_(shadow),
        epochs_(epochs),
        sets_(sets),
        byte_patterns_(patterns),
        agents_(agents),
        objects_(objects),
        blocks_(blocks) {}

  // What an untouched cell stands for.
  memory_state look_up(thread_state& t, std::uintptr_t granule);
  const block_state::uniform_region* uniform_at(block_state& b, std::uintptr_t granule) {
    return objects_.uniform_at(b, granule, agents_.horizon, opt_.uninit);
  }

  // A plain or untouched cell, at t's access with epoch `when`, becomes a slow one.
  slow_cell& make_slow(thread_state& t, epoch when, cell& c, std::uintptr_t granule);
  slow_cell& slow_form(cell& c);  // of a slow cell, or of a byte pattern or byte cells, which become one
  // A cell of device memory that has another form gets byte cells. False: they cannot say what it says.
  bool part_bytes(block_state& b, cell& c, std::uintptr_t granule);
  // Of a slow cell: what the log of additions has of it becomes records. `covered_by`: an addition of this launch that
  // is like them follows, so those that are ordered before the launch are not needed.
  void gather(cell& c, const launch_state* covered_by = nullptr);
  void simplify(cell& c);                              // of these three: to a plain cell if that says as much
  bool is_over(const slow_cell& e, epoch done) const;  // it is whole and says nothing that is as young as `done`
  shadow_word last_write(const cell& c) const;         // as a plain cell says it; the rank may be another
  std::uint8_t initialised_in(const cell& c, const object_record& o, std::uintptr_t granule) const;

 private:
  slow_cell& slow_form_of_bytes(cell& c);
  const options& opt_;
  shadow_memory& shadow_;
  const epoch_table& epochs_;
  const thread_sets& sets_;
  const byte_pattern_table& byte_patterns_;
  const agent_order& agents_;
  object_table& objects_;
  block_table& blocks_;
};

// A byte pattern's reader word, taken apart: a plain word's thread or a pattern's base.
inline constexpr shadow_word kBase = shadow_word{0x3ff} << 40, kWho = kWhoMask << kEpochBits;
inline std::uint32_t origin_of(shadow_word before) { return before & kChain ? base_of(before) : who_of(before); }
inline shadow_word with_origin(shadow_word before, std::uint32_t origin) {
  return (before & ~(before & kChain ? kBase : kWho)) | shadow_word{origin} << 40;
}

}  // namespace simt::check
