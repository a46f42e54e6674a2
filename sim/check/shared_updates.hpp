// SPDX-License-Identifier: Apache-2.0
// Updates of a block's shared memory that are put off (deferred_shared.hpp): relaxed read-modify-writes at a scope that
// holds the block, which race with nothing but plain accesses. Between two barriers it is enough to know which thread
// has updated which word.
//
// Invariants
// 1. Each word that is here has been written before, lies in an array of the block, and is updated by operations of one
//    size. No plain access to its array that is put off in the same interval is beside it: deferred_shared asks
//    meets().
// 2. Nothing is left out: each thread, word and instruction of an interval is in log_, or in `often_` with the
//    instruction that came last.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/check/block_state.hpp"

namespace simt::check {

class shared_updates {
 public:
  static constexpr std::size_t kMostWords = 1U << 16;  // of the shared memory: 256 KiB
  static constexpr std::size_t kMostSites = 64;

  struct site {
    std::uintptr_t pc = 0;
    scope reach = scope::block;
    std::uint32_t size = 0;
  };

  // The interval `barriers` has begun, in this shared memory.
  void begin(address_range where, std::int64_t barriers);
  bool is_of(std::int64_t barriers) const { return !arrays_.empty() && barriers == barriers_; }
  // Is there an update in the arrays that [from, to) lies in?
  bool meets(std::uintptr_t from, std::uintptr_t to) const;
  // An array that is updated from here on.
  void add_array(std::uintptr_t from, std::uintptr_t to, std::uint32_t size, bool written);

  // One more update by the same instruction to the same array, of which all is written, in the same interval: that
  // needs no question. False: it is something else, or there is no room.
  [[gnu::always_inline]] bool add(std::uint32_t rank, std::uintptr_t address, const site& s, std::int64_t barriers) {
    const usual& u = usual_;
    if (address - u.from >= u.bytes || u.of.pc != s.pc || u.of.reach != s.reach || u.of.size != s.size ||
        (address & (s.size - 1)) != 0 || barriers != barriers_ || at_ == end_)
      return false;
    *at_++ = entry_of(rank, address);
    return true;
  }
  // The same for any other. written(): its word is.
  template <class Written>
  bool add_other(std::uint32_t rank, std::uintptr_t address, const site& s, Written written);
  // Calls f(rank, address, site) with all of them.
  template <class F>
  void each(F f);
  void clear();

 private:
  struct array {
    std::uintptr_t from = 0, bytes = 0;
    std::uint32_t size = 0;
    bool written = false;  // all of it
  };
  static constexpr std::size_t kMost = 1U << 16;  // in log_
  static constexpr unsigned kWordBits = 16, kRankBits = 10;
  std::uint32_t entry_of(std::uint32_t rank, std::uintptr_t address) const {
    return tag_ | rank << kWordBits | static_cast<std::uint32_t>((address - base_) / 4);
  }
  void put(std::uint32_t rank, std::uintptr_t address) {
    if (at_ == end_) make_room();
    *at_++ = entry_of(rank, address);
  }
  bool choose_site(const site& s);
  void make_room();

  std::uintptr_t base_ = 0;
  std::size_t words_ = 0;
  std::int64_t barriers_ = -1;
  std::vector<array> arrays_;
  // What add() takes: the last update's array and instruction, if all of the array is written.
  struct usual {
    std::uintptr_t from = 0, bytes = 0;
    site of;
  } usual_;
  std::vector<site> sites_;
  std::uint32_t tag_ = 0;                         // the last one's number, where an entry has it
  std::vector<std::uint32_t> log_;                // site, rank and word
  std::uint32_t *at_ = nullptr, *end_ = nullptr;  // in log_: the next entry's place, and where there is no more
  std::vector<std::uint8_t> often_;               // [rank * words_ + word]: 1 + site, of what log_ had no room for
};

template <class Written>
bool shared_updates::add_other(std::uint32_t rank, std::uintptr_t address, const site& s, Written written) {
  if ((address & (s.size - 1)) != 0 || !choose_site(s)) return false;
  for (const array& a : arrays_) {
    if (address - a.from >= a.bytes) continue;
    if (a.size != s.size || !(a.written || written())) return false;
    usual_ = a.written ? usual{a.from, a.bytes, s} : usual{};
    put(rank, address);
    return true;
  }
  return false;
}

template <class F>
void shared_updates::each(F f) {
  for (const std::uint32_t* i = log_.data(); i != at_; ++i) {
    const std::uint32_t e = *i;
    f(e >> kWordBits & ((1U << kRankBits) - 1), base_ + (e & (kMostWords - 1)) * 4,
      sites_[e >> (kWordBits + kRankBits)]);
  }
  for (std::size_t i = 0; i < often_.size(); ++i)
    if (often_[i] != 0) f(static_cast<std::uint32_t>(i / words_), base_ + i % words_ * 4, sites_[often_[i] - 1U]);
}

// The update, as it is recorded where it is not put off.
void update_of_shared(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc);

}  // namespace simt::check
