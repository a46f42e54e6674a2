// SPDX-License-Identifier: Apache-2.0
#include "sim/check/clocks.hpp"

#include "sim/check/deferred_shared.hpp"

namespace simt::check {

void learn(thread_state& t, const clock_pair& c) {
  if (!c) return;
  t.clocks->known.join_with(c);
  t.block->knows = t.block->dirty = true;
}

void publish(thread_state& t, clock_pair& out) {
  block_state& b = *t.block;
  close_deferred(b);
  const epoch now = b.now();
  thread_times times;
  if (b.lanes_used) {
    const std::uint32_t first = t.rank / kWarp * kWarp;
    for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
      const std::uint32_t r = first + lane;
      const epoch until = r == t.rank ? now : b.lanes[std::size_t{t.rank} * kWarp + lane];
      if (until > b.base) times.emplace_back(r, until);
    }
  } else {
    times.emplace_back(t.rank, now);
  }
  vector_clock own = join(clock_of_block(key_of(b), b.base, std::move(times)), b.agents->inherited(*b.launch));
  // Blocks of this launch share the grid barrier anyway; other launches learn of it here.
  if (b.grid_base) own = join(own, clock_of_block(block_key(b.launch->agent, kWholeAgent), b.grid_base, {}));
  const bool same = t.clocks->known.scoped == t.clocks->known.unscoped;
  out.scoped = join(t.clocks->known.scoped, own);
  out.unscoped = same ? out.scoped : join(t.clocks->known.unscoped, own);
  t.released = b.quiet_from = now;
  b.dirty = true;
}

}  // namespace simt::check
