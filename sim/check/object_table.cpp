// SPDX-License-Identifier: Apache-2.0
#include "sim/check/object_table.hpp"

#include <algorithm>

namespace simt::check {

void add_range(std::map<std::uintptr_t, std::uintptr_t>& ranges, std::uintptr_t from, std::uintptr_t to) {
  if (from >= to) return;
  auto it = ranges.upper_bound(from);
  if (it != ranges.begin() && std::prev(it)->second >= from) {
    --it;
    from = it->first;
    to = std::max(to, it->second);
    it = ranges.erase(it);
  }
  while (it != ranges.end() && it->first <= to) {
    to = std::max(to, it->second);
    it = ranges.erase(it);
  }
  ranges.emplace(from, to);
}

void remove_range(std::map<std::uintptr_t, std::uintptr_t>& ranges, std::uintptr_t from, std::uintptr_t to) {
  auto it = ranges.upper_bound(from);
  if (it != ranges.begin()) --it;
  while (it != ranges.end() && it->first < to) {
    const auto [a, b] = *it;
    if (b <= from) {
      ++it;
      continue;
    }
    it = ranges.erase(it);
    if (a < from) ranges.emplace(a, from);
    if (b > to) it = ranges.emplace(to, b).first;
  }
}

object_record* object_table::nearest(std::uintptr_t address) {
  auto it = objects_.upper_bound(address);
  object_record* below = it == objects_.begin() ? nullptr : &std::prev(it)->second;
  object_record* above = it == objects_.end() ? nullptr : &it->second;
  if (!below || !above) return below ? below : above;
  const std::uintptr_t end = below->end();
  const std::uintptr_t past = address < end ? 0 : address - end;
  return means_the_one_below(past, above->what.address - address) ? below : above;
}

object_record* object_table::find(std::uintptr_t address) {
  auto it = objects_.upper_bound(address);
  if (it == objects_.begin()) return nullptr;
  object_record& o = std::prev(it)->second;
  return address - o.what.address < o.what.size ? &o : nullptr;
}

std::uint8_t object_table::initial_mask(const object_record& o, std::uintptr_t granule) const {
  auto it = o.initial.upper_bound(granule + 3);
  std::uint8_t mask = 0;
  while (it != o.initial.begin()) {
    --it;
    if (it->second <= granule) break;
    for (std::uintptr_t i = 0; i < 4; ++i)
      if (granule + i >= it->first && granule + i < it->second) mask |= static_cast<std::uint8_t>(1 << i);
  }
  return mask;
}

memory_state object_table::look_up(block_state& b, std::uintptr_t granule) {
  memory_state m;
  const object_record* o = b.last_version == version ? b.last_object : nullptr;
  if (!o || granule - o->what.address >= o->what.size) o = find(granule);
  if (!o) return m;
  b.last_object = o;
  b.last_version = version;
  m.object = o;
  if (!o->live) return m;
  const std::uintptr_t left = o->end() - granule;
  m.valid = left >= 4 ? 0xf : static_cast<std::uint8_t>((1 << left) - 1);
  m.initialised = initial_mask(*o, granule) & m.valid;
  return m;
}

const block_state::uniform_region* object_table::find_uniform(block_state& b, std::uintptr_t granule, epoch horizon,
                                                              bool uninit) {
  const auto up = [](std::uintptr_t a) { return (a + 3) & ~std::uintptr_t{3}; };
  const auto down = [](std::uintptr_t a) { return a & ~std::uintptr_t{3}; };
  object_record* const o = find(granule);
  if (!o || !o->live) return nullptr;
  std::uintptr_t from = o->what.address, to = down(o->end());
  shadow_word writer = uninit ? 0 : kAncient;
  const auto above = o->initial.upper_bound(granule);
  if (above != o->initial.end()) to = std::min(to, down(above->first));
  if (above != o->initial.begin()) {
    const auto [first, last] = *std::prev(above);
    if (granule < last) {
      from = std::max(from, up(first));
      to = std::min(down(o->end()), down(last));
      writer = kAncient;
    } else {
      from = std::max(from, up(last));
    }
  }
  for (const range_write& x : o->writes) {
    if (x.when < horizon || x.from >= to || x.to <= from) continue;
    if (x.from <= granule && x.to >= granule + 4) {
      if (writer == 0) return nullptr;  // it copied what was not initialised
      from = std::max(from, up(x.from));
      to = std::min(to, down(x.to));
      writer = make_shadow_word(x.when, 0);  // replaces the ones before it
    } else if (x.from >= granule + 4) {
      to = std::min(to, down(x.from));
    } else if (x.to <= granule) {
      from = std::max(from, up(x.to));
    } else {
      return nullptr;  // a part of this cell
    }
  }
  if (granule < from || granule + 4 > to) return nullptr;
  set_once(o->touched);
  auto& r = b.regions[b.next_region++ % b.regions.size()];
  r = {from, to - from, writer, version, o};
  return &r;
}

object_record* object_table::starts_at(std::uintptr_t address) {
  const auto it = objects_.find(address);
  return it == objects_.end() ? nullptr : &it->second;
}

void object_table::add(allocation a, bool initialised) {
  const std::uintptr_t from = a.address, to = a.address + a.size;
  ++version;
  auto it = objects_.lower_bound(from);
  if (it != objects_.begin() && std::prev(it)->second.end() > from) --it;
  while (it != objects_.end() && it->first < to) it = objects_.erase(it);
  object_record& o = objects_[from];
  if (initialised) o.initial.emplace(from, to);
  o.what = std::move(a);
}

}  // namespace simt::check
