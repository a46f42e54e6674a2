// SPDX-License-Identifier: Apache-2.0
#include "sim/check/block_state.hpp"

#include "sim/check/deferred_shared.hpp"

namespace simt::check {

void block_state::make_threads(std::size_t count) {
  if (all.size() >= count) return;
  all.resize(count);
  clocks.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].block = this;
    all[i].rank = static_cast<std::uint32_t>(i);
    all[i].who = make_shadow_word(0, all[i].rank);
    all[i].clocks = &clocks[i];
  }
}

bool in_shared_array(const block_state& b, std::uintptr_t address) {
  constexpr std::size_t kLargestFlag = 8;
  if (address - b.shared.base >= b.shared.size) return false;
  for (const shared_object& a : b.arrays)
    if (address - a.address < a.size) return a.size > kLargestFlag;
  return false;
}

void block_state::begin_at(epoch now) { first_epoch = base = quiet_from = now; }

void block_state::new_base(epoch now) {
  base = quiet_from = now;
  shared_floor = foreign_shared ? 0 : now;
  ++barriers;
}

clock_pair block_state::known() const {
  clock_pair together;
  for (int i = 0; i < threads; ++i) together.join_with(all[static_cast<std::size_t>(i)].clocks->known);
  return together;
}

void block_state::know(const clock_pair& c) {
  for (int i = 0; i < threads; ++i) all[static_cast<std::size_t>(i)].clocks->known = c;
  knows = dirty = true;
}

void block_state::share() {
  if (deferred == &deferred_shared::of_this_thread()) deferred->close();  // else its own thread will
  foreign_shared = true;
  shared_floor = 0;
}

void block_state::reset() {
  owner = this;
  threads = 1;
  foreign_shared = knows = dirty = has_unjudged_write = lanes_used = barrier_learns = false;
  barriers = 0;
  last_grid_barrier = 0;
  for (clock_pair& f : fenced)
    if (f) f = {};
  meets_by_number = false;
  named.clear();
  told_copies = {};
  fencers.clear();
  has_seen = false;
  for (vector_clock& s : seen)
    if (s) s = {};
  asked = {};
  uses_volatile = has_told = false;
  if (told || told.kept || !told.flags.empty()) told = {};
  told_at = 0;
  shared = {};
  arrays.clear();
  last_object = nullptr;
  own = {};
  ahead.begin(1);
  device_floor = 0;
  array = {};
  quick_shared = 0;
  deferred = nullptr;
  shared_floor = grid_base = 0;
}

}  // namespace simt::check
