// SPDX-License-Identifier: Apache-2.0
#include "sim/check/told_of_race.hpp"

#include "sim/check/core.hpp"

namespace simt::check {

std::uintptr_t told_unfenced(const reporter& d, cause why, const operation& op, const earlier_access& o,
                             const epoch_record& before) {
  const bool overwrites = op.kind == access_kind::write && o.kind == access_kind::read;
  if (why != cause::race_blocks_handover && (why != cause::race_blocks || !overwrites)) return 0;
  if (d.opt.workers > 1) return 0;
  const std::uint64_t other = block_key(before.agent, before.block);
  for (const vector_clock& fenced : op.thread.clocks->acquirable)
    if (o.when < known_until(fenced, other, o.rank)) return 0;  // the fence that is missing is the reader's
  for (const std::uintptr_t flag : op.thread.block->asked) {
    const cell* const c = flag == 0 ? nullptr : d.shadow.cell_of(flag & ~std::uintptr_t{3});
    if (c == nullptr || !is_slow(c->writer)) continue;
    const auto is_by_other = [&](epoch when) {
      return when >= o.when && d.epochs[when].agent == before.agent && d.epochs[when].block == before.block;
    };
    const slow_cell& e = slow_cell_of(c->writer);
    for (const access_record& r : e.records)
      if (r.kind == record_kind::atomic_write && is_by_other(r.when)) return d.epochs[r.when].pc;
    const shadow_word open = readers_of(*c);
    if (open == 0 || d.shadow.additions.is_dead(ticket_of(open))) continue;
    for (std::uint32_t i = last_of(open); i != 0; i = d.shadow.additions[i].before)
      if (const epoch when = epoch_of(d.shadow.additions[i].access); is_by_other(when)) return d.epochs[when].pc;
  }
  return 0;
}

scope unacquired(cause why, const operation& op, const earlier_access& o, const epoch_record& before) {
  if (!is_between_blocks(why)) return scope::thread;
  const std::uint64_t other = block_key(before.agent, before.block);
  for (std::size_t reach = static_cast<std::size_t>(scope::block); reach < kReaches; ++reach)
    if (o.when < known_until(op.thread.clocks->acquirable[reach], other, o.rank)) return static_cast<scope>(reach);
  return scope::thread;
}

}  // namespace simt::check
