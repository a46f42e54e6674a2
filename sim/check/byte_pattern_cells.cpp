// SPDX-License-Identifier: Apache-2.0
// Accesses of one or two bytes in cells that have a byte pattern, or may get one.
#include <bit>
#include <optional>

#include "sim/check/access_checker.hpp"
#include "sim/check/code_sites.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {
namespace {

// Does an instruction go from its last address to this one as threads do that touch neighbouring bytes, or as before?
bool goes_on_evenly(block_state::access_site& site, std::uintptr_t address) {
  const auto step = static_cast<std::intptr_t>(address - site.last);
  const bool evenly = step == site.step || (step >= -4 && step <= 4);
  site.step = step;
  site.last = address;
  return evenly;
}

}  // namespace

// The block remembers links, so that cells whose two levels lie alike share one.
shadow_word access_checker::link_byte_patterns(block_state& b, shadow_word upper, shadow_word lower) {
  const std::uint32_t base = base_of(upper), distance = origin_of(lower) - base;
  const bool written =
      !(lower & kChain) || byte_patterns_[pattern_of(upper)].written() || byte_patterns_[pattern_of(lower)].written();
  const shadow_word number = written ? kLinkWritten : kLink;
  upper = with_origin(upper, 0), lower = with_origin(lower, 0);
  auto& slot = b.byte_pattern_links[((upper ^ lower << 7 ^ shadow_word{distance} << 19) * 0x9e3779b97f4a7c15ULL) >> 58];
  if (slot.upper != upper || slot.lower != lower || slot.distance != distance || slot.link < b.first_epoch)
    slot = {upper, lower, distance, b.add({upper, lower, distance, 0})};
  return kChain | number << 50 | shadow_word{base} << 40 | slot.link;
}

// next(pattern, rank): the pattern after the access, where t's rank is counted from the pattern's base. False: there is
// none, and nothing was recorded.
template <class Next>
bool access_checker::step_byte_pattern(thread_state& t, cell& c, std::uintptr_t granule, bool is_shared, epoch when,
                                       Next next) {
  const shadow_word w = load(c.writer), r = readers_of(c);
  std::uint32_t pattern = pattern_of(w), base = base_of(w);
  shadow_word before = r;
  if (!is_byte_pattern(w) || epoch_of(w) != when) {
    if (!begin_byte_pattern(*t.block, c, granule, is_shared, pattern, before)) return false;
    base = t.rank;
  }
  const byte_pattern_table::step step =
      next(pattern, static_cast<std::int32_t>(t.rank) - static_cast<std::int32_t>(base));
  if (step.pattern == byte_pattern_table::kNone) return false;
  const auto shifted = static_cast<std::uint32_t>(static_cast<std::int32_t>(base) + step.shift);
  if (is_slow(w)) shadow_.slow_cells.give_back(&slow_cell_of(w));
  store(c.writer, make_byte_pattern(step.pattern, shifted, when));
  if (before != r) set_readers(c, before);
  return true;
}

bool access_checker::bytes(thread_state& t, std::uintptr_t address, std::uint8_t mask, bool write, std::uintptr_t pc) {
  block_state& b = *t.block;
  if (b.device_floor == 0) return false;  // no races are looked for, or no block of a launch
  const std::uintptr_t granule = address & ~std::uintptr_t{3};
  const auto size = static_cast<std::uint32_t>(std::popcount(mask));
  const bool is_shared = shadow_.in_shared(granule);
  if (is_shared && (granule - b.shared.base >= b.shared.size || b.foreign_shared || b.launch->has_clusters))
    return false;
  cell& c = *shadow_.cell_of(granule);
  std::optional<cell_guard> guard;
  if (!is_shared && b.ownership != nullptr)
    guard.emplace(shadow_, granule);
  else
    shadow_.settle(granule, false);

  if (!is_shared) {
    // A slow cell, and one that is not touched from neighbour to neighbour, would soon need another pattern.
    const bool goes_on = goes_on_evenly(site_of(b, pc), address);
    const shadow_word w = load(c.writer);
    if (is_byte_cells(w) || ((!goes_on || is_slow(w)) && forms_.part_bytes(b, c, granule)))
      return bytes_apart(t, c, address, size, write, pc);
    if (is_slow(w)) return false;
  }
  const epoch when = epoch_for(t, kAnyPc);
  const bool said = step_byte_pattern(t, c, granule, is_shared, when, [&](std::uint32_t pattern, std::int32_t rank) {
    const shadow_word key = shadow_word{pattern} | shadow_word{mask} << 12 | shadow_word{write} << 16 |
                            shadow_word{static_cast<std::uint32_t>(rank + 1024)} << 20;
    auto& slot = b.byte_pattern_steps[((key ^ pc << 24) * 0x9e3779b97f4a7c15ULL) >> 55];
    if (slot.key == key && slot.pc == pc) return slot.next;
    const byte_pattern_table::step next = byte_patterns_.after(pattern, rank, mask, write, pc);
    if (next.pattern != byte_pattern_table::kNone) slot = {key, pc, next};
    return next;
  });
  return said || (!is_shared && forms_.part_bytes(b, c, granule) && bytes_apart(t, c, address, size, write, pc));
}

