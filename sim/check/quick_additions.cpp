// SPDX-License-Identifier: Apache-2.0
#include "sim/check/quick_additions.hpp"

#include <algorithm>

#include "sim/check/clocks.hpp"
#include "sim/check/code_sites.hpp"
#include "sim/check/core.hpp"
#include "sim/check/happens_before.hpp"

namespace simt::check {
namespace {

// What additions of t's launch are like, in the reader word of cell k of theirs; 0: there are none like that.
shadow_word word_for(const block_state& b, std::uintptr_t address, std::uint32_t size, scope s, std::uint32_t k) {
  if ((size != 4 && size != 8) || (address & (size - 1)) != 0 || address - b.device.base >= b.device.size) return 0;
  if (s < scope::device || b.launch->ticket == 0 || (b.number & kAsyncBlock)) return 0;
  return open_word(b.launch->ticket,
                   (s == scope::system ? kSystemWide : 0) | (size == 8 ? kEightBytes : 0) | (k == 1 ? kSecondHalf : 0));
}
constexpr shadow_word kChainEnd = 0xffffffff;
bool is_crowded(slow_cell& e, std::uint32_t entry) {
  const std::uint32_t before = e.chain_from;
  e.chain_from = entry;
  return entry - before < kClose;
}

}  // namespace

bool passes_on(const thread_state& t) {
  const block_state& b = *t.block;
  if (t.pending || b.uses_volatile || b.told || t.clocks->told) return true;
  for (std::size_t i = 0; i < kReaches; ++i)
    if (t.clocks->fenced[i] || b.fenced[i]) return true;
  return false;
}

bool is_past_of_all(const block_state& b, const access_record& o) {
  const launch_state& l = *b.launch;
  if (o.scope < scope::device || o.is_volatile || l.on_host || o.when < b.agents->horizon) return false;
  const epoch_record& d = (*b.epochs)[o.when];
  if (d.block & kAsyncBlock) return false;
  return o.when < l.floor ? !b.agents->on_host(d.agent) : d.agent == l.agent && o.when < b.grid_base;
}

bool quick_addition(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc,
                    bool is_sum) {
  block_state& b = *t.block;
  const shadow_word first = word_for(b, address, size, s, 0);
  if (first == 0) return false;
  cell* const c = cell_at(b.device_cells, address - b.device.base);
  const options& o = b.core->opt;
  const launch_state& l = *b.launch;
  // Open, by this launch or by one that is ordered before it: then what it says is ordered before all threads of this
  // one, and its additions are covered by the one that comes.
  const auto is_old = [&](shadow_word r, shadow_word like) {
    return ((r ^ like) & kChain) == 0 && like_of(r) == like_of(like) && ticket_of(r) < l.ticket &&
           ticket_of(r) >= l.follows_tickets;
  };
  const auto takes = [&](const cell& at, shadow_word like) {
    const shadow_word w = load(at.writer), r = readers_of(at);
    if (!is_slow(w)) return false;
    if ((r & ~kChainEnd) != like) return is_old(r, like);
    const std::uint32_t length = chain_length(w);
    return length < o.longest_chain &&
           (length == 0 || length % kLookedAt != 0 || !is_crowded(slow_cell_of(w), last_of(r)));
  };
  if (!takes(*c, first) || (size == 8 && !takes(c[1], first | shadow_word{kSecondHalf} << 32)) || passes_on(t))
    return false;
  detector_core& d = *b.core;
  const shadow_word access = make_shadow_word(epoch_for(t, pc), t.rank);
  addition_log& log = d.shadow.additions;
  for (std::uint32_t k = 0; k < size / 4; ++k) {
    const shadow_word like = first | (k == 1 ? shadow_word{kSecondHalf} << 32 : 0);
    const shadow_word w = load(c[k].writer), r = readers_of(c[k]);
    const bool goes_on = (r & ~kChainEnd) == like;
    const std::uint32_t entry = log.add(access, goes_on ? last_of(r) : 0);
    if (entry == 0) return false;  // of two cells, one may have it already: the same thread says it again
    if (!goes_on) {
      log.close(w, r);
      store(c[k].writer, w & ~(shadow_word{kLongest} << kCountAt));
    }
    set_readers(c[k], like | entry);
    store(c[k].writer, load(c[k].writer) + (shadow_word{1} << kCountAt));
  }
  d.watch_write(b, address, address + size);
  if (b.asked[0] != address) b.asked = {address, b.asked[0]};
  if (o.workers > 1 && size == 4 && chain_length(load(c->writer)) >= o.counter_from)
    d.shadow.counters.open(t, *c, address, s, is_sum);
  return true;
}

bool addition_by_only_worker(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc) {
  return t.block->ownership == nullptr && quick_addition(t, address, size, s, pc, false);
}

void open_for_additions(const thread_state& t, std::uintptr_t address, std::uint32_t size, scope s) {
  const block_state& b = *t.block;
  detector_core& d = *b.core;
  if (!d.opt.races || word_for(b, address, size, s, 0) == 0 || passes_on(t)) return;
  cell* const c = cell_at(b.device_cells, address - b.device.base);
  const common_past past = past_of(b);
  for (std::uint32_t k = 0; k < size / 4; ++k) {
    if (!is_slow(c[k].writer)) return;
    const slow_cell& e = slow_cell_of(c[k].writer);
    const auto start = static_cast<std::int8_t>(-4 * static_cast<int>(k));
    if (!e.added.are(b.launch->agent, s, start, static_cast<std::uint8_t>(size)) || !e.is_bare() ||
        !e.reads.is_in(past) || !e.others.is_in(past))
      return;
  }
  for (std::uint32_t k = 0; k < size / 4; ++k) set_readers(c[k], word_for(b, address, size, s, k));
}

}  // namespace simt::check
