// SPDX-License-Identifier: Apache-2.0
#include "sim/check/unfenced.hpp"

#include "sim/check/clocks.hpp"

namespace simt::check {

vector_clock own_clock(thread_state& t) {
  block_state& b = *t.block;
  const epoch now = b.epochs->now();
  t.released = b.quiet_from = now;
  b.dirty = true;
  return clock_of_block(key_of(b), b.base, {{t.rank, now}});
}

void leave_mark(shadow_memory& shadow, thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what,
                vector_clock before, std::uintptr_t pc) {
  const cell* c = shadow.cell_of(address);
  if (!c || !is_slow(c->writer)) return;
  auto& mark = slow_cell_of(c->writer).unfenced;
  if (what == atomic_op::store) mark.reset();
  if (!before) return;
  if (!mark) mark = std::make_unique<unfenced_mark>();
  mark->before = join(mark->before, before);
  mark->address = address;
  mark->size = size;
  mark->pc = pc;
  t.block->dirty = true;
}

void see_mark(const shadow_memory& shadow, thread_state& t, std::uintptr_t address, std::uint32_t size) {
  const cell* c = shadow.cell_of(address);
  if (!c || !is_slow(c->writer)) return;
  const auto& mark = slow_cell_of(c->writer).unfenced;
  if (!mark || mark->address != address || mark->size != size) return;
  t.clocks->unfenced = join(t.clocks->unfenced, mark->before);
  t.clocks->unfenced_pc = mark->pc;
  t.block->has_unfenced = t.block->dirty = true;
}

void share_marks(block_state& b) {
  if (!b.has_unfenced) return;
  b.has_unfenced = false;
  for (int r = 0; r < b.threads; ++r) {
    const thread_clocks& c = *b.all[static_cast<std::size_t>(r)].clocks;
    if (!c.unfenced) continue;
    b.unfenced = join(b.unfenced, c.unfenced);
    b.unfenced_pc = c.unfenced_pc;
  }
}

void judge_handover(reporter& reports, operation& op, std::uintptr_t granule, std::uint8_t mask,
                    const earlier_access& o) {
  const thread_state& t = op.thread;
  const block_state& b = *t.block;
  const epoch_record& d = reports.epochs[o.when];
  if (reports.shadow.in_shared(granule) || d.agent != b.launch->agent || d.block == b.number) return;
  if ((d.block | b.number) & kAsyncBlock) return;
  const std::uint64_t other = block_key(d.agent, d.block);
  const auto holds = [&](const vector_clock& k) { return o.when < known_until(k, other, o.rank); };
  for (std::size_t reach = 1; reach < kReaches; ++reach)
    if (holds(t.clocks->acquirable[reach]) || holds(b.seen[reach])) return;
  const bool by_thread = holds(t.clocks->unfenced);
  if (!by_thread && !holds(b.unfenced)) return reports.polled(granule);
  if (!o.writes || op.writes) return;
  const bool narrow = holds(t.clocks->acquirable[0]) || holds(b.seen[0]);
  reports.missing_fence(op, granule, mask, o, by_thread ? t.clocks->unfenced_pc : b.unfenced_pc, narrow);
}

}  // namespace simt::check
