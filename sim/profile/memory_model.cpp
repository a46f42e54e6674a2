// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/memory_model.hpp"

#include <algorithm>
#include <bit>

namespace simt::profile {

namespace {

// Different values among `values`, which is sorted on the way if it is not in order.
template <std::size_t N>
std::uint32_t different(std::array<std::uintptr_t, N>& values, std::size_t count) {
  if (!std::is_sorted(values.begin(), values.begin() + count)) std::sort(values.begin(), values.begin() + count);
  return static_cast<std::uint32_t>(std::unique(values.begin(), values.begin() + count) - values.begin());
}

constexpr std::uint32_t kTagSets = 4;

// The set that a line of 128 bytes has its tag in, as an H100 has it: each bit of the line's number is added to one bit
// of the set's number, or to both. Known to bit 11; they go on as those before them.
std::uint32_t set_of(std::uintptr_t line) {
  constexpr std::uintptr_t kThirds = 0x1249249249249249;  // every third bit
  constexpr std::uintptr_t kLow = 1 | kThirds << 2 | kThirds << 4, kHigh = 2 | kThirds << 3 | kThirds << 4;
  return static_cast<std::uint32_t>((std::popcount(line & kLow) & 1) | (std::popcount(line & kHigh) & 1) << 1);
}

// Lanes that are served together: all of them, or halves and quarters where an access is wider than a bank.
std::uint32_t lanes_at_a_time(std::uint32_t size) {
  const std::uint32_t banks = std::max(size / kBankBytes, 1U);
  return std::max(kLanes / banks, 1U);
}

// Words of the lanes in `mask`, in any order; `same_once`: a word that several lanes use is there once.
std::uint32_t wavefronts_of(const warp_access& a, std::uint32_t mask, bool same_once) {
  std::array<std::uintptr_t, 2 * kLanes> words;
  std::size_t count = 0;
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const std::uintptr_t from = a.address[static_cast<std::size_t>(std::countr_zero(m))];
    const std::uintptr_t last = (from + a.size - 1) / kBankBytes;
    for (std::uintptr_t w = from / kBankBytes; w <= last && count < words.size(); ++w) words[count++] = w;
  }
  if (same_once) count = different(words, count);
  std::array<std::uint32_t, kBanks> in_bank{};
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, ++in_bank[words[i] % kBanks]);
  return most;
}

// Whether each lane has the address of the lane whose number differs in the bit `other`, where both take part.
bool agree(const warp_access& a, std::uint32_t other) {
  for (std::uint32_t m = a.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
    if ((a.mask >> (lane ^ other) & 1) != 0 && a.address[lane] != a.address[lane ^ other]) return false;
  }
  return true;
}

// Words of 4 bytes, all within as many neighbours as there are banks: no two of them share a bank.
bool is_within_banks(const warp_access& a) {
  if (a.size != kBankBytes) return false;
  std::uintptr_t lowest = ~std::uintptr_t{0}, highest = 0, low_bits = 0;
  for (std::uint32_t m = a.mask; m != 0; m &= m - 1) {
    const std::uintptr_t from = a.address[static_cast<std::size_t>(std::countr_zero(m))];
    lowest = std::min(lowest, from);
    highest = std::max(highest, from);
    low_bits |= from;
  }
  return low_bits % kBankBytes == 0 && highest - lowest < std::uintptr_t{kBanks} * kBankBytes;
}

// Conflicts are the wavefronts beyond one for each group of lanes that are served together and that some lane is in.
shared_cost in_groups(const warp_access& a, std::uint32_t step, bool same_once) {
  shared_cost cost;
  std::uint32_t groups = 0;
  for (std::uint32_t first = 0; first < kLanes; first += step) {
    const std::uint32_t mask = a.mask & (step == kLanes ? ~0U : ((1U << step) - 1) << first);
    if (mask == 0) continue;
    ++groups;
    cost.wavefronts += wavefronts_of(a, mask, same_once);
  }
  cost.conflicts = cost.wavefronts - groups;
  return cost;
}

}  // namespace

global_cost cost_in_global(const warp_access& a) {
  // An access that is no multiple of its size may reach into a second sector; none is wider than one.
  std::array<std::uintptr_t, 2 * kLanes> sectors;
  std::array<std::uintptr_t, kLanes> starts;
  std::size_t count = 0, lanes = 0;
  for (std::uint32_t m = a.mask; m != 0; m &= m - 1) {
    const std::uintptr_t from = a.address[static_cast<std::size_t>(std::countr_zero(m))];
    starts[lanes++] = from;
    const std::uintptr_t first = from / kSectorBytes, last = (from + a.size - 1) / kSectorBytes;
    sectors[count++] = first;
    if (last != first) sectors[count++] = last;
  }
  const std::uint32_t bytes = different(starts, lanes) * a.size;
  return {different(sectors, count), std::max((bytes + kSectorBytes - 1) / kSectorBytes, 1U)};
}

// Each turn looks up one line in each set of tags, and every lane in order either takes part or waits: its line is not
// the one of its set, or an earlier lane of the set, taking part or waiting, has the same place within its line. So an
// update never overtakes one of the same word. So an H100 and an H200 have it in 2,865 launches of one warp each, of
// which tests/unit/profile/update_turns.txt has a part.
global_cost cost_of_global_update(const warp_access& a) {
  struct tag_set {
    std::uintptr_t line = 0;
    std::uint32_t taken = 0, passed = 0;  // words of a line: those updated in this turn; those and what waits
  };
  global_cost cost = cost_in_global(a);
  cost.sectors = 0;
  for (std::uint32_t left = a.mask; left != 0;) {
    std::array<tag_set, kTagSets> sets;
    for (std::uint32_t m = left; m != 0; m &= m - 1) {
      const std::uintptr_t address = a.address[static_cast<std::size_t>(std::countr_zero(m))];
      const std::uintptr_t line = address / kLineBytes;
      const std::uint32_t word = 1U << (address % kLineBytes / kBankBytes);
      tag_set& s = sets[set_of(line)];
      if ((s.taken == 0 || s.line == line) && (s.passed & word) == 0) {
        s.line = line;
        s.taken |= word;
        left &= ~(m & -m);
      }
      s.passed |= word;
    }
    for (const tag_set& s : sets)
      for (std::uint32_t words = s.taken; words != 0; words >>= kSectorBytes / kBankBytes)
        cost.sectors += (words & 0xffU) != 0 ? 1 : 0;
  }
  return cost;
}

// Of loads wider than a bank two groups are served as one where all neighbours agree, or all lanes two apart: counted
// on an H100, 420 random patterns of 8 and of 16 bytes each (tests/profile/wide_shared.cu).
shared_cost cost_of_shared_load(const warp_access& a) {
  if (is_within_banks(a)) return {1, 0};
  const std::uint32_t step = lanes_at_a_time(a.size);
  const bool together = step < kLanes && (agree(a, 1) || agree(a, 2));
  return in_groups(a, together ? 2 * step : step, true);
}
shared_cost cost_of_shared_store(const warp_access& a) {
  if (is_within_banks(a)) return {1, 0};
  return in_groups(a, lanes_at_a_time(a.size), true);
}
shared_cost cost_of_shared_atomic(const warp_access& a) { return in_groups(a, lanes_at_a_time(a.size), false); }
shared_cost cost_of_shared_swap(const warp_access& a) {
  const shared_cost once = cost_of_shared_atomic(a);
  return {2 * once.wavefronts, once.conflicts};
}

}  // namespace simt::profile
