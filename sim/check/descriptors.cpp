// SPDX-License-Identifier: Apache-2.0
#include "sim/check/descriptors.hpp"

#include <cstdio>

namespace simt::check {

descriptor_table::~descriptor_table() {
  for (std::size_t t = 0; t < kTop; ++t)
    if (level* l = top_[t].load()) {
      for (auto& p : l->pages) delete p.load();
      delete l;
    }
}

time_id descriptor_table::add(const descriptor& d) {
  const time_id id = next_.fetch_add(1, std::memory_order_relaxed);
  if (id > kIdMask) {
    std::fprintf(stderr, "simt: detector ran out of time ids (%llu)\n", static_cast<unsigned long long>(id));
    std::abort();
  }
  level* l = top_[id >> 26].load(std::memory_order_acquire);
  page* p = l ? l->pages[id >> 12 & 0x3fff].load(std::memory_order_acquire) : nullptr;
  if (!p) {
    std::lock_guard guard(grow_);
    l = top_[id >> 26].load();
    if (!l) top_[id >> 26].store(l = new level());
    p = l->pages[id >> 12 & 0x3fff].load();
    if (!p) {
      l->pages[id >> 12 & 0x3fff].store(p = new page);
      ++live_pages_;
    }
  }
  p->entries[id & 0xfff] = d;
  return id;
}

void descriptor_table::free_below(time_id horizon) {
  for (; (freed_pages_ + 1) << 12 <= horizon; ++freed_pages_) {
    level* l = top_[freed_pages_ >> 14].load();
    if (!l) continue;
    if (page* p = l->pages[freed_pages_ & 0x3fff].exchange(nullptr)) {
      delete p;
      --live_pages_;
    }
    if ((freed_pages_ & 0x3fff) == 0x3fff) {
      top_[freed_pages_ >> 14].store(nullptr);
      delete l;
    }
  }
}

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
