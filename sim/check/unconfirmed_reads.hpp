// SPDX-License-Identifier: Apache-2.0
// Plain reads that only guess what a compare-and-swap then checks.
//
// The atomicAdd for double of the CUDA Programming Guide begins with `old = *address`. That read races with the other
// threads' atomics, which is harmless: the compare-and-swap of the same thread at the same address decides whether the
// value was good. So a race of a plain read with an atomic is held back until its thread compares and swaps there. A
// finding all of whose instances were confirmed so is dropped; one with some of them is a warning
// (docs/decisions/0007).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace simt::check {

class unconfirmed_reads {
 public:
  using key = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uintptr_t>;  // agent, block, rank, address

  // The caller holds the detector's lock of findings.
  void add(const key& reader, std::size_t finding) {
    if (open_.size() >= kMost) return;  // what is not held back stays an error
    open_[reader].push_back(finding);
    any_.store(true, std::memory_order_relaxed);
  }
  // All that it has read of the `size` bytes: a structure is compared whole, and read by its members.
  void confirm(const key& reader, std::uint32_t size) {
    key behind = reader;
    std::get<3>(behind) += size;  // its address
    const auto first = open_.lower_bound(reader), end = open_.lower_bound(behind);
    if (first == end) return;
    for (auto it = first; it != end; ++it)
      for (const std::size_t f : it->second) ++confirmed_[f];
    open_.erase(first, end);
    if (open_.empty()) any_.store(false, std::memory_order_relaxed);
  }
  std::int64_t confirmed(std::size_t finding) const {
    const auto it = confirmed_.find(finding);
    return it == confirmed_.end() ? 0 : it->second;
  }
  // Without the lock: whether redeeming could do anything.
  bool any() const { return any_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kMost = 1 << 16;
  std::map<key, std::vector<std::size_t>> open_;
  std::map<std::size_t, std::int64_t> confirmed_;
  std::atomic<bool> any_{false};
};

}  // namespace simt::check
