// SPDX-License-Identifier: Apache-2.0
// The readers of a cell since its last write: groups (epoch, thread set), newest epoch first.
//
// More than one group make a chain of links. Where the groups differ in their epochs alone, as when each block reads
// the cell by the thread at the same place, the word holds the thread set and the links hold none. So cells that the
// threads of such blocks read side by side share their links.
//   kChain | (link, kMixed)   the link holds the words as they are
//   kChain | (link, who)      the link holds them without `who`
//
// Invariant: a link is younger than the groups in it, so a chain older than some time holds nothing younger.
#pragma once

#include "sim/check/block_state.hpp"
#include "sim/check/epochs.hpp"
#include "sim/check/side_memory.hpp"
#include "sim/check/thread_sets.hpp"

namespace simt::check {

// Takes the newest group off `rest`; 0: none is left that is as young as `floor`. Links older than `floor` are not
// looked at: they may be gone.
inline shadow_word next_group(const epoch_table& table, shadow_word& rest, epoch floor) {
  if (epoch_of(rest) >= floor && rest != 0) {
    shadow_word group = rest;
    if (rest & kChain) {
      const epoch_record& link = table[epoch_of(rest)];
      const shadow_word who = who_of(rest) == kMixed ? 0 : rest & kWhoMask << kEpochBits;
      group = link.pc | who;
      rest = link.next | who;
    } else {
      rest = 0;
    }
    if (epoch_of(group) >= floor) return group;
  }
  rest = 0;
  return 0;
}

class reader_groups {
 public:
  reader_groups(const options& opt, epoch_table& epochs, thread_sets& sets, const side_memory& memory)
      : opt_(opt), epochs_(epochs), sets_(sets), memory_(memory) {}
  // The reader word of a cell, which was `readers`, after a read at `when` by t.
  shadow_word add(thread_state& t, shadow_word readers, epoch when) { return add(t, readers, when, t.rank); }
  // The same by the threads of a set, of which t is the first.
  shadow_word add(thread_state& t, shadow_word readers, epoch when, std::uint32_t set);
  // The number of the set of `count` threads of b, `step` ranks apart from `first` on; thread_sets::kFull.
  std::uint32_t set_of(block_state& b, std::uint32_t first, std::uint32_t step, std::uint32_t count);

 private:
  shadow_word link(block_state& b, shadow_word group, shadow_word rest);  // `group`, then `rest`, which is older
  std::uint32_t with_rank(block_state& b, std::uint32_t set, std::uint32_t rank);
  // Both sets together; thread_sets::kFull.
  std::uint32_t with_all(block_state& b, std::uint32_t set, std::uint32_t others);
  // May one group have read at both times?
  bool share_a_group(epoch a, epoch b) const {
    return a == b || !opt_.readers_by_place || epochs_[a].pc == epochs_[b].pc;
  }
  const options& opt_;
  epoch_table& epochs_;
  thread_sets& sets_;
  const side_memory& memory_;
};

// ---- what a block remembers of readers: the fast path asks, too ----

// `key`: a set << 10 | a rank.
inline block_state::cached_set& set_slot(block_state& b, std::uint32_t key) { return b.sets[key * 0x9e3779b9U >> 19]; }

inline block_state::cached_readers& step_slot(block_state& b, shadow_word readers, shadow_word mine) {
  return b.reader_steps[((readers ^ mine << 17 ^ mine >> 23) * 0x9e3779b97f4a7c15ULL) >> 54];
}

// The bits of the thread that step_slot() need not know: see block_state::reader_steps.
inline shadow_word common_thread(const block_state& b, shadow_word readers, shadow_word mine) {
  constexpr shadow_word kWho = kWhoMask << kEpochBits;
  return ((readers ^ mine) & kWho) == 0 && epoch_of(readers) < b.first_epoch ? mine & kWho : 0;
}

}  // namespace simt::check
