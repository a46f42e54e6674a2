// SPDX-License-Identifier: Apache-2.0
#include "sim/check/thread_sets.hpp"

namespace simt::check {

std::size_t thread_sets::hash::operator()(const bits& b) const {
  constexpr std::size_t kApart = 4;  // chains that do not wait for each other
  std::uint64_t h[kApart] = {1, 2, 3, 4};
  for (std::size_t i = 0; i < b.size(); i += kApart)
    for (std::size_t k = 0; k < kApart; ++k) h[k] = (h[k] ^ b[i + k]) * 0x9e3779b97f4a7c15ULL, h[k] ^= h[k] >> 29;
  return (h[0] ^ h[1] << 1 ^ (h[2] ^ h[3] << 1) * 0x9e3779b97f4a7c15ULL) * 0x9e3779b97f4a7c15ULL;
}

std::uint32_t thread_sets::with(std::uint32_t set, std::uint32_t rank) {
  if (contains(set, rank)) return set;
  std::lock_guard guard(mutex_);
  const std::uint64_t key = std::uint64_t{set} << 32 | rank;
  if (auto it = next_.find(key); it != next_.end()) return it->second;
  bits b{};
  if (set < kSingles)
    b[set >> 6] |= std::uint64_t{1} << (set & 63);
  else
    b = at(set);
  b[rank >> 6] |= std::uint64_t{1} << (rank & 63);
  const std::uint32_t number = add(b);
  if (number != kFull) next_.emplace(key, number);
  return number;
}

std::uint32_t thread_sets::number_of(const bits& ranks) {
  int count = 0;
  std::uint32_t first = 0;
  for (std::uint32_t i = 16; i-- > 0;) {
    count += std::popcount(ranks[i]);
    if (ranks[i] != 0) first = i * 64 + static_cast<std::uint32_t>(std::countr_zero(ranks[i]));
  }
  if (count == 1) return first;
  std::lock_guard guard(mutex_);
  return add(ranks);
}

std::uint32_t thread_sets::add(const bits& ranks) {
  auto [it, fresh] = index_.try_emplace(ranks, 0);
  if (fresh) {
    if (count_ == kPages * 1024) {
      index_.erase(it);
      return kFull;
    }
    auto& page = pages_[count_ >> 10];
    if (!page.load()) page.store(new bits[1024], std::memory_order_release);
    page.load()[count_ & 1023] = ranks;
    it->second = kSingles + count_++;
  }
  return it->second;
}

void thread_sets::clear() {
  for (auto& p : pages_) delete[] p.exchange(nullptr);
  index_.clear();
  next_.clear();
  count_ = 0;
  ++generation_;
}

}  // namespace simt::check
