// SPDX-License-Identifier: Apache-2.0
#include "sim/check/readers.hpp"

#include <algorithm>

#include "sim/check/code_sites.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {

std::uint32_t reader_groups::with_rank(block_state& b, std::uint32_t set, std::uint32_t rank) {
  const std::uint32_t key = set << 10 | rank;
  auto& slot = set_slot(b, key);
  if (slot.key == key) return slot.set;
  const std::uint32_t next = sets_.with(set, rank);
  if (next != thread_sets::kFull) slot = {key, next};
  return next;
}

std::uint32_t reader_groups::with_all(block_state& b, std::uint32_t set, std::uint32_t others) {
  if (set == others) return set;
  sets_.any(others, [&](std::uint32_t rank) { return (set = with_rank(b, set, rank)) == thread_sets::kFull; });
  return set;
}

std::uint32_t reader_groups::set_of(block_state& b, std::uint32_t first, std::uint32_t step, std::uint32_t count) {
  std::uint32_t set = first;
  for (; count > 1 && set != thread_sets::kFull; --count) set = with_rank(b, set, first += step);
  return set;
}

// The block remembers links, so that cells with one history share one chain.
shadow_word reader_groups::link(block_state& b, shadow_word group, shadow_word rest) {
  if (rest == 0) return group;
  constexpr shadow_word kWho = kWhoMask << kEpochBits;
  const bool alike = ((group ^ rest) & kWho) == 0;
  const shadow_word who = alike ? group & kWho : kMixed << kEpochBits;
  if (alike) group &= ~kWho, rest &= ~kWho;
  auto& slot = b.links[((group ^ rest << 19) * 0x9e3779b97f4a7c15ULL) >> 56];
  if (slot.group != group || slot.rest != rest) slot = {group, rest, b.add({group, rest, 0, 0})};
  return kChain | who | slot.link;
}

// Invariants of the result: epochs fall along the chain, and every reader since the last write is in it with whom a
// later write could race, unless that write then also races with a newer reader in the chain.
//
// A group that is ordered before the new read may be left out, and is where that is seen, to save room. Keeping it does
// no harm. So the walk along the chain may stop early, and keep the rest as it is: at a group that is older than the
// block, since those are mostly of blocks that nothing orders with this one; and after kMost groups. The youngest such
// group of the launch stays if threads of it have not read again: a compare-and-swap may show that the new read was a
// guess (unconfirmed_reads.hpp), and then it stands for nothing.
//
// With several threads, a group is left out if it is ordered before the read of the first one. Those who have read in
// their interval already are left out themselves, as each of them would be alone: the group in which they have is not
// replaced, so another one that is ordered before still stays.
shadow_word reader_groups::add(thread_state& t, shadow_word readers, epoch when, std::uint32_t set) {
  constexpr int kMost = 64;
  block_state& b = *t.block;
  const launch_state& l = *b.launch;
  shadow_word groups[kMost + 1];
  int count = 0;
  int joined = -1;
  bool has_replaced = false;
  // Has this thread read in the new readers' group?
  const auto reads_again = [&](std::uint32_t rank) {
    return sets_.contains(set, rank) || (joined >= 0 && sets_.contains(who_of(groups[joined]), rank));
  };
  shadow_word rest = readers;
  for (shadow_word before = rest; const shadow_word group = next_group(epochs_, rest, l.floor); before = rest) {
    const epoch g = epoch_of(group);
    const epoch_record& d = epochs_[g];
    if (count == kMost || (g < b.first_epoch && g >= b.grid_base && d.agent == l.agent && !t.clocks->known.scoped)) {
      rest = before;
      break;
    }
    const std::uint32_t earlier = who_of(group);
    const bool same_block = d.block == b.number && d.agent == l.agent;
    // Threads that have read here since their last release: the older read stands for the new one.
    const auto has_read = [&](std::uint32_t rank) {
      return g >= interval_start(rank == t.rank ? t : b.all[rank]) && sets_.contains(earlier, rank);
    };
    if (same_block && sets_.any(set, has_read)) {  // the others read
      thread_sets::bits others{};
      thread_state* first = nullptr;
      sets_.any(set, [&](std::uint32_t rank) {
        if (has_read(rank)) return false;
        if (first == nullptr) first = &b.all[rank];
        others[rank / 64] |= std::uint64_t{1} << rank % 64;
        return false;
      });
      if (first == nullptr) return readers;
      if (const std::uint32_t left = sets_.number_of(others); left != thread_sets::kFull)
        return add(*first, readers, when, left);
    }
    if (same_block && joined < 0 && (g == when || (g >= b.quiet_from && when >= b.quiet_from)) &&
        share_a_group(g, when)) {
      // Nobody of the block has published since either read, so every clock sees both or none: one group will do.
      const std::uint32_t more = with_all(b, earlier, set);
      if (more != thread_sets::kFull) {
        epoch merged = g;
        if (g != when) {
          bool listed = false;
          for (epoch x = g; x && !listed; x = epochs_[x].next) listed = epochs_[x].pc == epochs_[when].pc;
          if (!listed) {
            auto& slot = b.merges[(g * 31 + when) & 63];
            if (slot.a != g || slot.b != when) slot = {g, when, b.add({epochs_[when].pc, g, l.agent, b.number})};
            merged = slot.merged;
          }
        }
        joined = count, groups[count++] = make_shadow_word(merged, more);
        continue;
      }
    }
    std::uint32_t who;
    if (!find_unordered(
            t, g, [&](auto f) { return sets_.any(earlier, f); }, who)) {
      // Whoever is ordered after the new read is ordered after this group, too.
      if (has_replaced || d.agent != l.agent || g < b.grid_base) continue;
      has_replaced = true;
      if (same_block && !sets_.any(earlier, [&](std::uint32_t rank) { return !reads_again(rank); })) continue;
    }
    groups[count++] = group;
  }
  shadow_word after_it = rest;
  const shadow_word youngest_left = next_group(epochs_, after_it, l.floor);
  if (joined < 0) {
    const std::uintptr_t pc = epochs_[when].pc;
    if (when < epoch_of(youngest_left)) {
      auto& site = site_of(b, pc);
      site = {pc, when = b.add_youngest({pc, 0, l.agent, b.number}), 0, 0, 0, site.last, site.step};
    }
    joined = count, groups[count++] = make_shadow_word(when, set);
  }
  if (count + (rest != 0) + (after_it != 0) > 2 && memory_.is_over_limit()) {
    // Out of room: two groups of different blocks stay; without synchronisation between blocks that loses nothing.
    b.launch->shortened.fetch_add(1, std::memory_order_relaxed);
    shadow_word other = youngest_left;
    for (int i = 0; i < count; ++i)
      if (epochs_[epoch_of(groups[i])].block != b.number) other = groups[i];
    groups[0] = groups[joined], groups[1] = other;
    count = other ? 2 : 1;
    rest = 0;
  }
  std::sort(groups, groups + count, [](shadow_word x, shadow_word y) { return epoch_of(x) < epoch_of(y); });
  shadow_word chain = rest;
  for (int i = 0; i < count; ++i) chain = link(b, groups[i], chain);
  return chain;
}

}  // namespace simt::check
