// SPDX-License-Identifier: Apache-2.0
// Mosaics: patterns and the steps between them; the ways between mosaics and the other forms of a cell.
#include "sim/check/mosaic.hpp"

#include <algorithm>

#include "sim/check/core.hpp"

namespace simt::check {
namespace {

// Larger ones are rare, and each is another for every place of its threads.
constexpr std::size_t kMostAccesses = 64;
constexpr std::uint32_t kMostRanks = 256;

}  // namespace

std::uint8_t mosaic_pattern::written() const {
  std::uint8_t mask = 0;
  for (const access& a : accesses)
    if (a.write) mask |= a.mask;
  return mask;
}

std::uint8_t mosaic_pattern::touched() const {
  std::uint8_t mask = 0;
  for (const access& a : accesses) mask |= a.mask;
  return mask;
}

mosaic_table::mosaic_table() {
  for (std::uint32_t n = 0; n < 16; ++n) {
    const auto at = numbers_.emplace(mosaic_pattern{static_cast<std::uint8_t>(n), {}}, n).first;
    patterns_[n].store(&at->first);
  }
}

mosaic_table::step mosaic_table::after(std::uint32_t pattern, std::int32_t rank, std::uint8_t mask, bool write,
                                       std::uintptr_t pc) {
  mosaic_pattern next = (*this)[pattern];
  const auto is_own = [&](const mosaic_pattern::access& a) { return static_cast<std::int32_t>(a.rank) == rank; };
  std::uint8_t own_reads = 0, own_writes = 0;
  for (const auto& a : next.accesses) {
    if ((a.mask & mask) == 0) continue;
    if (is_own(a))
      (a.write ? own_writes : own_reads) |= a.mask;
    else if (a.write || write)
      return {};
  }
  if (!write && (mask & ~next.initialised)) return {};
  // A read after a read or a write by the same thread adds nothing; a write stands for all that the thread did before.
  if (!write) {
    const auto said = static_cast<std::uint8_t>(own_writes | own_reads);
    if ((mask & ~said) == 0) return {pattern, 0};
  } else {
    next.initialised |= mask;
    for (auto& a : next.accesses)
      if (is_own(a)) a.mask &= static_cast<std::uint8_t>(~mask);
    std::erase_if(next.accesses, [](const auto& a) { return a.mask == 0; });
  }
  // Ranks are counted from the least one.
  const std::int32_t shift = next.accesses.empty() ? rank : std::min(rank, 0);
  for (auto& a : next.accesses) a.rank = static_cast<std::uint32_t>(static_cast<std::int32_t>(a.rank) - shift);
  const auto mine = static_cast<std::uint32_t>(rank - shift);
  const auto same = std::find_if(next.accesses.begin(), next.accesses.end(),
                                 [&](const auto& a) { return a.rank == mine && a.write == write && a.pc == pc; });
  if (same != next.accesses.end())
    same->mask |= mask;
  else
    next.accesses.push_back({mine, mask, write, pc});
  std::sort(next.accesses.begin(), next.accesses.end());
  // The thread that had the least rank may be gone.
  const std::uint32_t least = next.accesses.front().rank;
  for (auto& a : next.accesses) a.rank -= least;
  if (next.accesses.size() > kMostAccesses || next.accesses.back().rank >= kMostRanks) return {};
  std::lock_guard guard(mutex_);
  const auto [at, fresh] = numbers_.try_emplace(std::move(next), static_cast<std::uint32_t>(numbers_.size()));
  if (fresh) {
    if (at->second >= kPatterns) {
      numbers_.erase(at);
      return {};
    }
    patterns_[at->second].store(&at->first, std::memory_order_release);
  }
  return {at->second, shift + static_cast<std::int32_t>(least)};
}

word detector_core::last_write(const cell& c) const {
  const word w = c.writer, r = readers_of(c);
  if (!is_mosaic(w)) return is_private(w) ? make_word(std::max(extended_of(w).written, kAncient), 0) : w;
  if (mosaics[pattern_of(w)].written()) return make_word(id_of(w), 0);
  if (!(r & kChain)) return std::max(r, word{kAncient});
  const bool written = is_link(r) ? pattern_of(r) == kLinkWritten : mosaics[pattern_of(r)].written() != 0;
  return written ? make_word(id_of(r), 0) : kAncient;
}

namespace {

constexpr word kBase = word{0x3ff} << 40, kWho = kWhoMask << kIdBits;
// A compact word's thread or a mosaic's base.
std::uint32_t origin_of(word before) { return before & kChain ? base_of(before) : who_of(before); }
word with_origin(word before, std::uint32_t origin) {
  return (before & ~(before & kChain ? kBase : kWho)) | word{origin} << 40;
}

}  // namespace

// Links are shared by the block's cells in which the two lie alike.
word detector_core::link_mosaics(block_state& b, word upper, word lower) {
  const std::uint32_t base = base_of(upper), distance = origin_of(lower) - base;
  const bool written =
      !(lower & kChain) || mosaics[pattern_of(upper)].written() || mosaics[pattern_of(lower)].written();
  const word number = written ? kLinkWritten : kLink;
  upper = with_origin(upper, 0), lower = with_origin(lower, 0);
  auto& slot = b.mosaic_links[((upper ^ lower << 7 ^ word{distance} << 19) * 0x9e3779b97f4a7c15ULL) >> 58];
  if (slot.upper != upper || slot.lower != lower || slot.distance != distance || slot.link < b.first_id)
    slot = {upper, lower, distance, descriptors.add({upper, lower, distance, 0})};
  return kChain | number << 50 | word{base} << 40 | slot.link;
}

extended_cell& detector_core::extended_form(cell& c) {
  const word w = c.writer, before = readers_of(c);
  if (!is_mosaic(w)) return extended_of(w);
  extended_cell* const e = new_extended();
  const mosaic_pattern& now = mosaics[pattern_of(w)];
  e->made = id_of(w);
  e->initialised = now.initialised;
  e->written = id_of(last_write(c));
  const std::uint8_t written = now.written();
  const auto add = [&](time_id id, std::uint32_t rank, bool write, std::uint8_t mask, std::uintptr_t pc) {
    if (mask == 0 || id < horizon) return;
    const auto kind = write ? record_kind::plain_write : record_kind::plain_read;
    e->records.push_back({id, kind, {}, mask, 0, 0, rank, nullptr, false, pc});
  };
  const auto add_level = [&](word level) {
    if (!(level & kChain)) return add(id_of(level), who_of(level), true, 0xf & static_cast<std::uint8_t>(~written), 0);
    for (const auto& a : mosaics[pattern_of(level)].accesses)
      add(id_of(level), base_of(level) + a.rank, a.write, a.mask & static_cast<std::uint8_t>(~written), a.pc);
  };
  if (!is_link(before)) {
    add_level(before);
  } else if (id_of(before) >= horizon) {
    const descriptor link = descriptors[id_of(before)];
    add_level(with_origin(link.b, base_of(before) + link.agent));
    add_level(with_origin(link.a, base_of(before)));
  }
  for (const auto& a : now.accesses) add(id_of(w), base_of(w) + a.rank, a.write, a.mask, a.pc);
  e->alike_from = e->records.size();
  record_count.fetch_add(e->records.size(), std::memory_order_relaxed);
  store(c.writer, kExtended | reinterpret_cast<std::uintptr_t>(e));
  set_readers(c, 0);
  return *e;
}

bool detector_core::is_over(const extended_cell& e, time_id done) const {
  if (!e.records.empty() && e.records.back().id >= done) return false;
  return e.valid == 0xf && e.syncs.empty() && e.sync_back == 0 && e.updated.size == 0 &&
         std::all_of(e.records.begin(), e.records.end(), [&](const record& o) { return o.id < done; });
}

void detector_core::simplify(cell& c) {
  const word w = c.writer;
  const bool mosaic = is_mosaic(w);
  const std::uint8_t initialised = mosaic ? mosaics[pattern_of(w)].initialised : extended_of(w).initialised;
  if (initialised != 0xf || !(mosaic ? id_of(w) < horizon : is_over(extended_of(w), horizon))) return;
  const word last = last_write(c);
  if (!mosaic) free_extended(&extended_of(w));
  set_readers(c, 0);
  store(c.writer, last);
}

bool detector_core::mosaic_access(thread_state& t, std::uintptr_t address, std::uint8_t mask, bool write,
                                  std::uintptr_t pc) {
  block_state& b = *t.block;
  if (b.device_floor == 0) return false;  // no races are looked for, or no block of a launch
  const std::uintptr_t granule = address & ~std::uintptr_t{3};
  const bool is_shared = in_shared(granule);
  if (is_shared && (granule - b.shared.base >= b.shared.size || b.foreign_shared || b.launch->has_clusters))
    return false;
  const time_id epoch = descriptor_for(t, kEpochPc);
  cell& c = *cell_of(granule);
  std::optional<cell_guard> guard;
  if (!is_shared && b.leases != nullptr) guard.emplace(*this, granule);

  const word w = load(c.writer), r = readers_of(c);
  std::uint32_t pattern = pattern_of(w), base = base_of(w);
  word before = r;
  if (!is_mosaic(w) || id_of(w) != epoch) {
    if (!begin_mosaic(b, c, granule, is_shared, pattern, before)) return false;
    base = t.rank;
  }
  const auto rank = static_cast<std::int32_t>(t.rank) - static_cast<std::int32_t>(base);
  const word key =
      word{pattern} | word{mask} << 12 | word{write} << 16 | word{static_cast<std::uint32_t>(rank + 1024)} << 20;
  auto& slot = b.mosaic_steps[((key ^ pc << 24) * 0x9e3779b97f4a7c15ULL) >> 55];
  if (slot.key != key || slot.pc != pc) {
    const mosaic_table::step next = mosaics.after(pattern, rank, mask, write, pc);
    if (next.pattern == mosaic_table::kNone) return false;
    slot = {key, pc, next};
  }
  const auto shifted = static_cast<std::uint32_t>(static_cast<std::int32_t>(base) + slot.next.shift);
  if (is_private(w)) free_extended(&extended_of(w));
  store(c.writer, make_mosaic(slot.next.pattern, shifted, epoch));
  if (before != r) set_readers(c, before);
  return true;
}

// The cell's first access in an epoch: what it is then, and what it said before.
bool detector_core::begin_mosaic(block_state& b, cell& c, std::uintptr_t granule, bool is_shared,
                                 std::uint32_t& pattern, word& before) {
  const word w = load(c.writer), r = readers_of(c);
  const time_id floor = is_shared ? b.shared_floor : b.device_floor;
  const time_id done = is_shared ? floor : horizon;  // what is older can race with nothing that is to come
  if (is_shared) {
    before = 0;
    if (!is_private(w) && id_of(w) < b.first_id) {
      pattern = 0;  // nothing is initialised
      for (const shared_object& a : b.arrays)
        if (granule >= a.address && granule + 4 <= a.address + a.size) return id_of(r) < done;
      return false;
    }
  } else {
    const auto* const u = uniform_at(b, granule);
    if (u == nullptr) return false;
    if (!__atomic_load_n(&u->object->extended, __ATOMIC_RELAXED))
      __atomic_store_n(&u->object->extended, true, __ATOMIC_RELAXED);
    if (w == 0) {
      pattern = u->writer != 0 ? 0xf : 0;
      before = u->writer;
      return u->writer < floor && id_of(r) < done;
    }
  }
  if (is_private(w)) {
    const extended_cell& e = extended_of(w);
    pattern = e.initialised;
    if (!is_shared) before = last_write(c);
    return is_over(e, done) && (!is_shared || e.made >= b.first_id);
  }
  if (id_of(w) >= floor && !(id_of(w) >= b.first_id && id_of(w) < b.base && is_of(b, id_of(w)))) return false;
  if (!is_mosaic(w)) {
    pattern = 0xf;
    if (!is_shared) before = w;
    return id_of(r) < done;
  }
  const mosaic_pattern& was = mosaics[pattern_of(w)];
  pattern = was.initialised;
  if (is_shared) return true;
  if (id_of(w) < done) {
    before = last_write(c);
    return true;
  }
  // The level below may go if it is covered, or can race no more and does not tell who wrote.
  before = kChain | (w & ~(kExtended | kMosaic));
  const std::uint8_t written = was.written();
  const bool only_reads = (r & kChain) && !is_link(r) && mosaics[pattern_of(r)].written() == 0;
  if (written == 0xf || r <= kAncient || (written != 0 && id_of(r) < done) || (only_reads && was.touched() == 0xf))
    return true;
  if (is_link(r)) return false;
  before = link_mosaics(b, before, r);
  return true;
}

}  // namespace simt::check
