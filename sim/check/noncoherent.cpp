// SPDX-License-Identifier: Apache-2.0
// Reads through the read-only cache (__ldg, ld.global.nc, textures) of what the same launch has written. A write that
// nothing orders before the read is a race, which the read's own announcement finds.
#include <algorithm>
#include <optional>

#include "sim/check/core.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {
namespace {

access_kind store_kind(record_kind k) { return is_atomic(k) ? access_kind::atomic : access_kind::write; }

// Of the bytes `mask` of a cell, a write by t's launch that is ordered before what t does now. Guarded.
std::optional<earlier_access> written_before(thread_state& t, cell& c, std::uint8_t mask) {
  detector_core& d = *t.block->core;
  const auto is_of_launch = [&](epoch when) {
    return when >= d.agents.horizon && when > kAncient && d.epochs[when].agent == t.block->launch->agent;
  };
  const shadow_word w = load(c.writer);
  if (!(w & kSlow)) {
    const epoch when = epoch_of(w);
    if (w == 0 || !is_of_launch(when) || !ordered(t, when, who_of(w))) return {};
    return earlier_access{when, who_of(w), access_kind::write, scope::system, false, true};
  }
  const slow_cell& e = d.forms.slow_form(c);
  for (auto o = e.records.rbegin(); o != e.records.rend(); ++o) {
    if (!is_write(o->kind) || !(o->mask & mask) || !is_of_launch(o->when)) continue;
    std::uint32_t who;
    if (find_unordered(
            t, o->when, [&](auto f) { return o->any(f); }, who))
      continue;
    return earlier_access{o->when, o->rank, store_kind(o->kind), o->scope, o->is_volatile, true, o->pc};
  }
  return {};
}

}  // namespace

bool may_be_noncoherent(const thread_state& t, std::uintptr_t address, std::size_t size) {
  const block_state& b = *t.block;
  if (!b.core->opt.races || address - b.device.base >= b.device.size) return false;
  // Where a write by the launch would contradict what is said of it, the run is repeated if there is one.
  return address - b.unwritten.base >= b.unwritten.size || !b.core->reads.forbids_write(address, address + size);
}

void read_noncoherent(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
  detector_core& d = *t.block->core;
  if (t.pending) d.flush(t);
  operation op{t, address, size, pc, access_kind::read, 0};
  const std::uintptr_t end = address + size;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < end; at += 4) {
    const cell_guard guard(d.shadow, at);
    cell* const c = d.shadow.cell_of(at);
    if (c == nullptr) return;
    std::uint8_t mask = 0xf;
    if (at < address) mask &= static_cast<std::uint8_t>(0xf << (address - at));
    if (end - at < 4) mask &= static_cast<std::uint8_t>((1 << (end - at)) - 1);
    if (const auto before = written_before(t, *c, mask)) return d.reports.noncoherent(op, at, mask, *before);
  }
}

}  // namespace simt::check
