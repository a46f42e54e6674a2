// SPDX-License-Identifier: Apache-2.0
// Long because: it is one class, whose parts share its private types.
#include <sim/exec/scheduler/weak_memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include <sim/exec/launch.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {

constexpr std::size_t kMostStores = 16;   // kept of a location
constexpr int kMostOverlooked = 2;        // loads at one line of a store that is not the newest: a spin ends
constexpr std::uint64_t kFirstStore = 1;  // what memory held before

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ULL;
  a ^= a >> 29;
  a *= 0xBF58476D1CE4E5B9ULL;
  return a ^ (a >> 32);
}

std::uint64_t value_at(std::uintptr_t address, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
  return value;
}

bool is_watched(std::uintptr_t address) { return device_range().contains(address) || shared_range().contains(address); }

}  // namespace

// ---- views ----

std::uint64_t weak_memory::view::at(std::uint32_t location) const {
  if (!entries_) return 0;
  const auto e = std::ranges::lower_bound(*entries_, location, {}, &entries::value_type::first);
  return e != entries_->end() && e->first == location ? e->second : 0;
}

void weak_memory::view::raise(std::uint32_t location, std::uint64_t position) {
  if (at(location) >= position) return;
  if (!entries_ || entries_.use_count() > 1)
    entries_ = entries_ ? std::make_shared<entries>(*entries_) : std::make_shared<entries>();
  const auto e = std::ranges::lower_bound(*entries_, location, {}, &entries::value_type::first);
  if (e != entries_->end() && e->first == location)
    e->second = position;
  else
    entries_->insert(e, {location, position});
}

void weak_memory::view::join(const view& other) {
  if (!other.entries_ || other.entries_ == entries_) return;
  if (!entries_) {
    entries_ = other.entries_;
    return;
  }
  auto all = std::make_shared<entries>();
  auto a = entries_->begin();
  auto b = other.entries_->begin();
  while (a != entries_->end() || b != other.entries_->end()) {
    if (b == other.entries_->end() || (a != entries_->end() && a->first < b->first)) {
      all->push_back(*a++);
    } else if (a == entries_->end() || b->first < a->first) {
      all->push_back(*b++);
    } else {
      all->emplace_back(a->first, std::max(a->second, b->second));
      ++a, ++b;
    }
  }
  entries_ = std::move(all);
}

// ---- who reaches whom ----

bool weak_memory::reaches(scope s, const who& from, const who& to) {
  if (from.thread == to.thread) return true;
  if (s == scope::block) return from.block == to.block;
  if (s == scope::cluster) return from.cluster == to.cluster;
  return s >= scope::device;
}

bool weak_memory::strong_together(scope a, const who& by, scope b, const who& with) {
  return reaches(a, by, with) && reaches(b, with, by);
}

weak_memory::who weak_memory::name_of(std::int64_t block, std::int32_t rank) const {
  const launch_state& l = *launch_;
  who out{block * threads_of_block_ + rank, block, block};
  if (l.cluster.volume() > 1) {
    const std::int64_t x = block % l.grid.x, y = block / l.grid.x % l.grid.y, z = block / (l.grid.x * l.grid.y);
    const std::int64_t in_x = l.grid.x / l.cluster.x, in_y = l.grid.y / l.cluster.y;
    out.cluster = x / l.cluster.x + in_x * (y / l.cluster.y + in_y * (z / l.cluster.z));
  }
  return out;
}

// ---- locations ----

weak_memory::weak_memory(bool draws, std::uint64_t seed) : draws_(draws), state_(seed * 0x9E3779B97F4A7C15ULL + 5) {}
weak_memory::~weak_memory() = default;

void weak_memory::launch_begins(const launch_state& l) {
  launch_ = &l;
  threads_of_block_ = l.threads;
  locations_.clear();
  threads_.clear();
  fences_.clear();
  last_fence_ = kNoFence;
  next_location_ = 0;
  chosen_ = 0;
  accesses_ = 0;
  placed_earlier_ = false;
  promises_.clear();
  chosen_later_ = {};
  choices_.clear();
  pending_ = {};
}

