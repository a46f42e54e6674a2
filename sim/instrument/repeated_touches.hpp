// SPDX-License-Identifier: Apache-2.0
// What one host thread has touched since the last event that host_touches was emptied for: doing it again changes
// nothing, so it needs no lock. Of a loop over an array, say, that a program's own check goes through many times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <sim/instrument/touched_pages.hpp>

namespace simt::sim {

class repeated_touches {
 public:
  // since: a number that changes whenever host_touches forgets something. True: t has been noted under that number.
  bool holds(const host_touch& t, std::uint64_t since) const {
    const page& p = pages_[slot_of(t)];
    return p.since == since && p.is_of(t) && is_within_a_word(t) && (bits_of(t) & ~p.bytes[word_of(t)]) == 0;
  }
  void note(const host_touch& t, std::uint64_t since) {
    if (!is_within_a_word(t)) return;
    page& p = pages_[slot_of(t)];
    if (p.since != since || !p.is_of(t)) p = {since, base_of(t), t.pc, t.stream, t.write, {}};
    p.bytes[word_of(t)] |= bits_of(t);
  }

 private:
  // As many as a column of a matrix of 512 rows may need; 280 KB.
  static constexpr std::size_t kPages = 512, kPageBytes = 4096;
  struct page {
    std::uint64_t since = 0;
    std::uintptr_t base = 0, pc = 0;
    int stream = 0;
    bool write = false;
    std::array<std::uint64_t, kPageBytes / 64> bytes{};
    bool is_of(const host_touch& t) const {
      return base == base_of(t) && pc == t.pc && write == t.write && stream == t.stream;
    }
  };
  static std::uintptr_t base_of(const host_touch& t) { return t.from / kPageBytes * kPageBytes; }
  static std::size_t slot_of(const host_touch& t) { return (t.from / kPageBytes ^ t.pc ^ t.pc >> 9) % kPages; }
  static std::size_t word_of(const host_touch& t) { return t.from % kPageBytes / 64; }
  static bool is_within_a_word(const host_touch& t) { return t.to > t.from && t.from % 64 + (t.to - t.from) <= 64; }
  static std::uint64_t bits_of(const host_touch& t) {
    return ~std::uint64_t{0} >> (64 - (t.to - t.from)) << t.from % 64;
  }

  std::unique_ptr<page[]> pages_ = std::make_unique<page[]>(kPages);
};

}  // namespace simt::sim
