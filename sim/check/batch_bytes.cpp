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

bool are_quiet_bytes(const byte_cells& bytes, const cell_part& p, epoch floor) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto [w, r] = bytes.of[i];
    if ((p.mask >> i & 1) == 0) continue;
    if ((p.needs_value && w == 0) || epoch_of(w) >= floor || (p.write && epoch_of(r) >= floor)) return false;
  }
  return true;
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
  if (is_byte_cells(w)) {
    const cell_guard guard(d.shadow, p.granule);
    w = load(c.writer);
    if (is_byte_cells(w)) return are_quiet_bytes(byte_cells_of(w), p, q.floor);
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

// Cells of which neighbouring threads touch a part each, and whose threads all did the same, say the same but for the
// rank that they count from. So what was found of one holds for those that follow.
class alike_cells {
 public:
  // threads: how far their ranks are from one cell's to the next one's.
  alike_cells(const cell& first, std::uint32_t threads)
      : writer_(load(first.writer)), readers_(readers_of(first)), threads_(threads) {
    const bool is_pattern = is_byte_pattern(writer_);
    most_ = is_pattern ? (kSingles - 1 - std::max(base_of(writer_), base_of_chain(readers_))) / threads
            : writer_ == 0 && readers_ == 0 ? kSingles
                                            : 0;
  }
  bool is_untouched() const { return writer_ == 0; }
  // Is c, which is n cells further, one of them?
  bool has(const cell& c, std::uint32_t n) const {
    return n <= most_ && load(c.writer) == writer_at(writer_, n) && readers_of(c) == readers_at(readers_, n);
  }
  // What a word of the first cell's is n cells further.
  shadow_word writer_at(shadow_word w, std::uint32_t n) const { return is_byte_pattern(w) ? w + ranks(n) : w; }
  shadow_word readers_at(shadow_word r, std::uint32_t n) const { return (r & kChain) != 0 ? r + ranks(n) : r; }

 private:
  shadow_word ranks(std::uint32_t n) const { return shadow_word{n * threads_} << kEpochBits; }
  static std::uint32_t base_of_chain(shadow_word r) { return (r & kChain) != 0 ? base_of(r) : 0; }
  shadow_word writer_, readers_;
  std::uint32_t threads_, most_;
};

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
    if (mask == 0xf && stride == f.size) i += quiet_cells_like(address, count, row_end - i, q) * count;
  }
  return to;
}

// How many cells behind the one at `granule`, which is quiet and of which `threads` positions touch all bytes, are
// quiet for the same reason; at most those that `positions` touch.
std::uint32_t batch_checker::quiet_cells_like(std::uintptr_t granule, std::uint32_t threads, std::uint32_t positions,
                                              const quiet_rule& q) const {
  block_state& b = *at(0).block;
  const cell* const first = cell_for(b, true, granule);
  const alike_cells alike(*first, threads);
  std::uint32_t most = on_page(granule, 4, positions / threads + 1) - 1;
  if (const std::uintptr_t end = b.device.base + b.device.size; most > (end - granule) / 4 - 1)
    most = static_cast<std::uint32_t>((end - granule) / 4 - 1);
  if (alike.is_untouched())  // the range that says what the memory holds
    most = std::min(most, static_cast<std::uint32_t>((q.uniform->from + q.uniform->size - granule) / 4 - 1));
  std::uint32_t n = 0;
  for (; n < most; ++n) {
    const std::uintptr_t next = granule + (n + 1) * std::uintptr_t{4};
    if (next % kRowBytes == 0) b.core->shadow.settle_unguarded(next, next + 4);
    if (!alike.has(first[n + 1], n + 1)) break;
  }
  return n;
}

// The first cell, which was `alike`, has got its words: so do up to `most` cells behind it that were like it.
std::uint32_t batch_checker::record_cells_like(const alike_cells& alike, cell& first, std::uintptr_t granule,
                                               std::uint32_t most) const {
  shadow_memory& shadow = at(0).block->core->shadow;
  const shadow_word writer = load(first.writer), readers = readers_of(first);
  if (!is_byte_pattern(writer)) return 0;
  cell* const cells = &first;
  for (std::uint32_t n = 1; n <= most; ++n) {
    const std::uintptr_t next = granule + n * std::uintptr_t{4};
    if (next % kRowBytes == 0) shadow.settle(next, false);
    if (!alike.has(cells[n], n)) return n - 1;
    store(cells[n].writer, alike.writer_at(writer, n));
    set_readers(cells[n], alike.readers_at(readers, n));
  }
  return most;
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
        for (std::uint32_t n = 0; n < cells;) {
          const std::uintptr_t granule = address + n * std::uintptr_t{4};
          d.shadow.settle(granule, kLocked);
          cell& c = *cell_for(b, true, granule);
          if (kLocked) lock_group(&c);
          const alike_cells alike(c, kPerCell);
          const bool said =
              d.accesses.whole_cell_of_bytes(at(i + n * kPerCell), c, granule, Size, Write, pc, proofs_[k].when, known);
          if (kLocked) unlock_group(&c);
          if (!said) return n;
          ++n;
          if (!kLocked && !alike.is_untouched()) n += record_cells_like(alike, c, granule, cells - n);
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
