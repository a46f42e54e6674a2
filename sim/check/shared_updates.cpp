// SPDX-License-Identifier: Apache-2.0
#include "sim/check/shared_updates.hpp"

#include <algorithm>

namespace simt::check {

void shared_updates::begin(address_range where, std::int64_t barriers) {
  clear();
  base_ = where.base;
  words_ = (where.size + 3) / 4;
  barriers_ = barriers;
}

void shared_updates::clear() {
  arrays_.clear();
  sites_.clear();
  usual_ = {};
  tag_ = 0;
  at_ = log_.data();
  often_.clear();
}

bool shared_updates::meets(std::uintptr_t from, std::uintptr_t to) const {
  return std::ranges::any_of(arrays_, [&](const array& a) { return from < a.from + a.bytes && a.from < to; });
}

void shared_updates::add_array(std::uintptr_t from, std::uintptr_t to, std::uint32_t size, bool written) {
  arrays_.push_back({from, to - from, size, written});
}

bool shared_updates::choose_site(const site& s) {
  usual_ = {};
  const auto is_it = [&](const site& o) { return o.pc == s.pc && o.reach == s.reach && o.size == s.size; };
  const auto at = std::ranges::find_if(sites_, is_it);
  if (at == sites_.end() && sites_.size() == kMostSites) return false;
  tag_ = static_cast<std::uint32_t>(at - sites_.begin()) << (kWordBits + kRankBits);
  if (at == sites_.end()) sites_.push_back(s);
  return true;
}

void shared_updates::make_room() {
  if (log_.size() < kMost) {
    const std::size_t count = log_.size();
    log_.resize(std::max<std::size_t>(1024, 2 * count));
    at_ = log_.data() + count, end_ = log_.data() + log_.size();
    return;
  }
  for (const std::uint32_t e : log_) {
    const std::uint32_t rank = e >> kWordBits & ((1U << kRankBits) - 1);
    const std::size_t at = std::size_t{rank} * words_ + (e & (kMostWords - 1));
    if (at >= often_.size()) often_.resize((std::size_t{rank} + 1) * words_);
    often_[at] = static_cast<std::uint8_t>(1 + (e >> (kWordBits + kRankBits)));
  }
  at_ = log_.data();
}

}  // namespace simt::check
