// SPDX-License-Identifier: Apache-2.0
// Sets of threads of a block, each kept once and named by a small number: the "who" of a shadow word.
//
// Numbers below kSingles are the sets of one thread, of that rank. A number means the same set until clear().
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "sim/check/shadow_word.hpp"

namespace simt::check {

class thread_sets {
 public:
  ~thread_sets() { clear(); }
  static constexpr std::uint32_t kFull = 0xffffffff;  // no room for another set
  using bits = std::array<std::uint64_t, 16>;
  bool contains(std::uint32_t set, std::uint32_t rank) const {
    if (set < kSingles) return set == rank;
    const bits& s = at(set);
    return s[rank >> 6] >> (rank & 63) & 1;
  }
  std::uint32_t with(std::uint32_t set, std::uint32_t rank);  // kFull: does not fit
  std::uint32_t number_of(const bits& ranks);                 // of one rank at least; kFull: does not fit
  template <class F>                                          // F(rank) -> true to stop; returns whether stopped
  bool any(std::uint32_t set, F f) const {
    if (set < kSingles) return f(set);
    const bits& s = at(set);
    for (std::uint32_t i = 0; i < 16; ++i)
      for (std::uint64_t m = s[i]; m; m &= m - 1)
        if (f(i * 64 + static_cast<std::uint32_t>(std::countr_zero(m)))) return true;
    return false;
  }
  std::size_t size() const { return count_; }
  std::uint64_t generation() const { return generation_; }  // of the numbers: clear() begins another one
  std::size_t bytes() const { return count_ * (sizeof(bits) * 2 + 64); }
  void clear();

 private:
  std::uint32_t add(const bits& ranks);  // locked
  const bits& at(std::uint32_t set) const {
    return pages_[(set - kSingles) >> 10].load(std::memory_order_acquire)[(set - kSingles) & 1023];
  }
  static constexpr std::uint32_t kPages = 256;  // 262,144 sets, 32 MiB
  struct hash {
    std::size_t operator()(const bits& b) const;
  };
  std::array<std::atomic<bits*>, kPages> pages_{};
  std::unordered_map<bits, std::uint32_t, hash> index_;
  std::unordered_map<std::uint64_t, std::uint32_t> next_;  // (set, rank) -> set
  std::uint32_t count_ = 0;
  std::uint64_t generation_ = 0;
  std::mutex mutex_;
};

}  // namespace simt::check
