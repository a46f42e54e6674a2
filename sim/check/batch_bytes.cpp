// SPDX-License-Identifier: Apache-2.0
// Batches of bytes and halves (size 1 or 2) in device memory: cells of which neighbouring positions touch a part each.
//
// Invariant: quiet_bytes() passes a cell only if no byte that is touched there could give a finding; commit_bytes()
// leaves in it what access_checker::bytes() would, access by access.
#include <algorithm>

#include "sim/check/batch_checker.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

namespace {

// The bytes of a cell that somebody is about to touch.
struct cell_part {
  std::uintptr_t granule;
  std::uint8_t mask;
  bool write;
  bool needs_value;  // what nobody has written must not be read
};

bool is_quiet_slow(const slow_cell& e, const cell_part& p, epoch floor) {
  if ((e.valid & p.mask) != p.mask || (p.needs_value && (e.initialised & p.mask) != p.mask)) return false;
  if (!e.syncs.empty() || e.sync_back != 0 || e.updated.size != 0) return false;
  return std::all_of(e.records.begin(), e.records.end(), [&](const access_record& o) {
    return o.when < floor || (o.mask & p.mask) == 0 || (!p.write && o.kind == record_kind::plain_read);
  });
}

bool is_quiet_pattern(const byte_pattern& bytes, shadow_word w, shadow_word before, const cell_part& p, epoch floor) {
  if (p.needs_value && (bytes.initialised & p.mask) != p.mask) return false;
  if (epoch_of(w) < floor) return true;
  // Others touch other bytes of it meanwhile. What the cell said before must be over for us, too.
  const std::uint8_t theirs = p.write ? bytes.touched() : bytes.written();
  return (theirs & p.mask) == 0 && !is_link(before) && epoch_of(before) < floor;
}

bool is_quiet_part(block_state& b, quiet_rule& q, const cell_part& p) {
  detector_core& d = *b.core;
  d.shadow.settle_unguarded(p.granule, p.granule + 4);
  cell& c = *cell_for(b, true, p.granule);
  shadow_word w = load(c.writer);
  if (is_slow(w)) {
    const cell_guard guard(d.shadow, p.granule);  // another worker may give it back
    w = load(c.writer);
    if (is_slow(w) && readers_of(c) != 0) return false;  // additions go on there
    if (is_slow(w)) return is_quiet_slow(slow_cell_of(w), p, q.floor);
  }
  const shadow_word r = readers_of(c);
  if (is_byte_pattern(w)) return is_quiet_pattern(d.byte_patterns[pattern_of(w)], w, r, p, q.floor);
  if (w == 0) {
    if (q.uniform == nullptr || p.granule - q.uniform->from >= q.uniform->size) look_up(q, b, p.granule);
    if (q.uniform == nullptr || q.uniform->writer >= q.floor || (p.needs_value && q.uniform->writer == 0)) return false;
  } else if (!q.is_old(w)) {
    return false;
  }
  return (r & kEpochMask) < q.floor;
}

}  // namespace

// Positions up to the first from `from` on whose access might find something.
std::uint32_t batch_checker::quiet_bytes(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  block_state& b = *at(0).block;
  const sim::batch_fact& f = b_->facts[k];
  const std::intptr_t stride = b_->entries[k].stride;
  quiet_rule q(b, f.base);
  if (!q.device) return from;
  // All rows read the same.
  const std::uint32_t last = b_->in_rows && f.row_stride == 0 && !f.write ? std::min(to, from + b_->width) : to;
  for (std::uint32_t i = from; i < last;) {
    const std::uint32_t row = b_->in_rows ? i / b_->width : 0;
    const std::uint32_t row_end = b_->in_rows ? std::min(last, (row + 1) * b_->width) : last;
    const std::uintptr_t address = b_->address_of(k, i, row), at_byte = address & 3;
    if (address - b.device.base >= b.device.size) return i;
    std::uint32_t count = stride == 0 && !f.write ? row_end - i : 1, bytes = f.size;
    if (stride == f.size) {
      count = std::min(row_end - i, static_cast<std::uint32_t>((4 - at_byte) / f.size));
      bytes = count * f.size;
    }
    const auto mask = static_cast<std::uint8_t>(((1U << bytes) - 1) << at_byte);
    if (!is_quiet_part(b, q, {address - at_byte, mask, f.write, !may_be_first(k)})) return i;
    i += count;
  }
  return to;
}

template <bool Write, std::uint32_t Size>
void batch_checker::commit_bytes(std::size_t k, std::uint32_t from, std::uint32_t to) {
  constexpr std::uint32_t kPerCell = 4 / Size;
  block_state& b = *at(0).block;
  detector_core& d = *b.core;
  const std::intptr_t stride = b_->entries[k].stride;
  const std::uintptr_t pc = b_->entries[k].pc;
  access_checker::byte_steps known;
  for (std::uint32_t i = from; i < to;) {
    const std::uintptr_t address = b_->address_of(k, i);
    const std::uint32_t row_end = b_->in_rows ? std::min(to, (i / b_->width + 1) * b_->width) : to;
    if (stride == Size && address % 4 == 0 && row_end - i >= kPerCell) {
      const std::uint32_t cells = on_page(address, stride, row_end - i) / kPerCell;
      const std::uint32_t done = guarded(b, true, address, [&](auto locked) {
        constexpr bool kLocked = decltype(locked)::value;
        for (std::uint32_t n = 0; n < cells; ++n) {
          const std::uintptr_t granule = address + n * std::uintptr_t{4};
          d.shadow.settle(granule, kLocked);
          cell& c = *cell_for(b, true, granule);
          if (kLocked) lock_group(&c);
          const bool said =
              d.accesses.whole_cell_of_bytes(at(i + n * kPerCell), c, granule, Size, Write, pc, proofs_[k].when, known);
          if (kLocked) unlock_group(&c);
          if (!said) return n;
        }
        return cells;
      });
      i += done * kPerCell;
      if (done == cells) continue;
    }
    slow_path<Write, Size>(at(i), b_->address_of(k, i), pc, true);
    ++i;
  }
}

template void batch_checker::commit_bytes<false, 1>(std::size_t, std::uint32_t, std::uint32_t);
template void batch_checker::commit_bytes<true, 1>(std::size_t, std::uint32_t, std::uint32_t);
template void batch_checker::commit_bytes<false, 2>(std::size_t, std::uint32_t, std::uint32_t);
template void batch_checker::commit_bytes<true, 2>(std::size_t, std::uint32_t, std::uint32_t);

}  // namespace simt::check
