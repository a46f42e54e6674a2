// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/host_touches.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace simt::sim {

bool host_touches::add(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc, int stream) {
  std::lock_guard lock(mutex_);
  std::size_t& slot = last_[(pc >> 1 ^ pc >> 7 ^ static_cast<std::uintptr_t>(write)) % kSlots];
  if (slot != 0) {
    host_touch& t = touches_[slot - 1];
    if (t.pc == pc && t.write == write && t.stream == stream && address <= t.to && address + bytes >= t.from) {
      t.from = std::min(t.from, address);
      t.to = std::max(t.to, address + bytes);
      return true;
    }
  }
  if (touches_.size() >= kStretches && pages_.add({address, address + bytes, pc, stream, write})) {
    newest_in_pages_ = true;
    return !pages_.is_full();
  }
  if (touches_.size() >= kMost) {
    ++lost_;
    return false;
  }
  newest_in_pages_ = false;
  touches_.push_back({address, address + bytes, pc, stream, write});
  slot = touches_.size();
  return touches_.size() < kCrowded;
}

void host_touches::drop_guess(std::uintptr_t address, std::size_t bytes, int stream) {
  std::lock_guard lock(mutex_);
  ++generations_;
  if (newest_in_pages_) return pages_.drop_last_read(address, bytes, stream);
  if (touches_.empty()) return;
  const host_touch& t = touches_.back();
  if (t.write || t.stream != stream || t.from != address || t.to != address + bytes) return;
  touches_.pop_back();
  for (std::size_t& slot : last_)
    if (slot > touches_.size()) slot = 0;
}

std::vector<host_touch> host_touches::take() {
  std::vector<host_touch> all;
  {
    std::lock_guard lock(mutex_);
    ++generations_;
    if (touches_.empty()) return all;
    all = std::exchange(touches_, {});
    pages_.take(all);
    newest_in_pages_ = false;
    std::fill(std::begin(last_), std::end(last_), 0);
  }
  // Loops that go backwards or jump back and forth: one record for each piece that they covered.
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const host_touch &x = all[a], &y = all[b];
    return std::tie(x.stream, x.write, x.pc, x.from, a) < std::tie(y.stream, y.write, y.pc, y.from, b);
  });
  std::size_t into = order[0];
  for (std::size_t i = 1; i < order.size(); ++i) {
    host_touch &t = all[into], &next = all[order[i]];
    if (next.stream == t.stream && next.write == t.write && next.pc == t.pc && next.from <= t.to) {
      t.to = std::max(t.to, next.to);
      next.to = next.from;
    } else {
      into = order[i];
    }
  }
  std::erase_if(all, [](const host_touch& t) { return t.from == t.to; });
  return all;
}

}  // namespace simt::sim
