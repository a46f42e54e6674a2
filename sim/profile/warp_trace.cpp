// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/warp_trace.hpp"

#include <algorithm>
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
