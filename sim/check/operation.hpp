// SPDX-License-Identifier: Apache-2.0
// One access while it is checked, and the earlier access that it races with.
#pragma once

#include "sim/check/block_state.hpp"

namespace simt::check {

// One access on its way through the cells it touches.
struct operation {
  thread_state& thread;
  std::uintptr_t address;
  std::size_t size;
  std::uintptr_t pc;
  access_kind kind;
  epoch when;                                             // its epoch
  simt::check::scope scope = simt::check::scope::system;  // atomics
  bool is_volatile = false, writes = false;               // writes: of volatile accesses only
  bool bad_memory = false;                                // a memory finding was made; one is enough for an access
  bool uninitialised = false;
  std::uintptr_t unwritten_from = 0, unwritten_to = 0;  // the run of unwritten bytes that the read is in
  epoch last_race_epoch = 0;  // the same pair in the next cell of the same access is the same finding
  std::uint32_t last_race_rank = 0;
  std::uintptr_t last_race_pc = 0;
  std::uintptr_t told_write_pc = 0;  // a plain write here by another block of the launch, whose race with it is told
  // Bytes of a copy to the host, or of an asynchronous one in pieces of `size`; 0: an ordinary access.
  std::size_t whole_copy = 0;
  std::uint32_t declared_align = 0;  // of the array that such a copy goes to, where that is the reason
};

// The other side of a race.
struct earlier_access {
  epoch when;
  std::uint32_t rank;
  access_kind kind;
  simt::check::scope scope = simt::check::scope::system;
  bool is_volatile = false, writes = false;
  std::uintptr_t pc = 0;  // 0: the epoch's
};
// What a report calls an access: volatile ones are reads and writes.
template <class Access>
access_kind shown_kind(const Access& a) {
  return !a.is_volatile ? a.kind : a.writes ? access_kind::write : access_kind::read;
}

}  // namespace simt::check
