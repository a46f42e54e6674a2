// SPDX-License-Identifier: Apache-2.0
#include "sim/check/launch_reads.hpp"

#include <algorithm>

#include "sim/check/core.hpp"

namespace simt::check {

namespace {

// Looking at all cells of an allocation must cost less than the launch itself does.
constexpr std::size_t kCellsPerThread = 16;

bool is_old(epoch when, epoch floor) { return when >= kAncient && when < floor; }

// Is all of the object initialised, and are all writes to it ordered before the launch? Guards are not needed: the
// launch has made no access yet, or runs on one worker.
// `launch_ran`: blocks of the launch have run, and what they wrote may have strayed here.
bool is_settled(const detector_core& d, const launch_state& l, const object_record& o, bool launch_ran) {
  const bool all_is_before = l.floor == l.first_epoch && !launch_ran;
  if (all_is_before && (!d.opt.uninit || o.initialised)) return true;
  const std::uintptr_t from = o.what.address, to = o.end();
  for (const range_write& w : o.writes)
    if (w.when >= l.floor) return false;
  const auto above = o.initial.upper_bound(from);
  const bool filled = !d.opt.uninit || (above != o.initial.begin() && std::prev(above)->second >= to);
  if (!o.touched) return filled;
  const auto threads = static_cast<std::size_t>(l.blocks * l.block.x * l.block.y * l.block.z);
  if (o.what.size / 4 > kCellsPerThread * threads) return false;
  const auto cell_is_settled = [&](const cell& c, std::uintptr_t at) {
    if (c.writer == 0) return filled;
    if (!(c.writer & kSlow)) return is_old(epoch_of(c.writer), l.floor);
    if (epoch_of(d.forms.last_write(c)) >= l.floor) return false;
    const std::uintptr_t left = to - at;
    const std::uint8_t valid = left >= 4 ? 0xf : static_cast<std::uint8_t>((1 << left) - 1);
    return !d.opt.uninit || (d.forms.initialised_in(c, o, at) & valid) == valid;
  };
  for (std::uintptr_t at = from; at < to;) {
    const std::uintptr_t next = std::min((at / kRowBytes + 1) * kRowBytes, to);
    const row_summary r = glance_at(*d.shadow.row_of(at));
    if (is_laid_out(r.writer)) {
      if (!d.shadow.layouts.is_settled(r, l.floor, false, filled)) return false;
    } else if (in_cells(r.writer)) {
      for (const cell* c = d.shadow.cell_of(at); at < next; at += 4, ++c)  // of one row: they follow each other
        if (!cell_is_settled(*c, at)) return false;
    } else if (r.writer == 0 ? !filled : epoch_of(r.writer) < kAncient || r.written.newest(r.writer) >= l.floor) {
      return false;
    }
    at = next;
  }
  if (d.opt.uninit) set_once(o.initialised);
  return true;
}

}  // namespace

void unordered_reads::add(int stream, std::uint32_t agent, stretch s) {
  for (entry& e : reads_)
    if (e.stream == stream && e.read.from <= s.to && s.from <= e.read.to) {
      e.agent = agent;
      e.read = {std::min(e.read.from, s.from), std::max(e.read.to, s.to)};
      return;
    }
  reads_.push_back({stream, agent, s});
}

void unordered_reads::forget_retired(const agent_order& agents) {
  std::erase_if(reads_, [&](const entry& e) { return agents.is_retired(e.agent); });
}

void unordered_reads::forget(std::uintptr_t from, std::uintptr_t to) {
  std::erase_if(reads_, [&](const entry& e) { return e.read.from >= from && e.read.to <= to; });
}

std::vector<unordered_reads::stretch> unordered_reads::not_before(const launch_state& l,
                                                                  const agent_order& agents) const {
  std::vector<stretch> found;
  for (const entry& e : reads_)
    if (!agents.ordered_before(l, e.agent)) found.push_back(e.read);
  return found;
}

bool unordered_reads::meets(const launch_state& l, const agent_order& agents, std::uintptr_t from,
                            std::uintptr_t to) const {
  return std::ranges::any_of(reads_, [&](const entry& e) {
    return e.read.from < to && from < e.read.to && !agents.ordered_before(l, e.agent);
  });
}

void launch_reads::launch_begins(const detector_core& d, const launch_state& l,
                                 std::vector<unordered_reads::stretch> unordered) {
  decided_ = false;
  count_ = 0;
  unordered_ = std::move(unordered);
  constants_.clear();
  if (d.opt.read_only_arrays && d.opt.constants != nullptr)
    for (const std::uintptr_t at : d.opt.constants()) {
      const auto o = d.objects.all().find(at);
      if (o != d.objects.all().end() && o->second.live && is_settled(d, l, o->second, false))
        constants_.push_back({at, o->second.end(), false});
    }
  unwritten_ = unwritten_at_first_ = hull_of_watched();
}

address_range launch_reads::hull_of_watched() const {
  std::uintptr_t from = ~std::uintptr_t{0}, to = 0;
  const auto hold = [&](std::uintptr_t low, std::uintptr_t high) {
    from = std::min(from, low);
    to = std::max(to, high);
  };
  for (std::size_t i = 0; i < count_; ++i) hold(arrays_[i].from, arrays_[i].to);
  for (const constant& c : constants_) hold(c.from, c.to);
  for (const unordered_reads::stretch& s : unordered_) hold(s.from, s.to);
  return from < to ? address_range{from, to - from} : address_range{};
}

void launch_reads::launch_ends(const launch_state& l, const agent_order& agents, unordered_reads& all) {
  for (std::size_t i = 0; i < count_; ++i) {
    std::uintptr_t low = ~std::uintptr_t{0}, high = 0;
    for (const range& r : arrays_[i].read)
      low = std::min<std::uintptr_t>(low, r.low), high = std::max<std::uintptr_t>(high, r.high);
    if (low < high) all.add(agents.of(l.agent).stream, l.agent, {low, high});
  }
  for (const constant& c : constants_)
    if (c.read) all.add(agents.of(l.agent).stream, l.agent, {c.from, c.to});
}

void launch_reads::ask(block_state& b, std::span<const std::uintptr_t> written, std::span<sim::quiet_array> read,
                       bool others_ran) {
  if (!decided_.load(std::memory_order_acquire)) {
    const std::lock_guard guard(mutex_);
    if (!decided_.load()) {
      decide(b, written, read, others_ran);
      decided_.store(true, std::memory_order_release);
    }
  }
  for (sim::quiet_array& q : read)
    if (const array* const a = array_of(q.pointer))
      q.from = a->from, q.size = a->to - a->from;
    else if (const constant* const c = constant_of(q.pointer))
      q.from = c->from, q.size = c->to - c->from;
  b.unwritten = unwritten_;
}

void launch_reads::block_begins(block_state& b) const {
  b.unwritten = decided_.load(std::memory_order_acquire) ? unwritten_ : unwritten_at_first_;
  if (!constants_.empty()) b.constants = {constants_[0].from, constants_.back().to - constants_[0].from};
}

void launch_reads::decide(block_state& b, std::span<const std::uintptr_t> written,
                          std::span<const sim::quiet_array> read, bool launch_ran) {
  detector_core& d = *b.core;
  std::vector<const object_record*> changed;
  for (const std::uintptr_t p : written)
    if (const object_record* const o = d.objects.find(p)) changed.push_back(o);
  for (const unordered_reads::stretch& s : unordered_)
    for (const object_record* o : changed)
      if (o->what.address < s.to && s.from < o->end()) doubtful = true;
  for (const sim::quiet_array& q : read) {
    const object_record* const o = d.objects.find(q.pointer);
    if (o == nullptr || !o->live || std::ranges::find(changed, o) != changed.end()) continue;
    if (constant_of(q.pointer) != nullptr || array_of(q.pointer) != nullptr || count_ == arrays_.size()) continue;
    if (!is_settled(d, *b.launch, *o, launch_ran)) continue;
    array& a = arrays_[count_++];
    a.from = o->what.address;
    a.to = o->end();
    for (range& r : a.read) r.low = ~std::uintptr_t{0}, r.high = 0;
  }
  unwritten_ = hull_of_watched();
}

launch_reads::array* launch_reads::array_of(std::uintptr_t address) {
  for (std::size_t i = 0; i < count_; ++i)
    if (address - arrays_[i].from < arrays_[i].to - arrays_[i].from) return &arrays_[i];
  return nullptr;
}

bool launch_reads::has_read(std::uintptr_t from, std::uintptr_t to) {
  if (reads_constant(from, to - from)) return true;
  array* const a = array_of(from);
  if (a == nullptr || to > a->to) return false;
  const auto move = [](std::atomic<std::uintptr_t>& at, std::uintptr_t to, auto is_past) {
    std::uintptr_t old = at.load(std::memory_order_relaxed);
    while (is_past(to, old) && !at.compare_exchange_weak(old, to, std::memory_order_relaxed)) {
    }
  };
  range& r = a->read[sim::thread_shard()];
  move(r.low, from, std::less<>());
  move(r.high, to, std::greater<>());
  return true;
}

address_range launch_reads::free_around(std::uintptr_t address) const {
  constexpr std::uintptr_t kMostBytes = 16;
  std::uintptr_t low = unwritten_.base, high = unwritten_.base + unwritten_.size;
  const auto leave_out = [&](std::uintptr_t from, std::uintptr_t to) {
    if (to <= address) low = std::max(low, to);
    if (from > address) high = std::min(high, from);
    return address - from >= to - from;
  };
  bool is_free = true;
  for (std::size_t i = 0; i < count_; ++i) is_free &= leave_out(arrays_[i].from, arrays_[i].to);
  for (const constant& c : constants_) is_free &= leave_out(c.from, c.to);
  for (const unordered_reads::stretch& s : unordered_) is_free &= leave_out(s.from, s.to);
  low = (low + kMostBytes - 1) / kMostBytes * kMostBytes, high = high / kMostBytes * kMostBytes;
  return is_free && low < high ? address_range{low, high - low} : address_range{};
}

bool reads_constant(thread_state& t, std::uintptr_t address, std::size_t size) {
  detector_core& d = *t.block->core;
  if (!d.reads.reads_constant(address, size)) return false;
  if (t.pending) d.flush_before_read(t);
  return true;
}

bool can_write(block_state& b, std::uintptr_t address) {
  if (may_write(b, address)) return true;
  b.written = b.core->reads.free_around(address);
  return may_write(b, address);
}

bool launch_reads::forbids_write(std::uintptr_t from, std::uintptr_t to) const {
  for (std::size_t i = 0; i < count_; ++i)
    if (from < arrays_[i].to && arrays_[i].from < to) return true;
  const auto meets = [&](const auto& s) { return from < s.to && s.from < to; };
  return std::ranges::any_of(constants_, meets) || std::ranges::any_of(unordered_, meets);
}

}  // namespace simt::check
