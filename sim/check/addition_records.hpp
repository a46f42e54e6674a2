// SPDX-License-Identifier: Apache-2.0
// Entries of the log of additions (addition_log.hpp) that become records of a slow cell. Internal to sim/check.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/check/addition_log.hpp"
#include "sim/check/slow_cells.hpp"

namespace simt::check {

// The additions that e is about to keep are of launch `agent`.
inline void begin_additions(slow_cell& e, std::uint32_t agent) {
  additions& a = e.added;
  if (a.agent == agent) return;
  if (a.newest != 0) e.others.add_unknown(a.newest);
  a.agent = agent;
  a.newest = 0;
}

struct recorded_chain {
  std::uint32_t first;  // its oldest entry
  epoch newest;
};

// Appends what the chain that ends at entry `last` says, as records like `like`, but for what is older than `horizon`.
// Those of one epoch are one record where they lie close together; records from `alike_from` on are alike.
inline recorded_chain records_of_chain(const addition_log& log, std::uint32_t last, epoch horizon,
                                       const access_record& like, std::size_t alike_from,
                                       std::vector<access_record>& records) {
  constexpr std::size_t kLooked = 8;
  recorded_chain chain{last, 0};
  for (std::uint32_t i = last; i != 0; i = log[i].before) {
    chain.first = i;
    const epoch when = epoch_of(log[i].access);
    if (when < horizon) continue;
    chain.newest = std::max(chain.newest, when);
    const std::size_t end = records.size(), from = std::max(alike_from, end > kLooked ? end - kLooked : 0);
    std::size_t k = end;
    while (k > from && records[k - 1].when != when) --k;
    if (k > from)
      records[k - 1].add(who_of(log[i].access));
    else
      records.push_back(
          {when, like.kind, like.scope, like.mask, like.start, like.size, who_of(log[i].access), nullptr});
  }
  return chain;
}

}  // namespace simt::check
