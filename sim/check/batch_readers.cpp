// SPDX-License-Identifier: Apache-2.0
// Words of a batch that several of its threads read: all positions one, those of each row of the block one, or those of
// each column one. Such positions are a line.
//
// Invariants
// - The readers of a cell become, in one step, what reader_groups::add() makes of them and the line.
// - What a block that begins later than all readers of a cell makes of them does not depend on the line, if they are of
//   the same threads as the line, block for block: none of them is ordered before one thread of the line and not
//   before another. So the answer for one line is the answer for all lines, but for the threads.
#include <algorithm>
#include <utility>

#include "sim/check/batch_checker.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

// What is remembered of readers names epochs of one detector.
void batch_checker::forget_other_detectors() {
  const std::uint64_t now = at(0).block->core->serial;
  if (std::exchange(detector_, now) != now) std::fill_n(steps_.get(), kSteps, cached_step{});
}

// Which positions read the same words by entry k?
batch_checker::lines batch_checker::lines_of(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  const std::intptr_t stride = b_->entries[k].stride, row_stride = b_->facts[k].row_stride;
  if (b_->facts[k].write || b_->facts[k].size < 4) return lines::none;
  if (stride == 0) return b_->in_rows && row_stride != 0 ? lines::rows : lines::all;
  return b_->in_rows && row_stride == 0 && to - from > b_->width ? lines::columns : lines::none;
}

// The sets of threads of the lines. Batches of other blocks mostly have the same ones.
const batch_checker::line_sets& batch_checker::sets_of(std::size_t k, lines by, std::uint32_t from, std::uint32_t to) {
  detector_core& d = *at(0).block->core;
  const std::uint32_t some = b_->facts[k].some;
  const line_sets::question asked{d.serial, d.sets.generation(), by, at(0).rank, b_->width, from, to, some != 0};
  std::uint32_t hash = (from * 31 + to) * 31 + static_cast<std::uint32_t>(by);
  if (some != 0) {
    const sim::lane_set& makers = b_->some[some - 1];
    const std::uint32_t first = makers.next(0);
    hash = ((hash * 31 + first) * 31 + makers.next(first, false)) * 31 + makers.size();
  }
  line_sets& l = line_sets_[hash * 0x9e3779b9U >> (32 - kLineSetBits)];
  if (l.asked == asked && (some == 0 || l.some == b_->some[some - 1])) return l;
  l.asked = asked;
  if (some != 0) l.some = b_->some[some - 1];
  l.first = by == lines::rows ? from / b_->width : 0;
  const std::uint32_t count = by == lines::all ? 1 : by == lines::rows ? (to - 1) / b_->width - l.first + 1 : b_->width;
  std::vector<thread_sets::bits> threads(count);
  b_->each_stretch(k, to, [&](std::uint32_t begin, std::uint32_t end) {
    std::uint32_t i = std::max(begin, from);
    for (std::uint32_t row = i / b_->width, x = i % b_->width; i < end; ++i) {
      const std::uint32_t line = by == lines::all ? 0 : by == lines::rows ? row - l.first : x;
      const std::uint32_t rank = at(0).rank + i;
      threads[line][rank / 64] |= std::uint64_t{1} << rank % 64;
      if (++x == b_->width) x = 0, ++row;
    }
    return true;
  });
  l.of_lines.clear();
  for (const thread_sets::bits& t : threads) {
    const auto word = std::ranges::find_if(t, [](std::uint64_t w) { return w != 0; });
    if (word == t.end()) {
      l.of_lines.push_back({line_sets::kNobody, 0});
      continue;
    }
    const auto first = static_cast<std::uint32_t>((word - t.begin()) * 64 + std::countr_zero(*word));
    l.of_lines.push_back({d.sets.number_of(t), first});
  }
  return l;
}

// reader_groups::add() of what the threads of a set read, of which t is the first, remembered.
shadow_word batch_checker::joined_set(thread_state& t, shadow_word before, epoch when, std::uint32_t set) {
  if (before == 0) return make_shadow_word(when, set);
  block_state& b = *t.block;
  const shadow_word named = shadow_word{set} << kEpochBits;
  const bool alike = (before & kWho) == named && epoch_of(before) < b.first_epoch && !b.knows;
  const shadow_word key = alike ? before & ~kWho : before;
  const std::uint64_t asked = alike ? kAnyLine : set;
  cached_step& known = steps_[((key ^ asked * 0x9e3779b97f4a7c15ULL ^ when << 7) * 0x9e3779b97f4a7c15ULL) >> 54];
  if (known.before == key && known.set == asked && known.when == when && known.quiet_from == b.quiet_from && !b.knows)
    return alike ? known.after | named : known.after;
  const shadow_word after = b.core->readers.add(t, before, when, set);
  if (!alike)
    known = {key, asked, when, b.quiet_from, after};
  else if ((after & kWho) == named)
    known = {key, asked, when, b.quiet_from, after & ~kWho};
  return after;
}

