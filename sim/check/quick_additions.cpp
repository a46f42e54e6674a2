// SPDX-License-Identifier: Apache-2.0
#include "sim/check/quick_additions.hpp"

#include <algorithm>

#include "sim/check/clocks.hpp"
#include "sim/check/code_sites.hpp"
#include "sim/check/core.hpp"
#include "sim/check/deferred_shared.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {
namespace {

constexpr std::size_t kLooked = 8;  // of many alike records, only so many are looked at

bool takes(const block_state& b, const common_past& past, const cell& c, scope s, std::int8_t start,
           std::uint32_t size) {
  const shadow_word w = load(c.writer);
  if (!is_slow(w)) return false;
  const slow_cell& e = slow_cell_of(w);
  return e.added.are(b.launch->agent, s, start, static_cast<std::uint8_t>(size)) && e.is_bare() &&
         e.counter == nullptr && e.reads.is_in(past) && e.others.is_in(past);
}

// Room for one more word.
void make_room(slow_cell& e, thread_state& t) {
  additions& a = e.added;
  const detector_core& d = *t.block->core;
  slow_cell_pool& pool = t.block->core->shadow.slow_cells;
  const auto most = static_cast<std::uint16_t>(d.opt.most_words);
  if (a.count >= most) return fold(e, pool, &t);
  if (a.count < a.room) return;
  const std::uint16_t room = std::min<std::uint16_t>(most, a.room == 0 ? 8 : static_cast<std::uint16_t>(4 * a.room));
  auto words = std::make_unique_for_overwrite<shadow_word[]>(room);
  std::copy_n(a.words.get(), a.count, words.get());
  pool.count_words(std::size_t{room} - a.room);
  a.words = std::move(words);
  a.room = room;
}

void add_word(slow_cell& e, thread_state& t, epoch when) {
  const block_state& b = *t.block;
  additions& a = e.added;
  const std::uint64_t block = key_of(b);
  if (a.run_by != block) {
    a.run_by = block;
    a.run_from = a.count;
  } else if (a.count > a.run_from) {
    // The last word is the block's latest: if it lies before the block's last barrier, all its words do.
    const shadow_word last = a.words[a.count - 1];
    if (epoch_of(last) < b.base)
      a.count = a.run_from;
    else if (who_of(last) == t.rank)
      --a.count;
  }
  if (a.count >= a.room || a.count >= b.core->opt.most_words) make_room(e, t);
  a.words[a.count++] = make_shadow_word(when, t.rank);
  a.newest = std::max(a.newest, when);
  e.written = when;
  e.updated = {block, t.rank, a.reach, a.start, a.size};
}

}  // namespace

bool passes_on(const thread_state& t) {
  const block_state& b = *t.block;
  if (t.pending || b.uses_volatile || b.told || t.clocks->told) return true;
  for (std::size_t i = 0; i < kReaches; ++i)
    if (t.clocks->fenced[i] || b.fenced[i]) return true;
  return false;
}

bool quick_addition(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc) {
  block_state& b = *t.block;
  detector_core& d = *b.core;
  if (size < 4 || address - b.device.base >= b.device.size || (address & (size - 1)) != 0) return false;
  if ((b.number & kAsyncBlock) || passes_on(t)) return false;
  cell* const c = cell_at(b.device_cells, address - b.device.base);
  const std::uint32_t cells = size / 4;
  const common_past past = past_of(b);
  for (std::uint32_t k = 0; k < cells; ++k)
    if (!takes(b, past, c[k], s, static_cast<std::int8_t>(-4 * static_cast<int>(k)), size)) return false;
  close_deferred(b);
  d.watch_write(b, address, address + size);
  if (b.asked[0] != address) b.asked = {address, b.asked[0]};
  const epoch when = epoch_for(t, pc);
  for (std::uint32_t k = 0; k < cells; ++k) add_word(slow_cell_of(c[k].writer), t, when);
  if (size == 4) d.shadow.counters.consider(t, slow_cell_of(c->writer), *c, address, s);
  return true;
}

void fold(slow_cell& e, slow_cell_pool& pool, thread_state* next) {
  additions& a = e.added;
  if (a.count == 0) return;
  auto& records = e.records;
  const std::size_t before = records.size();
  access_record one{0, record_kind::atomic_write, a.reach, 0xf, a.start, a.size, 0, nullptr};
  begin_alike(e, one);
  // `next` is ordered after what its block did before the last barrier.
  const auto drop_old = [&](std::size_t from) {
    const block_state& b = *next->block;
    records.erase(std::remove_if(records.begin() + static_cast<std::ptrdiff_t>(std::max(from, e.alike_from)),
                                 records.end(),
                                 [&](const access_record& o) {
                                   return o.when >= b.first_epoch && o.when < b.base && is_of(b, o.when);
                                 }),
                  records.end());
  };
  if (next != nullptr) drop_old(records.size() > kLooked ? records.size() - kLooked : 0);
  for (std::uint16_t i = 0; i < a.count; ++i) {
    const epoch when = epoch_of(a.words[i]);
    const std::size_t last = records.size(), first = std::max(e.alike_from, last > kLooked ? last - kLooked : 0);
    std::size_t k = last;
    while (k > first && records[k - 1].when != when) --k;
    if (k > first) {
      records[k - 1].add(who_of(a.words[i]));
      continue;
    }
    one.when = when;
    one.rank = who_of(a.words[i]);
    records.push_back({when, one.kind, one.scope, one.mask, one.start, one.size, one.rank, nullptr});
  }
  a.count = a.run_from = 0;
  a.run_by = 0;
  if (next != nullptr && records.size() >= e.all_at) {
    drop_old(0);
    e.all_at = static_cast<std::uint32_t>(std::max<std::size_t>(64, 2 * records.size()));
    side_memory& memory = next->block->core->memory;
    if (records.size() >= 64 && memory.is_over_limit()) {
      memory.inexact_cells.fetch_add(1, std::memory_order_relaxed);
      const auto half = static_cast<std::ptrdiff_t>(records.size() / 2);
      records.erase(records.begin(), records.begin() + half);
      find_alike(e);
    }
  }
  pool.count_records(static_cast<std::ptrdiff_t>(records.size()) - static_cast<std::ptrdiff_t>(before));
}

}  // namespace simt::check
