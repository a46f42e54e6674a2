// SPDX-License-Identifier: Apache-2.0
#include "sim/check/epochs.hpp"

#include <cstdio>
#include <utility>

namespace simt::check {

epoch_table::~epoch_table() {
  // No further than epochs went: what was never touched stays so.
  const epoch last = next_.load();
  for (epoch p = freed_pages_; p <= last >> 12; ++p)
    if (level* l = top_[p >> 14].load()) delete l->pages[p & 0x3fff].load();
  for (epoch t = 0; t <= last >> 26; ++t) give_back_to_the_system{sizeof(level)}(top_[t].load());
}

epoch epoch_table::reserve(std::uint32_t count) {
  const epoch when = next_.fetch_add(count, std::memory_order_relaxed);
  if (when + count > kEpochMask) {
    std::fprintf(stderr, "simt: detector ran out of time ids (%llu)\n", static_cast<unsigned long long>(when));
    std::abort();
  }
  return when;
}

void epoch_table::put(epoch when, const epoch_record& d) {
  level* l = top_[when >> 26].load(std::memory_order_acquire);
  page* p = l ? l->pages[when >> 12 & 0x3fff].load(std::memory_order_acquire) : nullptr;
  if (!p) p = page_of(when);
  p->entries[when & 0xfff] = d;
}

// Workers come to a new page at the same time. Each brings one of its own, so that none waits while another one's comes
// from the system; those that are not needed now are kept for the pages to come.
epoch_table::page* epoch_table::page_of(epoch when) {
  std::unique_lock guard(grow_);
  std::unique_ptr<page> own;
  if (kept_.empty()) {
    guard.unlock();
    own.reset(new page);
    guard.lock();
  }
  level* l = top_[when >> 26].load();
  if (!l) top_[when >> 26].store(l = make_zeroed<level>(1).release());
  std::atomic<page*>& at = l->pages[when >> 12 & 0x3fff];
  if (own) kept_.push_back(std::move(own));
  if (!at.load()) {
    at.store(kept_.back().release());
    kept_.pop_back();
    ++live_pages_;
  }
  return at.load();
}

void epoch_table::free_below(epoch horizon) {
  for (; (freed_pages_ + 1) << 12 <= horizon; ++freed_pages_) {
    level* l = top_[freed_pages_ >> 14].load();
    if (!l) continue;
    if (page* p = l->pages[freed_pages_ & 0x3fff].exchange(nullptr)) {
      std::unique_ptr<page> freed(p);
      if (kept_.size() < kMostKept) kept_.push_back(std::move(freed));
      --live_pages_;
    }
    if ((freed_pages_ & 0x3fff) == 0x3fff) {
      top_[freed_pages_ >> 14].store(nullptr);
      give_back_to_the_system{sizeof(level)}(l);
    }
  }
}

}  // namespace simt::check