bool weak_memory::is_simple(const pending_access& what) {
  const std::size_t n = what.bytes;
  return (n == 1 || n == 2 || n == 4 || n == 8) && what.address % n == 0;
}

// Null where nobody was there with that size, or somebody has stored unseen.
weak_memory::location* weak_memory::find(std::uintptr_t address, std::size_t bytes) {
  const auto all = locations_.find(address / 8);
  if (all == locations_.end()) return nullptr;
  for (location& x : all->second)
    if (x.address == address && x.bytes == bytes)
      return x.stores.back().value == value_at(address, bytes) ? &x : nullptr;
  return nullptr;
}

weak_memory::location& weak_memory::locate(std::uintptr_t address, std::size_t bytes) {
  if (location* const x = find(address, bytes)) return *x;
  std::vector<location>& all = locations_[address / 8];
  // Of another size: what was released there goes on, and reaches whoever reads.
  store now{.id = kFirstStore, .value = value_at(address, bytes), .by = {}, .strong = true, .heads = {}};
  bool first = true;
  std::erase_if(all, [&](const location& x) {
    if (x.address >= address + bytes || address >= x.address + x.bytes) return false;
    const store& last = x.stores.back();
    now.id = mixed(mixed(now.id, last.id), x.bytes == bytes ? now.value : x.bytes);
    now.heads.insert(now.heads.end(), last.heads.begin(), last.heads.end());
    first = false;
    return true;
  });
  if (first) now.strong = false;
  location& x = all.emplace_back();
  x.id = next_location_++;
  x.bytes = static_cast<std::uint32_t>(bytes);
  x.address = address;
  x.stores.push_back(std::move(now));
  return x;
}

void weak_memory::forget(std::uintptr_t address, std::size_t bytes) {
  for (std::uintptr_t granule = address / 8; granule <= (address + bytes - 1) / 8; ++granule) {
    const auto all = locations_.find(granule);
    if (all == locations_.end()) continue;
    std::erase_if(all->second,
                  [&](const location& x) { return x.address < address + bytes && address < x.address + x.bytes; });
  }
}

// ---- what threads do ----

void weak_memory::begin(const device_thread& t, std::uintptr_t pc, const pending_access& what) {
  settle();
  std::uint32_t older = std::exchange(chosen_, 0);
  store_to_come later = std::exchange(chosen_later_, {});
  const std::int64_t step = std::exchange(next_step_, -1);
  const who by = name_of(t.block->index, t.rank);
  if (what.what == kind::fence) return fence(by, what.ordered, what.reach);
  if (what.what == kind::none || what.bytes == 0 || !is_watched(what.address)) return;
  if (what.ordered == order::seq_cst) fence(by, order::seq_cst, what.reach);
  pending_.open = true;
  pending_.simple = is_simple(what);
  pending_.by = by;
  pending_.what = what;
  pending_.step = step;
  if (what.what == kind::update && step >= 0 && pending_.simple) pending_.before = value_at(what.address, what.bytes);
  if (!pending_.simple) return;
  if (what.what != kind::update) {
    const std::uint64_t access = accesses_++;
    if (plays_back_) {
      const auto chosen = played_back_.find(access);
      older = chosen == played_back_.end() ? 0 : chosen->second;
      const auto early = played_back_early_.find(access);
      later = early == played_back_early_.end() ? store_to_come{} : early->second;
    }
    if (later && what.what == kind::read)
      choices_ +=
          fmt::format("{}{}={}/{}/{}", choices_.empty() ? "" : " ", access, later.thread, later.value, later.scope);
    const bool draws = draws_ && !plays_back_ && older == 0;
    const std::vector<std::uint32_t> all = older > 0 || draws ? offers(t, pc, what) : std::vector<std::uint32_t>{};
    if (draws && !all.empty() && number() % 2 == 0) older = all[number() % all.size()];
    if (older > 0 && std::ranges::count(all, older) == 0) older = 0;  // played back in a program that has changed
    if (older > 0) choices_ += (choices_.empty() ? "" : " ") + std::to_string(access) + ":" + std::to_string(older);
  }
  location& x = locate(what.address, what.bytes);
  pending_.older = older;
  if (later && what.what == kind::read) {
    pending_.later = later;
    std::memcpy(reinterpret_cast<void*>(what.address), &later.value, what.bytes);
    pending_.older_in_memory = true;
  }
  if (older == 0) return;
  ++threads_[by.thread].overlooked[{pc, overlooked_store(x, what, older).id}];
  if (what.what == kind::write) return;
  std::memcpy(reinterpret_cast<void*>(what.address), &x.behind(older).value, what.bytes);
  pending_.older_in_memory = true;
}

