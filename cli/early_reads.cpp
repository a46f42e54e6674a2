// SPDX-License-Identifier: Apache-2.0
#include "early_reads.hpp"

#include <algorithm>
#include <cstddef>
#include <random>

#include "shortest_order.hpp"

namespace simt::cli {
namespace {

constexpr std::size_t kMostLoads = 64;  // that are looked at for one that has a store behind it

bool stores(const explored_step& s) { return s.did.kind == step_kind::write || s.did.kind == step_kind::update; }

// Stores of others that the load might read. None, if its own thread stores nothing behind it: then the store could as
// well come first.
std::vector<std::size_t> stores_behind(const std::vector<explored_step>& trail, std::size_t load) {
  const step_choice& l = trail[load].did;
  std::vector<std::size_t> out;
  bool goes_on_to_store = false;
  for (std::size_t i = load + 1; i < trail.size(); ++i) {
    const step_choice& s = trail[i].did;
    if (s.thread == l.thread)
      goes_on_to_store = goes_on_to_store || stores(trail[i]);
    else if (s.kind == step_kind::write && s.place == l.place && s.places == l.places)
      out.push_back(i);
  }
  return goes_on_to_store ? out : std::vector<std::size_t>{};
}

}  // namespace

std::vector<schedule_switch> with_early_read(std::vector<explored_step> trail, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> loads;
  for (std::size_t i = 0; i < trail.size(); ++i)
    if (trail[i].did.kind == step_kind::read && trail[i].did.source != 0 && trail[i].did.older == 0) loads.push_back(i);
  std::ranges::shuffle(loads, random);
  if (loads.size() > kMostLoads) loads.resize(kMostLoads);
  for (const std::size_t load : loads) {
    const std::vector<std::size_t> behind = stores_behind(trail, load);
    if (behind.empty()) continue;
    const explored_step store = trail[behind[random() % behind.size()]];
    trail.resize(load + 1);
    trail.back().later = {store.did.thread, store.value, store.scope};
    return switches_of(trail);
  }
  return {};
}

}  // namespace simt::cli
