// SPDX-License-Identifier: Apache-2.0
// Some of a batch's positions: a bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace simt::sim {

class lane_set {
 public:
  // None of `count`, or all of them.
  void reset(std::uint32_t count, bool all) {
    count_ = count;
    words_.assign((count + 63) / 64, all ? ~std::uint64_t{0} : 0);
    trim();
  }
  // Those from `from` on, before `to`.
  void add(std::uint32_t from, std::uint32_t to) {
    for (; from < to; from = (from / 64 + 1) * 64) {
      const std::uint32_t until = std::min(to, (from / 64 + 1) * 64);
      words_[from / 64] |= ~std::uint64_t{0} >> (64 - (until - from)) << from % 64;
    }
  }
  void keep(const lane_set& o) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= o.words_[i];
  }
  void join(const lane_set& o) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= o.words_[i];
  }
  void invert() {
    for (std::uint64_t& w : words_) w = ~w;
    trim();
  }
  std::uint32_t size() const {
    std::uint32_t n = 0;
    for (const std::uint64_t w : words_) n += static_cast<std::uint32_t>(std::popcount(w));
    return n;
  }
  // The first position from `from` on that is in it, or (`in` is false) is not; `count` at most.
  std::uint32_t next(std::uint32_t from, bool in = true) const {
    for (; from < count_; from = (from / 64 + 1) * 64)
      if (const std::uint64_t w = (in ? words_[from / 64] : ~words_[from / 64]) >> from % 64; w != 0)
        return std::min(count_, from + static_cast<std::uint32_t>(std::countr_zero(w)));
    return count_;
  }
  // Calls f(from, to) with each longest stretch that is in it, in order, until it gives false. False: it did.
  template <class F>
  bool each_stretch(F f) const {
    for (std::uint32_t to = 0, from = next(0); from < count_; from = next(to)) {
      to = next(from, false);
      if (!f(from, to)) return false;
    }
    return true;
  }
  bool operator==(const lane_set&) const = default;

 private:
  void trim() {
    if (count_ % 64 != 0) words_.back() &= ~std::uint64_t{0} >> (64 - count_ % 64);
  }
  std::vector<std::uint64_t> words_;
  std::uint32_t count_ = 0;
};

}  // namespace simt::sim
