// SPDX-License-Identifier: Apache-2.0
// Plain accesses as they are announced: the fast path, then the middle and the slow one.
#include <type_traits>

#include "sim/check/core.hpp"
#include "sim/check/happens_before.hpp"
#include "sim/check/fast_path.hpp"

namespace simt::check {
namespace {

// Looks up what middle_path_cell() asks the block for and the block does not know: whether a record in the cell is the
// thread's own, and what an untouched cell stands for.
inline void fetch_for_middle_path(thread_state& t, const cell& c, std::uintptr_t granule) {
  block_state& b = *t.block;
  const shadow_word w = c.writer, r = readers_of(c);
  if (w == 0 && !b.core->shadow.in_shared(granule)) b.core->forms.uniform_at(b, granule);
  const shadow_word x = r != 0 ? r : w;
  if (x == 0 || (x & kSlow) || who_of(x) != t.rank || epoch_of(x) < interval_start(t)) return;
  const epoch when = epoch_of(x);
  if (when - b.own.from <= b.own.more || !is_of(b, when)) return;
  // Instructions of one piece mostly got theirs one after the other.
  if (when == b.own.from + b.own.more + 1)
    ++b.own.more;
  else if (when + 1 == b.own.from)
    --b.own.from, ++b.own.more;
  else
    b.own = {when, 0};
}

template <bool Write>
[[gnu::noinline]] bool general_access(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc,
                                      epoch when) {
  operation op{t, address, size, pc, Write ? access_kind::write : access_kind::read, when};
  t.block->core->accesses.plain(op, Write);
  return true;
}

[[gnu::noinline]] bool misaligned(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc,
                                  access_kind kind) {
  detector_core& d = *t.block->core;
  operation op{t, address, size, pc, kind, epoch_for(t, pc)};
  if (d.opt.memory) d.reports.memory(op, rule::misaligned, address);
  d.accesses.plain(op, kind == access_kind::write);
  return true;
}

// An aligned access, of whole cells in one group.
template <bool Write, std::uint32_t Size, bool Device>
[[gnu::always_inline]] inline bool touch_whole_cells(thread_state& t, std::uintptr_t address, std::uintptr_t pc,
                                                     epoch when, cell* c) {
  block_state& b = *t.block;
  detector_core& d = *b.core;
  if (!Device && address - b.shared.base >= b.shared.size) return general_access<Write>(t, address, Size, pc, when);
  constexpr std::uint32_t cells = Size / 4;
  if (!d.opt.races) {
    const epoch least = Device ? 0 : b.first_epoch;
    std::uint32_t i = 0;
    for (; i < cells; ++i)
      if (const shadow_word w = load(c[i].writer); w == 0 || (w & kSlow) || epoch_of(w) < least) break;
    return i == cells || general_access<Write>(t, address, Size, pc, when);
  }
  const shadow_word self = when | t.who;
  auto& site = site_of(b, pc);
  bool done;
  {
    const cell_guard guard(d.shadow, address);
    done = middle_path_cells<Write, Device, cells>(t, site, c, address, self);
    for (std::uint32_t i = 0; !done && i < cells; ++i) {
      fetch_for_middle_path(t, c[i], address + i * 4);
      done = middle_path_cells<Write, Device, cells>(t, site, c, address, self);
    }
  }
  return done || general_access<Write>(t, address, Size, pc, when);
}

}  // namespace

template <bool Write, std::uint32_t Size>
[[gnu::noinline]] bool slow_path(thread_state& t, std::uintptr_t address, std::uintptr_t pc, bool natural) {
  block_state& b = *t.block;
  detector_core& d = *b.core;
  if (b.deferred != nullptr && b.deferred->has(address)) [[unlikely]] {
    if (Size >= 4 && (address & (Size - 1)) == 0 && !t.pending &&
        b.deferred->take_one(t.rank, address, Size, Write, pc))
      return true;
    b.deferred->close();
  }
  if (t.pending) [[unlikely]]
    Write ? d.flush(t) : d.flush_before_read(t);
  cell* c = d.shadow.cell_of(address);
  if (!c) return false;
  b.comes_to(address);
  if (Write) d.watch_write(b, address, address + Size);
  if (address & (Size - 1)) [[unlikely]] {
    if (natural) return misaligned(t, address, Size, pc, Write ? access_kind::write : access_kind::read);
    return general_access<Write>(t, address, Size, pc, epoch_for(t, pc));
  }
  if constexpr (Size < 4) {
    constexpr std::uint8_t kBytes = (1 << Size) - 1;
    return d.accesses.bytes(t, address, static_cast<std::uint8_t>(kBytes << (address & 3)), Write, pc) ||
           general_access<Write>(t, address, Size, pc, epoch_for(t, pc));
  } else {
    const epoch when = epoch_for(t, pc);
    return d.shadow.in_shared(address) ? touch_whole_cells<Write, Size, false>(t, address, pc, when, c)
                                       : touch_whole_cells<Write, Size, true>(t, address, pc, when, c);
  }
}

namespace {

// `Natural`: the address must be a multiple of the size.
template <bool Write, bool Natural>
bool by_size(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  const auto of = [&]<std::uint32_t Size>(std::integral_constant<std::uint32_t, Size>) {
    return Natural ? announce<Write, Size>(t, address, pc) : slow_path<Write, Size>(t, address, pc, false);
  };
  switch (size) {
    case 1:
      return of(std::integral_constant<std::uint32_t, 1>{});
    case 2:
      return of(std::integral_constant<std::uint32_t, 2>{});
    case 4:
      return of(std::integral_constant<std::uint32_t, 4>{});
    case 8:
      return of(std::integral_constant<std::uint32_t, 8>{});
    default:
      return of(std::integral_constant<std::uint32_t, 16>{});
  }
}

}  // namespace

template bool slow_path<false, 1>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<false, 2>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<false, 4>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<false, 8>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<false, 16>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<true, 1>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<true, 2>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<true, 4>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<true, 8>(thread_state&, std::uintptr_t, std::uintptr_t, bool);
template bool slow_path<true, 16>(thread_state&, std::uintptr_t, std::uintptr_t, bool);

void report_broken_copy(thread_state& t, const broken_copy& c, std::uintptr_t pc) {
  detector_core& d = *t.block->core;
  if (!d.opt.memory || !d.shadow.cell_of(c.address)) return;
  operation op{t, c.address, c.size, pc, c.write ? access_kind::write : access_kind::read, epoch_for(t, pc)};
  op.whole_copy = c.whole;
  op.declared_align = c.declared;
  d.reports.memory(op, rule::misaligned, c.address);
}
bool read(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<false, true>(t, address, size, pc);
}
bool write(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<true, true>(t, address, size, pc);
}
bool read_unaligned(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<false, false>(t, address, size, pc);
}
bool write_unaligned(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  return by_size<true, false>(t, address, size, pc);
}

bool read_range(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
  if (t.pending) t.block->core->flush_before_read(t);
  if (size == 0 || !t.block->core->shadow.cell_of(address)) return false;
  close_deferred(*t.block, address);
  t.block->comes_to(address);
  return general_access<false>(t, address, size, pc, epoch_for(t, pc));
}
bool write_range(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
  if (t.pending) t.block->core->flush(t);
  if (size == 0 || !t.block->core->shadow.cell_of(address)) return false;
  close_deferred(*t.block, address);
  t.block->comes_to(address);
  t.block->core->watch_write(*t.block, address, address + size);
  return general_access<true>(t, address, size, pc, epoch_for(t, pc));
}

}  // namespace simt::check