// What lines of entry k read, up to one that cannot be decided; how many lines that were. They lie on one page.
template <std::uint32_t Size, bool Locked>
std::uint32_t batch_checker::read_lines(std::size_t k, const line_sets& sets, std::uint32_t first, std::uint32_t count,
                                        std::uintptr_t address, std::intptr_t apart, const quiet_rule& q) {
  block_state& b = *at(0).block;
  cell* cells = cell_for(b, q.device, address);
  for (std::uint32_t n = 0; n < count; ++n, address += static_cast<std::uintptr_t>(apart), cells += apart / 4) {
    const auto [set, thread] = sets.of_lines[first + n];
    if (set == line_sets::kNobody) continue;
    if (set == thread_sets::kFull) return n;
    b.core->shadow.settle(address, Locked);
    if (Locked) lock_group(cells);
    bool done = true;
    for (std::uint32_t j = 0; j < Size / 4 && done; ++j) {
      cell& c = cells[j];
      const shadow_word w = load(c.writer), r = Locked ? readers_of(c) : load(c.readers);
      const shadow_word as = q.is_old(w) || q.is_past(w) ? w : q.old_writer(w, r, address + j * 4, false);
      if (as == 0) {
        done = false;
        break;
      }
      const shadow_word before = (r & kEpochMask) < q.floor ? 0 : r;
      const shadow_word after = joined_set(b.all[thread], before, proofs_[k].when, set);
      if (as != w) store(c.writer, as);
      Locked ? set_readers(c, after) : store(c.readers, after);
    }
    if (Locked) unlock_group(cells);
    if (!done) return n;
  }
  return count;
}

template <std::uint32_t Size>
void batch_checker::commit_lines(std::size_t k, lines by, std::uint32_t from, std::uint32_t to) {
  block_state& b = *at(0).block;
  const sim::batch_fact& f = b_->facts[k];
  const std::uintptr_t pc = b_->entries[k].pc;
  const line_sets& sets = sets_of(k, by, from, to);
  const std::intptr_t apart = by == lines::all ? 0 : by == lines::rows ? f.row_stride : b_->entries[k].stride;
  const auto count = static_cast<std::uint32_t>(sets.of_lines.size());
  quiet_rule q(b, f.base);
  std::uint32_t looked_up = count;  // for which line
  for (std::uint32_t i = 0; i < count;) {
    const std::uintptr_t address =
        f.base + static_cast<std::uintptr_t>(apart * static_cast<std::intptr_t>(sets.first + i));
    const std::uint32_t until = on_page(address, apart, count - i);
    const std::uint32_t done = guarded(b, q.device, address, [&](auto locked) {
      return read_lines<Size, decltype(locked)::value>(k, sets, i, until, address, apart, q);
    });
    i += done;
    if (done == until) continue;
    const std::uintptr_t undecided = address + static_cast<std::uintptr_t>(apart * static_cast<std::intptr_t>(done));
    if (looked_up != i) {
      look_up(q, b, undecided);
      looked_up = i;
      continue;
    }
    b_->each_stretch(k, to, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t p = std::max(begin, from); p < end; ++p)
        if (by == lines::all || (by == lines::rows ? p / b_->width : p % b_->width) == sets.first + i)
          slow_path<false, Size>(at(p), undecided, pc, true);
      return true;
    });
    ++i;
  }
}

// Commits an entry that lines read; false: none do.
bool batch_checker::commit_lines(std::size_t k, std::uint32_t from, std::uint32_t to) {
  const lines by = lines_of(k, from, to);
  if (by == lines::none) return false;
  const std::uint32_t size = b_->facts[k].size;
  if (size == 4)
    commit_lines<4>(k, by, from, to);
  else if (size == 8)
    commit_lines<8>(k, by, from, to);
  else
    commit_lines<16>(k, by, from, to);
  return true;
}

}  // namespace simt::check
