// SPDX-License-Identifier: Apache-2.0
#include "sim/check/busy_counters.hpp"

#include <algorithm>

#include "sim/check/clocks.hpp"
#include "sim/check/code_sites.hpp"
#include "sim/check/core.hpp"
#include "sim/check/happens_before.hpp"
#include "sim/check/quick_additions.hpp"

namespace simt::check {
namespace {

// A cell that was closed so often is not opened again: closing costs more than a lock.
constexpr std::uint8_t kMostClosings = 3;

busy_counter* counter_of(const slow_cell& e) { return __atomic_load_n(&e.counter, __ATOMIC_ACQUIRE); }

bool is_countable(const slow_cell& e, const launch_state& l, scope s) {
  return e.is_bare() && e.added.are(l.agent, s, 0, 4) && e.reads.when < l.floor && e.others.when < l.floor;
}

}  // namespace

busy_counters::~busy_counters() {
  for (const slow_cell* const e : open_) {
    for (const counter_share* const s : e->counter->shares) delete s;
    delete e->counter;
  }
}

std::vector<std::uintptr_t> busy_counters::addresses() {
  std::lock_guard guard(mutex_);
  std::vector<std::uintptr_t> all;
  for (const slow_cell* const e : open_) all.push_back(e->counter->address);
  return all;
}

void busy_counters::remember() {
  busy_ = addresses();
  std::ranges::sort(busy_);
}

void busy_counters::consider(thread_state& t, slow_cell& e, cell& c, std::uintptr_t address, scope s) {
  const block_state& b = *t.block;
  if (!usable_ || e.closings >= kMostClosings || e.counter != nullptr) return;
  if (!was_busy(address)) {
    if (e.counted_by == b.number) return;
    e.counted_by = b.number;
    if (++e.turns < b.core->opt.counter_turns) return;
  }
  e.turns = 0;
  if (s < scope::device || b.launch->on_host || passes_on(t) || !is_countable(e, *b.launch, s)) return;
  if (owner_number() == 0 || open_count_.load(std::memory_order_relaxed) >= kMost) return;
  auto* const k = new busy_counter{address, &c, b.launch->agent, s, {}};
  {
    std::lock_guard guard(mutex_);
    if (open_.size() == kMost) return delete k;
    __atomic_store_n(&e.counter, k, __ATOMIC_RELEASE);
    set_readers(c, kCounterWord);
    open_.push_back(&e);
    open_count_.store(open_.size(), std::memory_order_relaxed);
  }
}

bool busy_counters::expects(const block_state& b, const slow_cell& e) const {
  return usable_ && e.closings < kMostClosings && e.turns + 1 >= b.core->opt.counter_turns;
}

void busy_counters::close_open(slow_cell& e, bool launch_ends) {
  busy_counter* const k = e.counter;
  {
    std::lock_guard guard(mutex_);
    __atomic_store_n(&e.counter, static_cast<busy_counter*>(nullptr), __ATOMIC_SEQ_CST);
    set_readers(*k->at, 0);
    std::erase(open_, &e);
    open_count_.store(open_.size(), std::memory_order_relaxed);
  }
  if (!launch_ends) wait_until_not_counting(&e);  // else no device thread runs
  if (!launch_ends) ++e.closings;
  const std::uint32_t mine = owner_number(), now = __atomic_load_n(reinterpret_cast<std::uint32_t*>(k->address), 0);
  const counter_share* last = nullptr;
  bool any = false;
  begin_alike(e, access_record{0, record_kind::atomic_write, k->reach, 0xf, 0, 4, 0, nullptr});
  for (std::uint32_t n = 0; n < busy_counter::kShares; ++n) {
    counter_share* const s = k->shares[n];
    if (s == nullptr || s->newest == 0) continue;
    any = true;
    e.written = std::max(e.written, s->newest);
    e.added.newest = std::max(e.added.newest, s->newest);
    if (s->left == now && (last == nullptr || n == mine)) last = s;
    std::ranges::move(s->records, std::back_inserter(e.records));
  }
  if (any) e.updated = {};
  if (last != nullptr) e.updated = {last->last_block, last->last_rank, k->reach, 0, 4};
  for (const counter_share* const s : k->shares) delete s;
  delete k;
}

counting::counting(thread_state& t, std::uintptr_t address, scope s) : t_(t) {
  block_state& b = *t.block;
  shadow_memory& shadow = b.core->shadow;
  if (!shadow.counters.any_open() || address - b.device.base >= b.device.size || address % 4 != 0) return;
  cell* const c = cell_at(b.device_cells, address - b.device.base);
  const shadow_word w = load(c->writer);
  if (!is_slow(w) || readers_of(*c) != kCounterWord) return;
  slow_cell& e = slow_cell_of(w);
  busy_counter* k = counter_of(e);
  if (k == nullptr || passes_on(t)) return;
  const std::uint32_t number = owner_number();
  if (number == 0) return;
  this_owner.counting.store(&e, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  k = counter_of(e);
  if (k == nullptr || k->at != c || k->agent != b.launch->agent || k->reach != s) {
    this_owner.counting.store(nullptr, std::memory_order_release);
    return;
  }
  counter_ = k;
  counter_share*& share = k->shares[number];
  if (share == nullptr) share = new counter_share;
  share_ = share;
}

counting::~counting() {
  if (share_ != nullptr) this_owner.counting.store(nullptr, std::memory_order_release);
}

void counting::done(std::uintptr_t pc, std::uint32_t left) {
  block_state& b = *t_.block;
  detector_core& d = *b.core;
  const std::uintptr_t address = counter_->address;
  d.watch_write(b, address, address + 4);
  if (b.asked[0] != address) b.asked = {address, b.asked[0]};
  counter_share& s = *share_;
  s.last_block = key_of(b);
  s.last_rank = t_.rank;
  s.left = left;
  const epoch when = epoch_for(t_, pc);
  s.newest = std::max(s.newest, when);
  auto& records = s.records;
  constexpr std::size_t kLooked = 8;
  const std::size_t first = records.size() > kLooked ? records.size() - kLooked : 0;
  for (std::size_t i = records.size(); i > first; --i)
    if (records[i - 1].when == when) return records[i - 1].add(t_.rank);
  // Those of this block that are ordered before say nothing more than the new one.
  std::size_t kept = first;
  for (std::size_t i = first; i < records.size(); ++i) {
    access_record& o = records[i];
    std::uint32_t who;
    if (is_of(b, o.when) && !find_unordered(
                                t_, o.when, [&](auto f) { return o.any(f); }, who))
      continue;
    if (kept != i) records[kept] = std::move(o);
    ++kept;
  }
  auto& counted = d.shadow.slow_cells;
  counted.count_records(1 - static_cast<std::ptrdiff_t>(records.size() - kept));
  records.resize(kept);
  if (records.size() >= 64 && records.size() % 64 == 0 && d.memory.is_over_limit()) {
    d.memory.inexact_cells.fetch_add(1, std::memory_order_relaxed);
    counted.count_records(-static_cast<std::ptrdiff_t>(records.size() / 2));
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2));
  }
  records.push_back({when, record_kind::atomic_write, counter_->reach, 0xf, 0, 4, t_.rank, nullptr, false});
}

}  // namespace simt::check
