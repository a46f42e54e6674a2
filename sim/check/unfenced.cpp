// SPDX-License-Identifier: Apache-2.0
#include "sim/check/unfenced.hpp"

#include "sim/check/clocks.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {
namespace {

std::unique_ptr<unfenced_mark>* mark_at(const shadow_memory& shadow, std::uintptr_t address) {
  const cell* const c = shadow.cell_of(address);
  return c != nullptr && is_slow(c->writer) ? &slow_cell_of(c->writer).unfenced : nullptr;
}

scope reach_between(const launch_state& reader, const block_state& b, const epoch_record& writer, bool host_wrote) {
  if (reader.on_host != host_wrote) return scope::system;
  return writer.agent == reader.agent && writer.block == b.number ? scope::block : scope::device;
}

}  // namespace

void leave_mark(const shadow_memory& shadow, const thread_state& t, std::uintptr_t address, std::uint32_t size,
                atomic_op what, const vector_clock& own, std::uintptr_t pc) {
  auto* const at = mark_at(shadow, address);
  if (at == nullptr) return;
  if (what == atomic_op::store) at->reset();
  const block_state& b = *t.block;
  const thread_clocks& c = *t.clocks;
  if (!own && !c.told && !b.told) return;
  if (!*at) *at = std::make_unique<unfenced_mark>();
  unfenced_mark& mark = **at;
  mark.address = address;
  mark.size = size;
  told_clock& told = mark.told;
  told.all = join(told.all, own);
  told.join_with(c.told);
  told.join_with(b.told);
  for (const scope s : {scope::device, scope::system})
    told.kept = join(told.kept, join(c.acquirable[static_cast<std::size_t>(s)], b.seen[static_cast<std::size_t>(s)]));
  if (own) told.add({pc, own});
}

void see_mark(const shadow_memory& shadow, thread_state& t, std::uintptr_t address, std::uint32_t size,
              std::uintptr_t pc) {
  const auto* const at = mark_at(shadow, address);
  if (at == nullptr || !*at || (*at)->address != address || (*at)->size != size) return;
  t.clocks->told.join_with((*at)->told);
  t.clocks->told_at = pc;
  t.block->has_told = t.block->dirty = true;
}

void share_told(block_state& b) {
  if (!b.has_told) return;
  b.has_told = false;
  for (int r = 0; r < b.threads; ++r) {
    const thread_clocks& c = *b.all[static_cast<std::size_t>(r)].clocks;
    if (!c.told) continue;
    b.told.join_with(c.told);
    b.told_at = c.told_at;
  }
}

void share_told(block_state& b, std::span<const std::uint32_t> ranks) {
  if (!b.has_told) return;
  told_clock together;
  std::uintptr_t at = 0;
  for (const std::uint32_t r : ranks)
    if (const thread_clocks& c = *b.all[r].clocks; c.told) {
      together.join_with(c.told);
      at = c.told_at;
    }
  if (!together) return;
  for (const std::uint32_t r : ranks) {
    b.all[r].clocks->told = together;
    b.all[r].clocks->told_at = at;
  }
}

void judge_handover(reporter& reports, operation& op, slow_cell& e, std::uintptr_t granule, std::uint8_t mask,
                    const earlier_access& o) {
  const thread_state& t = op.thread;
  const block_state& b = *t.block;
  const launch_state& l = *b.launch;
  if (reports.shadow.in_shared(granule)) return;
  const epoch_record d = reports.epochs[o.when];
  if ((d.block | b.number) & kAsyncBlock) return;
  if (is_of(b, o.when) && o.rank / kWarp == t.rank / kWarp) return;
  const std::uint64_t other = block_key(d.agent, d.block);
  const auto holds = [&](const vector_clock& k) { return o.when < known_until(k, other, o.rank); };
  const thread_clocks& c = *t.clocks;
  bool kept = !l.on_host && (holds(c.told.kept) || holds(b.told.kept));
  for (std::size_t reach = 1; reach < kReaches && !kept; ++reach)
    kept = holds(c.acquirable[reach]) || holds(b.seen[reach]);
  const bool by_thread = holds(c.told.all) || (kept && c.told);
  if (!kept && !by_thread && !holds(b.told.all)) {
    // One of the two reads, or both write.
    const std::uintptr_t at = !op.writes ? op.pc : o.writes ? 0 : d.pc;
    if (e.polled && (at == 0 || at == e.polled_at)) return;
    e.polled = true;
    if (at != 0) e.polled_at = at;
    return reports.polled(granule, at);
  }
  if (!o.writes || op.writes) return;
  const told_clock& told = by_thread ? c.told : b.told;
  handover h;
  h.seen_at = by_thread ? c.told_at : b.told_at;
  for (const told_clock::flag& f : told.flags)
    if (holds(f.before)) {
      h.written_at = f.written_at;
      break;
    }
  h.fenced = kept;
  h.narrow = !kept && (holds(c.acquirable[0]) || holds(b.seen[0]));
  h.needed = reach_between(l, b, d, reports.agents.on_host(d.agent));
  reports.missing_fence(op, granule, mask, o, h);
}

}  // namespace simt::check
