// SPDX-License-Identifier: Apache-2.0
#include "sim/check/thread_sets.hpp"

namespace simt::check {

std::size_t thread_sets::hash::operator()(const bits& b) const {
  std::uint64_t h = 0;
  for (auto x : b) h = (h ^ x) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
  return h;
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
  auto [it, fresh] = index_.try_emplace(b, 0);
  if (fresh) {
    if (count_ == kPages * 1024) {
      index_.erase(it);
      return kFull;
    }
    auto& page = pages_[count_ >> 10];
    if (!page.load()) page.store(new bits[1024], std::memory_order_release);
    page.load()[count_ & 1023] = b;
    it->second = kSingles + count_++;
  }
  next_.emplace(key, it->second);
  return it->second;
}

void thread_sets::clear() {
  for (auto& p : pages_) delete[] p.exchange(nullptr);
  index_.clear();
  next_.clear();
  count_ = 0;
}

}  // namespace simt::check