// What a loop would overlook again and again: it reads that one though it is not the newest, or goes before it.
const weak_memory::store& weak_memory::overlooked_store(const location& x, const pending_access& what,
                                                        std::uint32_t older) {
  return what.what == kind::read ? x.behind(older) : x.newest();
}

void weak_memory::settle() {
  if (pending_.open) finish(pending_.what.what != kind::read, pending_.what.ordered);
}

void weak_memory::finish(bool wrote, order o) {
  const auto p = std::exchange(pending_, {});
  const pending_access& what = p.what;
  if (!p.later) note_value(what, p.step, p.before);
  if (!p.simple) {
    if (wrote) forget(what.address, what.bytes);
    return;
  }
  thread_state& me = threads_[p.by.thread];
  const auto all = locations_.find(what.address / 8);
  if (all == locations_.end()) return;
  const auto at = std::ranges::find_if(
      all->second, [&](const location& x) { return x.address == what.address && x.bytes == what.bytes; });
  if (at == all->second.end()) return;
  location& x = *at;
  if (p.older_in_memory) std::memcpy(reinterpret_cast<void*>(what.address), &x.stores.back().value, what.bytes);
  const bool strong = what.ordered != order::weak;
  std::vector<head> passed_on;
  if (p.later) note_value(what, p.step, 0);
  if (p.later) return read_early(x, me, p.later, p.by, what);
  if (what.what != kind::write) {
    if (!promises_.empty() && x.behind(p.older).position < me.seen.at(x.id)) unkept_ = true;
    const store s = x.behind(p.older);
    const bool observes = strong && s.strong && (s.by.thread < 0 || strong_together(s.reach, s.by, what.reach, p.by));
    if (observes) {
      me.seen.raise(x.id, s.position);
      for (const head& h : s.heads) me.observed.push_back({x.id, what.what == kind::update, what.reach, h});
      passed_on = s.heads;
    }
    if (strong && acquires(o)) {
      acquires_early(p.by.thread, what.reach, &x);
      for (const unacquired& u : me.observed)
        if (u.location == x.id) acquire(me, p.by, u.from, what.reach);
      std::erase_if(me.observed, [&](const unacquired& u) {
        return u.location == x.id && strong_together(u.from.reach, u.from.by, what.reach, p.by);
      });
    }
  }
  if (!wrote) return;
  store s;
  s.id = mixed(mixed(static_cast<std::uint64_t>(p.by.thread) + 3, 0), ++me.stores);
  s.value = value_at(what.address, what.bytes);
  s.by = p.by;
  s.by_update = what.what == kind::update;
  promise* const kept = what.what == kind::write ? promise_of(x.id, p.by.thread) : nullptr;
  const bool keeps = kept != nullptr && kept->what.value == s.value;
  if (keeps)
    s.position = kept->position;
  else if (p.older == 0)
    s.position = place_on_top(x, s, kept);
  else
    s.position = between(x.behind(p.older).position, x.behind(p.older - 1).position);
  s.strong = strong;
  s.reach = what.reach;
  if (strong) {
    s.heads = std::move(passed_on);
    s.heads.insert(s.heads.end(), me.fenced.begin(), me.fenced.end());
    std::vector<head>& own = me.released[x.id];
    if (releases(o)) {
      std::erase_if(own, [&](const head& h) { return h.reach == what.reach; });
      own.push_back({p.by, what.reach, me.seen});
    }
    s.heads.insert(s.heads.end(), own.begin(), own.end());
  }
  if (keeps) {
    keep(*kept, s, me);
    promises_.erase(promises_.begin() + (kept - promises_.data()));
  } else if (!promises_.empty() && s.position <= me.seen.at(x.id)) {
    unkept_ = true;
  }
  me.seen.raise(x.id, s.position);
  const auto place = std::ranges::upper_bound(x.stores, s.position, {}, &store::position);
  const bool is_newest = place == x.stores.end();
  x.stores.insert(place, std::move(s));
  if (!is_newest) {
    placed_earlier_ = true;
    std::memcpy(reinterpret_cast<void*>(what.address), &x.newest().value, what.bytes);
  }
  if (x.stores.size() > kMostStores) x.stores.erase(x.stores.begin());
}