bool access_checker::whole_cell_of_bytes(thread_state& t, cell& c, std::uintptr_t granule, std::uint32_t size,
                                         bool write, std::uintptr_t pc, epoch when, byte_steps& known) {
  if (is_byte_cells(load(c.writer))) {
    for (std::uint32_t i = 0; i * size < 4; ++i) {
      if (!bytes_apart(t.block->all[t.rank + i], c, granule + i * size, size, write, pc)) return false;
    }
    return true;
  }
  return step_byte_pattern(t, c, granule, false, when, [&](std::uint32_t pattern, std::int32_t rank) {
    if (known.pattern == pattern && known.rank == rank) return known.all;
    byte_pattern_table::step all{pattern, 0};
    for (std::uint32_t i = 0; i * size < 4; ++i) {
      const auto mask = static_cast<std::uint8_t>(((1U << size) - 1) << i * size);
      const std::int32_t of_thread = rank + static_cast<std::int32_t>(i) - all.shift;
      const byte_pattern_table::step next = byte_patterns_.after(all.pattern, of_thread, mask, write, pc);
      if (next.pattern == byte_pattern_table::kNone) return next;
      all = {next.pattern, all.shift + next.shift};
    }
    known = {pattern, rank, all};
    return all;
  });
}

// The cell's first access in an epoch: what it is then, and what it said before.
bool access_checker::begin_byte_pattern(block_state& b, cell& c, std::uintptr_t granule, bool is_shared,
                                        std::uint32_t& pattern, shadow_word& before) {
  const shadow_word w = load(c.writer), r = readers_of(c);
  const epoch floor = is_shared ? b.shared_floor : b.device_floor;
  const epoch done = is_shared ? floor : agents_.horizon;  // what is older can race with nothing that is to come
  if (is_shared) {
    before = 0;
    if (!is_slow(w) && epoch_of(w) < b.first_epoch) {
      pattern = 0;  // nothing is initialised
      for (const shared_object& a : b.arrays)
        if (granule >= a.address && granule + 4 <= a.address + a.size) return epoch_of(r) < done;
      return false;
    }
  } else {
    const auto* const u = forms_.uniform_at(b, granule);
    if (u == nullptr) return false;
    set_once(u->object->has_slow_cells);
    if (w == 0) {
      pattern = u->writer != 0 ? 0xf : 0;
      before = u->writer;
      return u->writer < floor && epoch_of(r) < done;
    }
  }
  if (is_slow(w)) {
    if (!is_shared) forms_.gather(c);
    const slow_cell& e = slow_cell_of(w);
    pattern = e.initialised;
    if (!is_shared) before = forms_.last_write(c);
    return forms_.is_over(e, done) && (!is_shared || e.made >= b.first_epoch);
  }
  if (epoch_of(w) >= floor && !(epoch_of(w) >= b.first_epoch && epoch_of(w) < b.base && is_of(b, epoch_of(w))))
    return false;
  if (!is_byte_pattern(w)) {
    pattern = 0xf;
    if (!is_shared) before = w;
    return epoch_of(r) < done;
  }
  const byte_pattern& was = byte_patterns_[pattern_of(w)];
  pattern = was.initialised;
  if (is_shared) return true;
  if (epoch_of(w) < done) {
    before = forms_.last_write(c);
    return true;
  }
  // The level below may be dropped if this one covers it, or if it can race no more and this one says who wrote last.
  before = kChain | (w & ~(kSlow | kBytePattern));
  const std::uint8_t written = was.written();
  const bool only_reads = (r & kChain) && !is_link(r) && byte_patterns_[pattern_of(r)].written() == 0;
  if (written == 0xf || r <= kAncient || (written != 0 && epoch_of(r) < done) || (only_reads && was.touched() == 0xf))
    return true;
  if (is_link(r)) return false;
  before = link_byte_patterns(b, before, r);
  return true;
}

}  // namespace simt::check
