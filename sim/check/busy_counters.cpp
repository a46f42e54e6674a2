// SPDX-License-Identifier: Apache-2.0
#include "sim/check/busy_counters.hpp"

#include <algorithm>

#include "sim/check/addition_records.hpp"
#include "sim/check/clocks.hpp"
#include "sim/check/code_sites.hpp"
#include "sim/check/core.hpp"
#include "sim/check/happens_before.hpp"
#include "sim/check/quick_additions.hpp"

namespace simt::check {
namespace {

// A cell that was closed so often does not become a counter again: closing costs more than a lock.
constexpr std::uint8_t kMostClosings = 3;
constexpr shadow_word kCount = shadow_word{kLongest} << kCountAt;

access_record record_of(const busy_counter& k) {
  return {0, record_kind::atomic_write, k.reach, 0xf, 0, 4, 0, nullptr};
}
// The reader word of a cell with such additions, but for the last one.
shadow_word like_of_chain(const busy_counter& k) { return k.readers & ~shadow_word{0xffffffff}; }

}  // namespace

busy_counters::busy_counters(bool several_workers, addition_log& log, slow_cell_pool& cells)
    : log_(log), cells_(cells) {
  if (several_workers) counters_ = make_zeroed<busy_counter>(kMost + 1);
}

busy_counters::~busy_counters() {
  for (const auto& table : tables_)
    for (std::uint32_t n = 1; n <= used_; ++n) delete table[n].records;
}

std::vector<std::uintptr_t> busy_counters::addresses() {
  std::lock_guard guard(mutex_);
  std::vector<std::uintptr_t> all;
  for (std::uint32_t n = 1; n <= used_; ++n)
    if (at(n).at != nullptr) all.push_back(at(n).address);
  return all;
}

counter_share& busy_counters::share(std::uint32_t worker, std::uint32_t number) {
  counter_share* table = shares_[worker].load(std::memory_order_acquire);
  if (table == nullptr) {
    std::lock_guard guard(mutex_);
    tables_.push_back(make_zeroed<counter_share>(kMost + 1));
    shares_[worker].store(table = tables_.back().get(), std::memory_order_release);
  }
  return table[number];
}

void busy_counters::open(const thread_state& t, cell& c, std::uintptr_t address, scope s, bool is_sum) {
  const shadow_word w = load(c.writer);
  if (counters_ == nullptr || owner_number() == 0 || slow_cell_of(w).closings >= kMostClosings) return;
  if (chain_length(w) > kLongest / 2) return;
  std::lock_guard guard(mutex_);
  if (free_.empty() && used_ == kMost) return;
  const std::uint32_t number = free_.empty() ? ++used_ : free_.back();
  if (!free_.empty()) free_.pop_back();
  const auto of_host = t.block->core->opt.host_may_access;
  const bool sums = is_sum && slow_cell_of(w).closings == 0 && (of_host == nullptr || !of_host(address));
  at(number) = {&c, address, t.block->launch->agent, s, sums, w, readers_of(c)};
  store(c.writer, w & ~kCount);
  set_readers(c, kCounterWord | number);
  open_count_.fetch_add(1, std::memory_order_relaxed);
}

// All of the chain becomes records; `last_too`: its last entry, too.
void busy_counters::fold(counter_share& s, const busy_counter& k, epoch horizon, bool last_too) {
  const std::uint32_t from = last_too || s.last == 0 ? s.last : log_[s.last].before;
  if (from == 0) return;
  if (s.records == nullptr) s.records = new std::vector<access_record>;
  const std::size_t before = s.records->size();
  const std::uint32_t first = records_of_chain(log_, from, horizon, record_of(k), 0, *s.records).first;
  cells_.count_records(static_cast<std::ptrdiff_t>(s.records->size() - before));
  if (!last_too) log_.append(s.last, 0);
  const std::uint32_t kept = last_too ? 0 : 1;
  log_.close((k.writer & ~kCount) | std::uint64_t{s.length - kept} << kCountAt, like_of_chain(k) | from, first);
  s.last = s.first = last_too ? 0 : s.last;
  s.length = kept;
}

void busy_counters::close(cell& c, bool launch_ends) {
  const std::uint32_t number = last_of(readers_of(c)), mine = owner_number();
  const busy_counter k = at(number);
  slow_cell& e = slow_cell_of(k.writer);
  __atomic_store_n(&c.readers, load(c.readers) & kLocked, __ATOMIC_SEQ_CST);
  if (!launch_ends) {  // else no device thread runs
    wait_until_not_counting(&at(number));
    ++e.closings;
  }
  auto* const word = reinterpret_cast<std::uint32_t*>(k.address);
  const std::uint32_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
  std::uint32_t sum = 0;
  std::array<counter_share*, kWorkers> all{};
  std::size_t count = 0, last = kWorkers;
  std::uint32_t length = chain_length(k.writer);
  for (std::uint32_t w = 0; w < kWorkers; ++w) {
    counter_share* const table = shares_[w].load(std::memory_order_acquire);
    if (table == nullptr || (table[number].last == 0 && table[number].records == nullptr)) continue;
    if (!k.sums && table[number].left == now && (last == kWorkers || w == mine)) last = count;
    sum += table[number].sum;
    length += table[number].length;
    all[count++] = &table[number];
  }
  if (sum != 0) __atomic_fetch_add(word, sum, __ATOMIC_RELAXED);
  if (last != kWorkers && all[last]->last == 0) last = kWorkers;
  if (last != kWorkers) std::swap(all[last], all[count - 1]);
  // The cell's own chain is the oldest part; the last addition is at the end.
  std::uint32_t end = last_of(k.readers);
  std::uint64_t chain = chain_length(k.writer);
  begin_alike(e, record_of(k));
  begin_additions(e, k.agent);
  for (std::size_t i = 0; i < count; ++i) {
    counter_share& s = *all[i];
    if (length > kLongest) fold(s, k, 0, false);
    if (s.records != nullptr) {
      for (const access_record& o : *s.records) e.added.newest = std::max(e.added.newest, o.when);
      std::ranges::move(*s.records, std::back_inserter(e.records));
      delete s.records;
    }
    if (s.last != 0) {
      e.written = std::max(e.written, epoch_of(log_[s.last].access));
      log_.append(s.first, end);
      end = s.last;
      chain += s.length;
    }
    s = {};
  }
  e.written = std::max(e.written, e.added.newest);
  shadow_word writer = (k.writer & ~kCount) | chain << kCountAt, readers = like_of_chain(k) | end;
  // Somebody has written there unseen, or there are sums: nobody was the last. After the launch nobody asks.
  if (count != 0 && last == kWorkers && !(k.sums && launch_ends)) {
    const std::size_t before = e.records.size();
    const recorded_chain all_of_it = records_of_chain(log_, end, 0, record_of(k), e.alike_from, e.records);
    cells_.count_records(static_cast<std::ptrdiff_t>(e.records.size() - before));
    e.added.newest = std::max(e.added.newest, all_of_it.newest);
    e.updated = {};
    log_.close(writer, readers, all_of_it.first);
    writer = k.writer & ~kCount, readers = 0;
  }
  store(c.writer, writer);
  set_readers(c, readers);
  std::lock_guard guard(mutex_);
  at(number).at = nullptr;
  free_.push_back(number);
  open_count_.fetch_sub(1, std::memory_order_relaxed);
}

counting::counting(thread_state& t, std::uintptr_t address, scope s, bool is_sum) : t_(t) {
  block_state& b = *t.block;
  busy_counters& all = b.core->shadow.counters;
  if (!all.any_open() || address - b.device.base >= b.device.size || address % 4 != 0) return;
  const cell* const c = cell_at(b.device_cells, address - b.device.base);
  const shadow_word readers = readers_of(*c);
  if (!is_counter(readers) || passes_on(t)) return;
  const busy_counter& k = all.at(last_of(readers));
  const std::uint32_t worker = owner_number();
  if (worker == 0) return;
  this_owner.counting.store(&k, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (readers_of(*c) != readers || !is_slow(load(c->writer)) || k.agent != b.launch->agent || k.reach != s ||
      (k.sums && !is_sum)) {
    this_owner.counting.store(nullptr, std::memory_order_release);
    return;
  }
  counter_ = &k;
  share_ = &all.share(worker, last_of(readers));
}

counting::~counting() {
  if (share_ != nullptr) this_owner.counting.store(nullptr, std::memory_order_release);
}

void counting::record(std::uintptr_t pc) {
  block_state& b = *t_.block;
  detector_core& d = *b.core;
  const std::uintptr_t address = counter_->address;
  d.watch_write(b, address, address + 4);
  if (b.asked[0] != address) b.asked = {address, b.asked[0]};
  counter_share& s = *share_;
  const epoch when = epoch_for(t_, pc);
  const shadow_word access = make_shadow_word(when, t_.rank);
  busy_counters& all = d.shadow.counters;
  std::uint32_t entry = d.shadow.additions.add(access, s.last);
  if (entry == 0) {  // no room
    all.fold(s, *counter_, d.agents.horizon, true);
    entry = d.shadow.additions.add(access, 0);
  }
  if (entry == 0) {
    if (s.records == nullptr) s.records = new std::vector<access_record>;
    s.records->push_back(record_of(*counter_));
    s.records->back().when = when;
    s.records->back().rank = t_.rank;
    d.shadow.slow_cells.count_records(1);
    return;
  }
  s.last = entry;
  if (s.first == 0) s.first = entry;
  if (++s.length % kLookedAt != 0) return;
  const std::uint32_t some = s.some, made = d.shadow.additions.made();
  s.some = made;
  if (made - some >= kClose && s.length < kLongest / 4) return;
  if (s.records != nullptr) drop_covered();
  all.fold(s, *counter_, d.agents.horizon, false);
}

// Records that say nothing more than the addition that was just made: those of its block that are ordered before it.
// Where there is no room for more, the older half.
void counting::drop_covered() {
  block_state& b = *t_.block;
  detector_core& d = *b.core;
  auto& records = *share_->records;
  constexpr std::size_t kLooked = 8;
  const std::size_t count = records.size();
  const auto is_covered = [&](const access_record& o) {
    std::uint32_t who;
    return is_of(b, o.when) && !find_unordered(
                                   t_, o.when, [&](auto f) { return o.any(f); }, who);
  };
  records.erase(
      std::remove_if(records.end() - static_cast<std::ptrdiff_t>(std::min(count, kLooked)), records.end(), is_covered),
      records.end());
  if (records.size() >= 64 && d.memory.is_over_limit()) {
    d.memory.inexact_cells.fetch_add(1, std::memory_order_relaxed);
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2));
  }
  d.shadow.slow_cells.count_records(-static_cast<std::ptrdiff_t>(count - records.size()));
}

}  // namespace simt::check
