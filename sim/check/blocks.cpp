// SPDX-License-Identifier: Apache-2.0
#include "sim/check/blocks.hpp"

#include <bit>

namespace simt::check {

void block_table::give_back(block_state& b) {
  shard& s = shards_[sim::thread_shard()];
  std::lock_guard guard(s.mutex);
  s.free.push_back(&b);
}

void block_table::forget_thread_sets() {
  for (const auto& b : all_) b->sets.fill({}), b->sites.fill({});
}

void block_table::expect(std::span<const address_range> shared, epoch now) {
  std::lock_guard guard(expected_mutex_);
  for (const address_range& r : shared) expected_[r.base] = {r.size, now, false};
}

void block_table::expect_none() {
  std::lock_guard guard(expected_mutex_);
  expected_.clear();
  left_.clear();
}

void block_table::add_shared(block_state& b) {
  b.owners_shard = owners_of(b);
  if (b.shared.size) {
    const std::uint32_t bit = 1U << b.owners_shard;
    if ((used_.load(std::memory_order_relaxed) & bit) == 0) used_.fetch_or(bit);
    shard& s = shards_[b.owners_shard];
    std::lock_guard guard(s.mutex);
    s.owners[b.shared.base] = &b;
  }
  if (!b.launch->has_clusters) return;  // nobody expected it
  std::lock_guard guard(expected_mutex_);
  left_.erase(b.shared.base);
  if (const auto early = expected_.find(b.shared.base); early != expected_.end()) {
    b.first_epoch = early->second.since;
    if (early->second.touched) b.share();
    expected_.erase(early);
  }
}

void block_table::remove_shared(const block_state& b) {
  if (b.launch->has_clusters) {
    std::lock_guard guard(expected_mutex_);
    left_[b.shared.base] = {b.shared, b.number};
  }
  shard& s = shards_[b.owners_shard];
  std::lock_guard guard(s.mutex);
  s.owners[b.shared.base] = nullptr;  // the next block there comes soon
}

std::optional<block_table::left_block> block_table::left_at(std::uintptr_t address) {
  std::lock_guard guard(expected_mutex_);
  auto it = left_.upper_bound(address);
  if (it == left_.begin()) return {};
  --it;
  if (address - it->first >= it->second.shared.size) return {};
  return it->second;
}

block_state* block_table::owner_of(std::uintptr_t address) {
  for (std::uint32_t used = used_.load(); used != 0; used &= used - 1) {
    shard& s = shards_[static_cast<unsigned>(std::countr_zero(used))];
    std::lock_guard guard(s.mutex);
    auto it = s.owners.upper_bound(address);
    while (it != s.owners.begin() && std::prev(it)->second == nullptr) --it;
    if (it == s.owners.begin()) continue;
    block_state* const b = std::prev(it)->second;
    if (address - b->shared.base < b->shared.size) return b;
  }
  return nullptr;
}

block_table::expected_blocks::iterator block_table::expected_at(std::uintptr_t address) {
  auto it = expected_.upper_bound(address);
  if (it == expected_.begin()) return expected_.end();
  --it;
  return address - it->first < it->second.size ? it : expected_.end();
}

block_state* block_table::touched(const block_state& by, std::uintptr_t address, epoch& since) {
  const bool mine = address - by.owner->shared.base < by.owner->shared.size;
  block_state* const owner = mine ? by.owner : owner_of(address);
  since = owner ? owner->first_epoch : kEpochMask;
  if (!owner) {
    std::lock_guard guard(expected_mutex_);
    if (const auto early = expected_at(address); early != expected_.end()) {
      early->second.touched = true;
      since = early->second.since;
    }
  }
  if (owner && owner != &by) owner->share();
  return owner;
}

std::uintptr_t block_table::counterpart(const block_state& own, std::uintptr_t address) {
  if (const block_state* const owner = owner_of(address)) return own.shared.base + (address - owner->shared.base);
  std::lock_guard guard(expected_mutex_);
  const auto early = expected_at(address);
  return early != expected_.end() ? own.shared.base + (address - early->first) : 0;
}

memory_state block_table::look_up(const block_state& by, std::uintptr_t granule) {
  memory_state m;
  const block_state* const own = by.owner;
  const block_state* const owner = granule - own->shared.base < own->shared.size ? own : owner_of(granule);
  const auto add_arrays = [&](const block_state& b, std::uintptr_t from) {
    for (const shared_object& a : b.arrays)
      for (std::uintptr_t i = 0; i < 4; ++i)
        if (from + i - a.address < a.size) m.valid |= static_cast<std::uint8_t>(1 << i);
  };
  if (owner) add_arrays(*owner, granule);
  if (!m.valid && owner != own)  // the other block has not got to its declaration yet
    if (const std::uintptr_t mine = counterpart(*own, granule)) add_arrays(*own, mine);
  return m;
}

void block_table::add_copy(std::uint32_t copy, issuer by) {
  constexpr std::size_t kMost = 100'000;
  std::lock_guard guard(pool_mutex_);
  if (issuers_.size() > kMost) issuers_.clear();
  issuers_[copy] = by;
}

block_table::issuer block_table::issuer_of(std::uint32_t copy) {
  std::lock_guard guard(pool_mutex_);
  const auto it = issuers_.find(copy);
  return it == issuers_.end() ? issuer{copy, 0} : it->second;
}

}  // namespace simt::check
