// SPDX-License-Identifier: Apache-2.0
// The general way of an access: through each cell that it touches. It is compared with what the cell says, races and
// memory defects are reported, and it is recorded. The fast path (fast_path.hpp) comes first and only takes accesses
// for which this one would report nothing.
//
// plain_cells.cpp, slow_accesses.cpp, byte_pattern_cells.cpp and byte_cells.cpp implement it, by the form of the cell.
#pragma once

#include "sim/check/cell_forms.hpp"
#include "sim/check/operation.hpp"
#include "sim/check/readers.hpp"
#include "sim/check/reporter.hpp"
#include "sim/check/side_memory.hpp"
#include "sim/check/sync_variables.hpp"

namespace simt::check {

struct cell_words;

class access_checker {
 public:
  access_checker(reporter& reports, const options& o, shadow_memory& shadow, epoch_table& epochs,
                 const thread_sets& sets, byte_pattern_table& patterns, const agent_order& agents,
                 object_table& objects, block_table& blocks, side_memory& memory, reader_groups& readers,
                 cell_forms& forms, sync_variables& syncs)
      : reports_(reports),
        opt_(o),
        shadow_(shadow),
        epochs_(epochs),
        sets_(sets),
        byte_patterns_(patterns),
        agents_(agents),
        objects_(objects),
        blocks_(blocks),
        memory_(memory),
        readers_(readers),
        forms_(forms),
        sync_variables_(syncs) {}

  void plain(operation& op, bool write);
  void atomic(operation& op, atomic_op what);  // guarded
  // A plain access to the bytes `mask` of one cell, if a byte pattern or byte cells can say it; false: nothing was
  // recorded.
  bool bytes(thread_state& t, std::uintptr_t address, std::uint8_t mask, bool write, std::uintptr_t pc);
  // The same by t and the threads after it, `size` bytes of the cell each: all of it. Guarded. `known`: of cells that
  // the same instruction touches so in the same epoch, `when`, which is that of kAnyPc.
  struct byte_steps {
    std::uint32_t pattern = byte_pattern_table::kNone;
    std::int32_t rank = 0;
    byte_pattern_table::step all;
  };
  bool whole_cell_of_bytes(thread_state& t, cell& c, std::uintptr_t granule, std::uint32_t size, bool write,
                           std::uintptr_t pc, epoch when, byte_steps& known);
  // Clears what an earlier block left in a cell of shared memory. True: the cell is t's block's and nobody else's.
  bool refresh_shared(thread_state& t, cell& c, std::uintptr_t granule);
  // Forgets the plain reads of `address` by t: its compare-and-swap stands for them. Guarded.
  void forget_unconfirmed(thread_state& t, std::uintptr_t address, std::uint32_t size);

 private:
  void plain_cell(operation& op, cell& c, std::uintptr_t granule, std::uint8_t mask, bool write);
  void slow_access(operation& op, slow_cell& e, std::uintptr_t granule, touch what);
  void forget_records(slow_cell& e);  // all of them: they are over
  // unwritten() notes bytes (those of `mask`) that a read takes and nothing has written. end_of_unwritten() is called
  // where a run of such neighbours ends: it makes the finding, unless the run may be padding.
  void unwritten(operation& op, std::uintptr_t granule, std::uint8_t mask);
  void end_of_unwritten(operation& op);
  // The same where the cell has byte cells.
  bool bytes_apart(thread_state& t, const cell& c, std::uintptr_t address, std::uint32_t size, bool write,
                   std::uintptr_t pc);
  template <bool Write>
  bool step_byte_cells(thread_state& t, byte_cells& bytes, std::uintptr_t address, std::uint32_t size,
                       std::uintptr_t pc);
  // What an access makes of the words of a byte. False: it might be a finding that is not `raced` alone.
  template <bool Write>
  bool step_byte(thread_state& t, block_state::access_site& site, const cell_words& before, cell_words& after,
                 epoch when, shadow_word& raced);
  template <class Next>
  bool step_byte_pattern(thread_state& t, cell& c, std::uintptr_t granule, bool is_shared, epoch when, Next next);
  // The cell's first access in an epoch: what it is then, and what it said before. False: a pattern cannot say it.
  bool begin_byte_pattern(block_state& b, cell& c, std::uintptr_t granule, bool is_shared, std::uint32_t& pattern,
                          shadow_word& before);
  shadow_word link_byte_patterns(block_state& b, shadow_word upper, shadow_word lower);

  reporter& reports_;
  const options& opt_;
  shadow_memory& shadow_;
  epoch_table& epochs_;
  const thread_sets& sets_;
  byte_pattern_table& byte_patterns_;
  const agent_order& agents_;
  object_table& objects_;
  block_table& blocks_;
  side_memory& memory_;
  reader_groups& readers_;
  cell_forms& forms_;
  sync_variables& sync_variables_;
};

}  // namespace simt::check
