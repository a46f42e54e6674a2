// SPDX-License-Identifier: Apache-2.0
// All that was counted, by name, so that two ways of counting can be held against each other.
#pragma once

#include <array>
#include <map>
#include <string>

#include "sim/profile/site_table.hpp"

using counted_numbers = std::map<std::string, std::array<std::uint64_t, 8>>;

inline counted_numbers all_numbers(const simt::profile::site_table& sites, const simt::profile::run_table& runs) {
  using namespace simt::profile;
  const auto of = [](const tally& t) {
    const sample& worst = t.worst;
    return std::array<std::uint64_t, 8>{
        t.executions, t.lanes, t.cost, t.other, t.bytes, worst.cost, worst.access.mask, worst.access.address[0]};
  };
  counted_numbers out;
  sites.each([&](const place& p, const tally& t) {
    out[std::to_string(p.site) + "/" + std::to_string(static_cast<int>(p.what))] = of(t);
  });
  for (const auto& [key, t] : runs) {
    std::string name = "run";
    for (std::uint32_t i = 0; i < key.pieces; ++i) name += " " + std::to_string(key.sites[i]);
    out[name] = of(t.whole);
    for (std::uint32_t i = 0; i < key.pieces; ++i) out[name + " apart " + std::to_string(i)] = of(t.apart[i]);
  }
  return out;
}
