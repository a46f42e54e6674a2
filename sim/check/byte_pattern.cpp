// SPDX-License-Identifier: Apache-2.0
#include "sim/check/byte_pattern.hpp"

#include <algorithm>

namespace simt::check {
namespace {

// Larger ones are rare, and each is another for every place of its threads.
constexpr std::size_t kMostAccesses = 64;
constexpr std::uint32_t kMostRanks = 256;

}  // namespace

std::uint8_t byte_pattern::written() const {
  std::uint8_t mask = 0;
  for (const access& a : accesses)
    if (a.write) mask |= a.mask;
  return mask;
}

std::uint8_t byte_pattern::touched() const {
  std::uint8_t mask = 0;
  for (const access& a : accesses) mask |= a.mask;
  return mask;
}

byte_pattern_table::byte_pattern_table() {
  for (std::uint32_t n = 0; n < 16; ++n) {
    const auto at = numbers_.emplace(byte_pattern{static_cast<std::uint8_t>(n), {}}, n).first;
    patterns_[n].store(&at->first);
  }
}

byte_pattern_table::step byte_pattern_table::after(std::uint32_t pattern, std::int32_t rank, std::uint8_t mask,
                                                   bool write, std::uintptr_t pc) {
  byte_pattern next = (*this)[pattern];
  const auto is_own = [&](const byte_pattern::access& a) { return static_cast<std::int32_t>(a.rank) == rank; };
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

}  // namespace simt::check
