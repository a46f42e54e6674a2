// SPDX-License-Identifier: Apache-2.0
// Makes findings of what the checks saw: which defect, by whom, where, in what state. Decides nothing else, and says
// nothing in words (sim/report/phrasebook does).
#pragma once

#include "sim/check/agents.hpp"
#include "sim/check/blocks.hpp"
#include "sim/check/finding_log.hpp"
#include "sim/check/object_table.hpp"
#include "sim/check/operation.hpp"
#include "sim/check/own_copies.hpp"
#include "sim/check/shadow_memory.hpp"

namespace simt::check {

// How `op` learned that the data is there.
struct handover {
  std::uintptr_t written_at = 0, seen_at = 0;  // the flag; 0: not known
  bool fenced = false;                         // the writer has its fence, but the reader has none
  bool narrow = false;                         // the writer's fence does not reach the reader
  scope needed = scope::device;
};

class reporter {
 public:
  // `op` races with `before` at the bytes `mask` of the cell; `scope_only`: at system scope they would be ordered.
  void race(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& before, bool scope_only);
  void memory(operation& op, rule r, std::uintptr_t at);
  // `op` reads volatile data of `before` without the fences that this takes.
  void missing_fence(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& before,
                     const handover& h);
  // `op` reads through the read-only cache what `before` has written, and is ordered after it.
  void noncoherent(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& before);
  // The cell holds a flag: it is no data that a fence keeps in order. Nor is what else of its object is read at `pc`
  // (0: that is no read).
  void polled(std::uintptr_t granule, std::uintptr_t pc);
  // A write of t that raced has happened: did it change the bytes?
  void judge_pending_write(thread_state& t);

  const options& opt;
  const shadow_memory& shadow;
  const epoch_table& epochs;
  const agent_order& agents;
  object_table& objects;
  block_table& blocks;
  finding_log& log;
  copy_sites copies{};
};

}  // namespace simt::check