std::uint64_t weak_memory::between(std::uint64_t a, std::uint64_t b) { return a + (b - a) / 2; }

void weak_memory::acquire(thread_state& me, const who& t, const head& h, scope s) {
  if (strong_together(h.reach, h.by, s, t)) me.seen.join(h.seen);
}

void weak_memory::fence(const who& t, order o, scope s) {
  thread_state& me = threads_[t.thread];
  const auto each_level = [&](auto f) {
    if (s >= scope::block) f(fences_[{scope::block, t.block}]);
    if (s >= scope::cluster) f(fences_[{scope::cluster, t.cluster}]);
    if (s >= scope::device) f(fences_[{scope::device, 0}]);
  };
  if (acquires(o)) {
    acquires_early(t.thread, s, nullptr);
    for (const unacquired& u : me.observed) acquire(me, t, u.from, s);
    std::erase_if(me.observed, [&](const unacquired& u) { return strong_together(u.from.reach, u.from.by, s, t); });
  }
  if (o == order::seq_cst) {
    each_level([&](const view& v) { me.seen.join(v); });
    last_fence_ = mixed(mixed(static_cast<std::uint64_t>(t.thread) + 3, 1), ++me.fences);
  }
  if (releases(o)) {
    std::erase_if(me.fenced, [&](const head& h) { return h.reach == s; });
    me.fenced.push_back({t, s, me.seen});
  }
  if (o == order::seq_cst) each_level([&](view& v) { v.join(me.seen); });
}

// A barrier is also a fence within the block. What an update at a wider scope has observed counts as acquired there:
// the first thread of a block asks for all, as the race detector has it (docs/race_model.md).
void weak_memory::meet(std::span<const who> threads) {
  settle();
  view all;
  for (const who& t : threads) {
    thread_state& me = threads_[t.thread];
    acquires_early(t.thread, scope::block, nullptr);
    for (const unacquired& u : me.observed) acquire(me, t, u.from, u.by_update ? u.reach : scope::block);
    all.join(me.seen);
  }
  for (const who& t : threads) threads_[t.thread].seen = all;
}

void weak_memory::met(const block_context& b) {
  std::vector<who> all;
  for (std::int32_t i = 0; i < b.threads; ++i) all.push_back(name_of(b.index, i));
  meet(all);
}

void weak_memory::met(const block_context& b, std::span<const std::int32_t> ranks) {
  std::vector<who> all;
  for (const std::int32_t rank : ranks) all.push_back(name_of(b.index, rank));
  meet(all);
}

void weak_memory::met(std::span<block_context* const> blocks) {
  std::vector<who> all;
  for (const block_context* const b : blocks)
    for (std::int32_t i = 0; i < b->threads; ++i) all.push_back(name_of(b->index, i));
  meet(all);
}

