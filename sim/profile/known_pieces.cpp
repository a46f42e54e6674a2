// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/known_pieces.hpp"

#include <map>
#include <numeric>

namespace simt::profile {

bool known_pieces::is_like(const piece& p) const {
  if (p.steps.size() != steps_.size()) return false;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const told_step &now = steps_[i], &then = p.steps[i];
    const step &a = now.did, &b = then.did;
    if (a.site != b.site || a.what != b.what || a.size != b.size || a.stride != b.stride || now.first != then.first ||
        now.count != then.count || now.width != then.width || now.row_stride != then.row_stride)
      return false;
    if (a.what >= operation::marker) {
      if (a.address != b.address) return false;
      continue;
    }
    const std::size_t like = p.moves_with[i];
    const std::uintptr_t moved = a.address - b.address;
    if (moved != 0 && is_global_update(a.what)) return false;
    if (moved % kUnit != 0 || moved != steps_[like].did.address - p.steps[like].did.address) return false;
  }
  return true;
}

const piece_counts* known_pieces::find() {
  const auto [from, to] = pieces_.equal_range(hash_);
  for (auto at = from; at != to; ++at)
    if (is_like(at->second)) {
      ++found_;
      return &at->second.counts;
    }
  constexpr std::uint64_t kTries = 256;
  if (++missed_ > kTries + found_) rests_ = true;
  return nullptr;
}

void known_pieces::learn(const std::vector<std::pair<std::uint16_t, std::uint16_t>>& together, piece_counts counts) {
  if (kept_ + steps_.size() > kMostKept) return;
  std::vector<std::uint16_t> with(steps_.size());
  std::iota(with.begin(), with.end(), std::uint16_t{0});
  const auto first_of = [&](std::uint16_t i) {
    while (with[i] != i) i = with[i] = with[with[i]];
    return i;
  };
  const auto bind = [&](std::uint16_t a, std::uint16_t b) {
    a = first_of(a), b = first_of(b);
    with[std::max(a, b)] = std::min(a, b);
  };
  std::map<place, std::uint16_t> instructions;
  for (std::uint16_t i = 0; i < steps_.size(); ++i) {
    const step& s = steps_[i].did;
    if (s.what < operation::marker) bind(instructions.try_emplace({s.site, s.what}, i).first->second, i);
  }
  for (const auto& [a, b] : together) bind(a, b);
  for (std::uint16_t i = 0; i < steps_.size(); ++i) with[i] = first_of(i);
  kept_ += steps_.size();
  pieces_.emplace(hash_, piece{steps_, std::move(with), std::move(counts)});
}

}  // namespace simt::profile
