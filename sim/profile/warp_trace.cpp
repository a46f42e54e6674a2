// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/warp_trace.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace simt::profile {

warp_trace::strand& warp_trace::fresh(std::uint32_t first, std::uint32_t count) {
  if (used_ == strands_.size()) strands_.emplace_back();
  strand& s = strands_[used_++];
  s.first = first;
  s.count = count;
  s.steps.clear();
  return s;
}

std::size_t warp_trace::holding(std::uint32_t lane) const {
  for (std::size_t i = 0; i < used_; ++i)
    if (lane - strands_[i].first < strands_[i].count) return i;
  return used_;
}

// The strand at `index` in two: lanes before `lane`, which stay there, and the others.
void warp_trace::split(std::size_t index, std::uint32_t lane) {
  const std::uint32_t first = strands_[index].first, end = first + strands_[index].count;
  strand& rest = fresh(lane, end - lane);
  strand& s = strands_[index];
  s.count = lane - first;
  rest.steps = s.steps;
  for (step& t : rest.steps) t.address += static_cast<std::uintptr_t>(t.stride * static_cast<std::intptr_t>(s.count));
  steps_ += rest.steps.size();
}

void warp_trace::add(std::uint32_t first, std::uint32_t count, const step& s) {
  if (last_ < used_ && strands_[last_].first == first && strands_[last_].count == count) {
    strands_[last_].steps.push_back(s);
    ++steps_;
    return;
  }
  const std::uint32_t end = first + count;
  for (std::uint32_t at = first; at < end;) {
    std::size_t i = holding(at);
    if (i == used_) {  // lanes that have done nothing yet
      std::uint32_t stop = at + 1;
      while (stop < end && holding(stop) == used_) ++stop;
      fresh(at, stop - at);
    } else {
      if (strands_[i].first < at) {
        split(i, at);
        i = used_ - 1;
      }
      if (strands_[i].first + strands_[i].count > end) split(i, end);
    }
    step part = s;
    part.address += static_cast<std::uintptr_t>(s.stride * static_cast<std::intptr_t>(at - first));
    strands_[i].steps.push_back(part);
    ++steps_;
    last_ = i;
    at = strands_[i].first + strands_[i].count;
  }
}

bool warp_trace::same_steps(const std::vector<cursor>& all) {
  const std::vector<step>& first = all.front().of->steps;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::vector<step>& other = all[i].of->steps;
    if (!std::equal(first.begin(), first.end(), other.begin(), other.end(), is_same)) return false;
  }
  return true;
}

warp_trace::short_loop warp_trace::loop_at(const strand& s, std::size_t at) {
  const auto find = [&](std::size_t from, operation what) {
    while (s.steps[from].what != what) ++from;
    return from;
  };
  const std::size_t second = find(at + 1, operation::second_turn), end = find(second, operation::loop_ends);
  const std::size_t length = second - at - 1;
  return {at + 1, length, end + 1, end - second == length};
}

step warp_trace::step_of_turn(const strand& s, const short_loop& l, std::size_t k, std::uint64_t turn) {
  step now = s.steps[l.first + k];
  if (turn == 0 || k == 0 || !l.moves) return now;  // the marker comes first, and has no second
  const step& second = s.steps[l.first + l.length + k];
  now.address += turn * (second.address - now.address);
  now.stride += static_cast<std::intptr_t>(turn) * (second.stride - now.stride);
  return now;
}

// A cost depends on how lanes lie to each other and on where they lie in a sector, or in a bank's word. The first stays
// where all lanes move alike. Neighbouring accesses may be one instruction, which its address decides as well.
std::uint64_t warp_trace::period(const std::vector<cursor>& all, const short_loop& l) {
  if (!l.moves) return 1;
  const strand& one = *all.front().of;
  const auto first = [&](const strand& s, std::size_t k) -> const step& { return s.steps[l.first + k]; };
  const auto second = [&](const strand& s, std::size_t k) -> const step& { return s.steps[l.first + l.length + k]; };
  const auto moves = [&](const strand& s, std::size_t k) { return second(s, k).address - first(s, k).address; };
  std::uint64_t longest = 1;
  bool joined = false;  // this access may be one instruction with the one before
  for (std::size_t k = 1; k < l.length; ++k) {
    const step& s = first(one, k);
    for (const cursor& c : all)
      if (moves(*c.of, k) != moves(one, k) || second(*c.of, k).stride != first(*c.of, k).stride) return 0;
    bool joins = k + 1 < l.length && may_join(s, first(one, k + 1));
    if (joins && moves(one, k) != moves(one, k + 1)) {
      // Some turn may have them side by side, unless lanes differ in how far they are apart.
      const std::uintptr_t apart = first(one, k + 1).address - s.address;
      const bool alike = std::ranges::all_of(all, [&](const cursor& c) {
        const step &a = first(*c.of, k), &b = first(*c.of, k + 1);
        return b.address - a.address == apart && (a.stride == b.stride || c.of->count == 1);
      });
      if (alike) return 0;
      joins = false;
    }
    const bool in_words = s.what >= operation::shared_load && s.what <= operation::shared_atomic && !joins && !joined;
    const std::uint64_t within = in_words ? kBankBytes : kSectorBytes;
    longest = std::max(longest, within / std::gcd(within, static_cast<std::uint64_t>(moves(one, k))));
    joined = joins;
  }
  return longest;
}

void warp_trace::append(warp_access& a, const strand& s, const step& at) {
  a.mask |= s.mask();
  std::uintptr_t address = at.address;
  for (std::uint32_t lane = s.first; lane < s.first + s.count; ++lane) {
    a.address[lane] = address;
    address += static_cast<std::uintptr_t>(at.stride);
  }
}

bool warp_trace::comes_before(const cursor& a, const cursor& b) {
  const auto key = [](const cursor& c) {
    const step& s = c.next();
    return std::tuple(c.order(), s.what != operation::marker, s.site, s.what);
  };
  return key(a) < key(b);
}

}  // namespace simt::profile