void weak_memory::met_all() {
  std::vector<who> all;
  for (std::int64_t block = 0; block < launch_->blocks; ++block)
    for (std::int32_t i = 0; i < launch_->threads; ++i) all.push_back(name_of(block, i));
  meet(all);
}

// ---- choices ----

std::vector<std::uint32_t> weak_memory::offers(const device_thread& t, std::uintptr_t pc, const pending_access& what) {
  std::vector<std::uint32_t> out;
  if ((what.what != kind::read && what.what != kind::write) || !is_simple(what)) return out;
  const location* const x = find(what.address, what.bytes);
  if (x == nullptr || x->stores.size() < 2) return out;
  const who by = name_of(t.block->index, t.rank);
  if (what.what == kind::write && promise_of(x->id, by.thread) != nullptr) return out;
  thread_state& me = threads_[by.thread];
  view seen = me.seen;
  if (what.ordered == order::seq_cst) {  // its fence comes first
    const scope s = what.reach;
    for (const unacquired& u : me.observed)
      if (strong_together(u.from.reach, u.from.by, s, by)) seen.join(u.from.seen);
    if (s >= scope::block) seen.join(fences_[{scope::block, by.block}]);
    if (s >= scope::cluster) seen.join(fences_[{scope::cluster, by.cluster}]);
    if (s >= scope::device) seen.join(fences_[{scope::device, 0}]);
  }
  const std::uint64_t oldest = seen.at(x->id);
  for (std::uint32_t older = 1; older < x->stores.size() && x->behind(older).position >= oldest; ++older) {
    const store& next = x->behind(older - 1);
    if (what.what == kind::write &&
        (next.by_update || between(x->behind(older).position, next.position) == x->behind(older).position))
      continue;
    if (const auto often = me.overlooked.find({pc, overlooked_store(*x, what, older).id});
        often == me.overlooked.end() || often->second < kMostOverlooked)
      out.push_back(older);
  }
  return out;
}

std::uint64_t weak_memory::source(const pending_access& what, std::uint32_t older) {
  if (what.what == kind::fence) return last_fence_;
  if (!is_simple(what)) return 0;
  const location* const x = find(what.address, what.bytes);
  std::uint64_t id = x == nullptr ? kFirstStore : x->behind(older).id;
  // Of a place between two both, in their order: what was done there tells who found which neighbours.
  if (x != nullptr && older > 0 && what.what == kind::write) id = mixed(mixed(id, 0), x->behind(older - 1).id);
  return what.ordered == order::seq_cst ? mixed(id, last_fence_) : id;
}

std::uint64_t weak_memory::number() {  // splitmix64
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

void weak_memory::play_back(const std::string& choices) {
  plays_back_ = true;
  played_back_.clear();
  played_back_early_.clear();
  const char* at = choices.data();
  const char* const end = at + choices.size();
  while (at < end) {
    std::uint64_t load = 0;
    std::uint32_t older = 0;
    const auto first = std::from_chars(at, end, load);
    if (first.ptr == end || (*first.ptr != ':' && *first.ptr != '=')) return;
    if (*first.ptr == '=') {
      store_to_come& s = played_back_early_[load];
      const auto thread = std::from_chars(first.ptr + 1, end, s.thread);
      if (thread.ptr == end || *thread.ptr != '/') return;
      const auto value = std::from_chars(thread.ptr + 1, end, s.value);
      if (value.ptr == end || *value.ptr != '/') return;
      const auto reach = std::from_chars(value.ptr + 1, end, s.scope);
      at = reach.ptr == end ? end : reach.ptr + 1;
      continue;
    }
    const auto second = std::from_chars(first.ptr + 1, end, older);
    played_back_[load] = older;
    at = second.ptr == end ? end : second.ptr + 1;
  }
}

std::string weak_memory::take_choices() { return std::exchange(choices_, {}); }

}  // namespace simt::sim
