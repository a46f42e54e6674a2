// SPDX-License-Identifier: Apache-2.0
// Rows and their cells: what a summary says of each, and how it becomes them.
#include <algorithm>
#include <vector>

#include "sim/check/epochs.hpp"
#include "sim/check/shadow_memory.hpp"
#include "sim/check/thread_sets.hpp"

namespace simt::check {

namespace {

// Makes reader words of a summary's; cells with the same threads share the set.
class reader_words {
 public:
  reader_words(const row_summary& r, epoch_table& epochs, thread_sets& sets) : r_(r), epochs_(epochs), sets_(sets) {}

  shadow_word of(std::uint32_t cell) {
    if (r_.readers == 0) return 0;
    const shadow_word first = r_.read.at(r_.readers, cell);
    if (r_.set.count == 1) return first;
    if (first == first_) return word_;
    first_ = first;
    std::uint32_t rank = who_of(first), set = rank;
    for (std::uint32_t n = 1; n < r_.set.count && set != thread_sets::kFull; ++n)
      set = sets_.with(set, rank += r_.set.step);
    return word_ = set != thread_sets::kFull ? with_who(first, set) : one_by_one(first);
  }

 private:
  static shadow_word with_who(shadow_word w, std::uint32_t who) {
    return (w & ~(kWhoMask << kEpochBits)) | shadow_word{who} << kEpochBits;
  }
  // There is no room for the set: a chain of its threads one by one, and of those that the word's own chain names.
  shadow_word one_by_one(shadow_word first) {
    std::vector<shadow_word> groups;
    const auto add = [&](shadow_word group) {
      for (std::uint32_t n = 0, rank = who_of(first); n < r_.set.count; ++n, rank += r_.set.step)
        groups.push_back(with_who(group, rank));
    };
    for (shadow_word rest = first; rest != 0;) {
      const shadow_word group = rest, who = group & kWhoMask << kEpochBits;
      rest = 0;
      if (!(group & kChain)) {
        add(group);
      } else if (epochs_.has(epoch_of(group))) {  // else it is over
        const epoch_record link = epochs_[epoch_of(group)];
        add(link.pc | who);
        rest = link.next | who;
      }
    }
    std::sort(groups.begin(), groups.end(), [](auto a, auto b) { return epoch_of(a) < epoch_of(b); });
    shadow_word chain = 0;
    for (const shadow_word g : groups)
      chain = chain == 0 ? g : kChain | kMixed << kEpochBits | epochs_.add({g, chain, 0, 0});
    return chain;
  }

  const row_summary& r_;
  epoch_table& epochs_;
  thread_sets& sets_;
  shadow_word first_ = 0, word_ = 0;
};

}  // namespace

cell shadow_memory::look(std::uintptr_t address) const {
  const row_summary* const r = row_of(address);
  if (in_cells(r->writer) || r->writer == 0) return *cell_of(address);
  const auto i = static_cast<std::uint32_t>(address % kRowBytes / 4);
  if (is_laid_out(r->writer)) return layouts.words_of(*r, address / kRowBytes * kRowBytes - device.base, i);
  return {r->written.at(r->writer, i), reader_words(*r, epochs_, sets_).of(i)};
}

void shadow_memory::give_to_cells(row_summary& r, std::uintptr_t address, bool lock) {
  if (lock) lock_row(r);
  const shadow_word w = r.writer;
  if (!in_cells(w)) {
    if (w != 0) {
      reader_words readers(r, epochs_, sets_);
      const std::uintptr_t row = address & ~(kRowBytes - 1);
      cell* const cells = cell_of(row);
      for (std::uint32_t i = 0; i < kRowCells; ++i) {
        const cell says =
            is_laid_out(w) ? layouts.words_of(r, row - device.base, i) : cell{r.written.at(w, i), readers.of(i)};
        // Readers first: who sees the writer's word sees them, too.
        if (lock && i % 4 == 0) lock_group(&cells[i]);
        set_readers(cells[i], says.readers);
        store(cells[i].writer, says.writer);
        if (lock && i % 4 == 3) unlock_group(&cells[i]);
      }
      if (r.expanded < kMostExpanded) ++r.expanded;
    }
    store(r.writer, kSlow);
  }
  if (lock) unlock_row(r);
}

void shadow_memory::settle_unguarded(std::uintptr_t from, std::uintptr_t to) {
  for (std::uintptr_t at = from & ~(kRowBytes - 1); at < to; at += kRowBytes) {
    const row_summary* const r = row_of(at);
    if (r == nullptr || in_cells(load(r->writer))) continue;
    if (ownership != nullptr && !in_shared(at) && ownership->hold(ownership_table::index((at - device.base) / 4))) {
      settle(at, false);
      end_owned();
    } else {
      settle(at, ownership != nullptr);
    }
  }
}

void shadow_memory::forget_rows(std::uintptr_t from, std::uintptr_t to) {
  row_summary* const first = row_of((from + kRowBytes - 1) & ~(kRowBytes - 1));
  const std::uintptr_t last = to & ~(kRowBytes - 1);
  if (last <= from || first == nullptr) return;
  row_summary* const end = row_of(last - kRowBytes) + 1;
  if (end > first) clear_to_zero(first, end);
}

}  // namespace simt::check
