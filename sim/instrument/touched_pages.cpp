// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/touched_pages.hpp>

#include <algorithm>
#include <bit>

namespace simt::sim {

namespace {

// The bits [from, to) of a word, which are some.
std::uint64_t bits(std::size_t from, std::size_t to) { return ~std::uint64_t{0} >> (64 - (to - from)) << from; }

// Calls f(word, mask) for the words of a page that hold its bytes [from, to).
template <class F>
void each_word(std::size_t from, std::size_t to, F f) {
  while (from < to) {
    const std::size_t word = from / 64, end = std::min(to, (word + 1) * 64);
    f(word, bits(from % 64, end - word * 64));
    from = end;
  }
}

}  // namespace

touched_pages::page* touched_pages::page_of(const host_touch& t) {
  if (slots_.empty()) slots_.resize(kSlots);
  const std::uintptr_t base = t.from / kPageBytes * kPageBytes;
  std::size_t at = ((base / kPageBytes ^ t.pc << 20 ^ std::uintptr_t{t.write} << 60) * 0x9e3779b97f4a7c15ULL) >> 40;
  for (;; ++at) {
    std::uint32_t& slot = slots_[at % kSlots];
    if (slot == 0) {
      if (is_full()) return nullptr;
      pages_.push_back({base, t.pc, t.stream, t.write});
      slot = static_cast<std::uint32_t>(pages_.size());
      return &pages_.back();
    }
    page& p = pages_[slot - 1];
    if (p.base == base && p.is_of(t)) return &p;
  }
}

bool touched_pages::mark(page& p, std::uintptr_t from, std::uintptr_t to) {
  bool any = false;
  each_word(from - p.base, to - p.base, [&](std::size_t word, std::uint64_t mask) {
    any = any || (p.bytes[word] & mask) != mask;
    p.bytes[word] |= mask;
  });
  return any;
}

bool touched_pages::add(const host_touch& t) {
  if (t.to - t.from > kMostBytes) return false;
  last_ = t;
  last_is_new_ = false;
  host_touch part = t;
  while (part.from < t.to) {
    part.to = std::min(t.to, (part.from / kPageBytes + 1) * kPageBytes);
    page* const p = page_of(part);
    if (p == nullptr) return false;
    last_is_new_ = mark(*p, part.from, part.to) || last_is_new_;
    part.from = part.to;
  }
  return true;
}

void touched_pages::drop_last_read(std::uintptr_t address, std::size_t bytes, int stream) {
  const bool is_it = !last_.write && last_.stream == stream && last_.from == address && last_.to == address + bytes;
  if (!is_it || !last_is_new_ || address % kPageBytes + bytes > kPageBytes) return;
  page* const p = page_of(last_);
  if (p == nullptr) return;
  each_word(address - p->base, address - p->base + bytes,
            [&](std::size_t word, std::uint64_t mask) { p->bytes[word] &= ~mask; });
  last_is_new_ = false;
}

void touched_pages::take(std::vector<host_touch>& all) {
  for (const page& p : pages_) {
    const auto is_touched = [&](std::size_t i) { return (p.bytes[i / 64] >> i % 64 & 1) != 0; };
    for (std::size_t i = 0; i < kPageBytes;) {
      const std::uint64_t rest = p.bytes[i / 64] >> i % 64;
      if (rest == 0) {
        i = (i / 64 + 1) * 64;
        continue;
      }
      i += static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t first = i;
      while (i < kPageBytes && is_touched(i)) i += static_cast<std::size_t>(std::countr_one(p.bytes[i / 64] >> i % 64));
      all.push_back({p.base + first, p.base + i, p.pc, p.stream, p.write});
    }
  }
  if (!pages_.empty()) std::ranges::fill(slots_, 0U);
  pages_.clear();
  last_ = {};
  last_is_new_ = false;
}

}  // namespace simt::sim
