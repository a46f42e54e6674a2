// SPDX-License-Identifier: Apache-2.0
#include "sim/check/finding_log.hpp"

#include <algorithm>

namespace simt::check {

finding_log::entry finding_log::count(const defect& d) {
  const auto [low, high] = std::minmax(d.pc, d.other_pc);
  key k{d.rule, d.object, low, high};
  if (const auto it = index_.find(k); it != index_.end())
    return it->second == kNone ? entry{} : count(it->second, d.severity);
  if (found_.size() >= most_) {
    if (index_.size() < kMostKnown) index_.emplace(std::move(k), kNone);
    ++dropped_;
    return {};
  }
  index_.emplace(std::move(k), found_.size());
  finding& f = found_.emplace_back();
  f.rule = d.rule;
  f.severity = d.severity;
  f.object = d.object;
  return {found_.size() - 1, true, &f};
}

finding_log::entry finding_log::count(std::size_t index, simt::severity how_bad) {
  finding& f = found_[index];
  ++f.count;
  if (how_bad == severity::error) f.severity = severity::error;
  return {index, false, &f};
}

std::vector<finding> finding_log::all() const {
  std::vector<finding> out;
  out.reserve(found_.size());
  for (const auto& [key, index] : index_) {
    if (index == kNone) continue;
    const finding& f = found_[index];
    if (const auto data = handed_over.find(index); data != handed_over.end() && is_flag(data->second)) continue;
    const std::int64_t confirmed = unconfirmed.confirmed(index);
    if (confirmed >= f.count) continue;
    out.push_back(f);
    if (confirmed == 0) continue;
    out.back().severity = severity::warning;
    out.back().cause = cause::race_unconfirmed;
  }
  return out;
}

}  // namespace simt::check
