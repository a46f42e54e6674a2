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

bool is_one_address(const warp_access& a) {
  const std::uintptr_t first = a.address[static_cast<std::size_t>(std::countr_zero(a.mask))];
  for (std::uint32_t m = a.mask; m != 0; m &= m - 1)
    if (a.address[static_cast<std::size_t>(std::countr_zero(m))] != first) return false;
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

// `loads`: their conflicts are the wavefronts beyond those that the lanes' bytes fill, where that is fewer than the
// halves or quarters with a lane in them; those of stores and updates are beyond the latter (counted on an H100).
shared_cost shared(const warp_access& a, bool same_once, bool loads) {
  if (same_once && is_within_banks(a)) return {1, 0};
  shared_cost cost;
  const std::uint32_t step = lanes_at_a_time(a.size);
  std::uint32_t needed = 0;
  for (std::uint32_t first = 0; first < kLanes; first += step) {
    const std::uint32_t mask = a.mask & (step == kLanes ? ~0U : ((1U << step) - 1) << first);
    if (mask == 0) continue;
    ++needed;
    cost.wavefronts += wavefronts_of(a, mask, same_once);
  }
  // A single address for all: served at once, and 16 bytes in two turns.
  if (same_once && needed > 1 && is_one_address(a)) return {a.size > 8 ? 2U : 1U, 0};
  if (loads) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(std::popcount(a.mask)) * a.size;
    needed = std::min(needed, (bytes + kBanks * kBankBytes - 1) / (kBanks * kBankBytes));
  }
  cost.conflicts = cost.wavefronts - needed;
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

global_cost cost_of_global_update(const warp_access& a) {
  global_cost cost = cost_in_global(a);
  std::array<std::uintptr_t, kLanes> words;
  std::size_t lanes = 0;
  for (std::uint32_t m = a.mask; m != 0; m &= m - 1)
    words[lanes++] = a.address[static_cast<std::size_t>(std::countr_zero(m))];
  std::sort(words.begin(), words.begin() + lanes);
  cost.sectors = 0;
  std::uint32_t most = 0, same = 0;  // of the sector, of the word
  for (std::size_t i = 0; i < lanes; ++i) {
    const bool new_sector = i == 0 || words[i] / kSectorBytes != words[i - 1] / kSectorBytes;
    same = i > 0 && words[i] == words[i - 1] ? same + 1 : 1;
    if (new_sector) cost.sectors += most, most = 0;
    most = std::max(most, same);
  }
  cost.sectors += most;
  return cost;
}

shared_cost cost_of_shared_load(const warp_access& a) { return shared(a, true, true); }
shared_cost cost_of_shared_store(const warp_access& a) { return shared(a, true, false); }
shared_cost cost_of_shared_atomic(const warp_access& a) { return shared(a, false, false); }

}  // namespace simt::profile
