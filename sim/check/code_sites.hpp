// SPDX-License-Identifier: Apache-2.0
// What a block remembers of an instruction: the epoch that its accesses there carry.
#pragma once

#include "sim/check/agents.hpp"
#include "sim/check/block_state.hpp"
#include "sim/check/epochs.hpp"

namespace simt::check {

// Calls of one stretch of 4 KiB of code, which are at least 4 bytes apart, never share a site.
inline block_state::access_site& site_of(block_state& b, std::uintptr_t pc) {
  return b.sites[(pc >> 2 ^ pc >> 12) & 1023];
}

// May what t does now at `pc` go by the site's epoch? Not once t has released or the block passed a barrier since.
inline bool is_current(const block_state::access_site& site, const thread_state& t, std::uintptr_t pc) {
  return site.pc == pc && site.when >= interval_start(t);
}

inline epoch epoch_for(thread_state& t, std::uintptr_t pc) {
  block_state& b = *t.block;
  auto& site = site_of(b, pc);
  if (is_current(site, t, pc)) [[likely]]
    return site.when;
  site.when = b.add({pc, 0, b.launch->agent, b.number});
  site.pc = pc;
  return site.when;
}

}  // namespace simt::check
