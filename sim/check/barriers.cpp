// SPDX-License-Identifier: Apache-2.0
// Order inside a launch but for atomics: barriers of blocks, clusters and grids, warp syncs, groups, barrier objects,
// fences.
#include <array>
#include <cstring>

#include "sim/check/clocks.hpp"
#include "sim/check/core.hpp"
#include "sim/check/deferred_shared.hpp"
#include "sim/check/unfenced.hpp"

namespace simt::check {
namespace {

void flush_all(block_state& b) {
  if (!b.has_unjudged_write) return;
  b.has_unjudged_write = false;
  for (int i = 0; i < b.threads; ++i)
    if (b.all[static_cast<std::size_t>(i)].pending) b.core->flush(b.all[static_cast<std::size_t>(i)]);
}

// Only members are flushed: another thread may have announced an access and not made it yet.
void flush_member(block_state& b, int rank) {
  if (thread_state& t = b.all[static_cast<std::size_t>(rank)]; t.pending) b.core->flush(t);
}

// "The last block to finish adds up": thread 0 draws a ticket with a relaxed read-modify-write, the block passes a
// barrier, then all its threads read what the other blocks released before they drew theirs. The CUDA Programming Guide
// and its samples have no fence in between. So the barrier counts as one.
void acquire_by_barrier(block_state& b) {
  if (!b.barrier_learns) return;
  b.barrier_learns = false;
  for (int i = 0; i < b.threads; ++i) {
    thread_state& t = b.all[static_cast<std::size_t>(i)];
    learn(t, t.clocks->by_barrier);
    t.clocks->by_barrier = {};
  }
}

// Fences carry across barriers, on both sides. The writers: all threads fence, the block passes a barrier, one thread
// stores the flag; the flag releases what all of them did before their fences. The readers: one thread sees the flag,
// the block passes a barrier, all threads fence; each of them acquires. This follows from the one order of sequentially
// consistent fences (PTX ISA, Fence-SC order). We take weaker fences for such ones, and do not check that both sides
// have one.
using fence_clocks = std::array<clock_pair, kReaches>;

void join_fences(const block_state& b, std::span<const std::uint32_t> ranks, fence_clocks& into) {
  for (std::size_t reach = 0; reach < into.size(); ++reach) {
    std::vector<clock_pair> all;
    for (const std::uint32_t r : ranks)
      if (const clock_pair& f = b.all[r].clocks->fenced[reach]) all.push_back(f);
    // In pairs: a clock is as long as the number of threads in it.
    while (all.size() > 1) {
      std::vector<clock_pair> half;
      for (std::size_t i = 0; i < all.size(); i += 2) {
        if (i + 1 < all.size()) all[i].join_with(all[i + 1]);
        half.push_back(std::move(all[i]));
      }
      all = std::move(half);
    }
    if (!all.empty()) into[reach].join_with(all[0]);
  }
}

void share_fences(block_state& b) {
  if (b.fencers.empty()) return;
  join_fences(b, b.fencers, b.fenced);
  for (const std::uint32_t r : b.fencers) b.all[r].has_fenced = false;
  b.fencers.clear();
}
void share_seen(block_state& b) {
  if (!b.has_seen) return;
  b.has_seen = false;
  for (int r = 0; r < b.threads; ++r)
    if (const thread_state& t = b.all[static_cast<std::size_t>(r)]; t.has_acquirable)
      for (std::size_t i = 0; i < b.seen.size(); ++i) b.seen[i] = join(b.seen[i], t.clocks->acquirable[i]);
}

void share_some(block_state& b, std::span<const std::uint32_t> ranks) {
  if (b.has_seen) {
    std::array<vector_clock, kReaches> all;
    for (const std::uint32_t r : ranks)
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = join(all[i], b.all[r].clocks->acquirable[i]);
    if (all[0])
      for (const std::uint32_t r : ranks) {
        b.all[r].clocks->acquirable = all;
        b.all[r].has_acquirable = true;
      }
  }
  share_told(b, ranks);
  if (b.fencers.empty()) return;
  fence_clocks all;
  join_fences(b, ranks, all);
  for (const std::uint32_t r : ranks)
    for (std::size_t reach = 0; reach < all.size(); ++reach) b.all[r].clocks->fenced[reach].join_with(all[reach]);
}

}  // namespace

struct sync_object::content {
  clock_pair clock;
};
sync_object::sync_object() : content_(std::make_unique<content>()) {}
sync_object::~sync_object() = default;
sync_object::sync_object(sync_object&&) noexcept = default;
sync_object& sync_object::operator=(sync_object&&) noexcept = default;
void sync_object::clear() { content_->clock = {}; }

void block_barrier(block_state& b) {
  flush_all(b);
  acquire_by_barrier(b);
  share_fences(b);
  share_seen(b);
  share_told(b);
  if (b.knows) b.know(b.known());
  b.new_base(b.now());
}

void warp_sync(block_state& b, int warp, std::uint32_t mask) {
  close_deferred(b);
  const int first = warp * kWarp;
  if (first + kWarp > b.threads) mask &= first >= b.threads ? 0 : 0xffffffffu >> (first + kWarp - b.threads);
  if (b.has_unjudged_write)
    for (std::uint32_t m = mask; m; m &= m - 1) flush_member(b, first + std::countr_zero(m));
  if (!b.lanes_used) {
    b.lanes.assign(static_cast<std::size_t>(b.threads) * kWarp, 0);
    b.lanes_used = b.dirty = true;
  }
  const epoch now = b.now();
  std::array<epoch, kWarp> all{};
  clock_pair known;
  for (std::uint32_t m = mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const epoch* seen = b.lanes.data() + static_cast<std::size_t>(first + lane) * kWarp;
    for (int i = 0; i < kWarp; ++i)
      all[static_cast<std::size_t>(i)] = std::max(all[static_cast<std::size_t>(i)], seen[i]);
    if (b.knows) known.join_with(b.all[static_cast<std::size_t>(first + lane)].clocks->known);
  }
  for (std::uint32_t m = mask; m; m &= m - 1) all[static_cast<std::size_t>(std::countr_zero(m))] = now;
  for (std::uint32_t m = mask; m; m &= m - 1) {
    thread_state& t = b.all[static_cast<std::size_t>(first + std::countr_zero(m))];
    std::memcpy(b.lanes.data() + static_cast<std::size_t>(t.rank) * kWarp, all.data(), sizeof all);
    t.released = now;
    if (b.knows) t.clocks->known = known;
  }
  b.quiet_from = now;
  if (b.fencers.empty() && !b.has_seen && !b.has_told) return;
  std::array<std::uint32_t, kWarp> ranks;
  std::size_t n = 0;
  for (std::uint32_t m = mask; m; m &= m - 1) ranks[n++] = static_cast<std::uint32_t>(first + std::countr_zero(m));
  share_some(b, std::span(ranks).first(n));
}

void group_sync(block_state& b, std::span<const int> ranks) {
  if (ranks.empty()) return;
  bool one_warp = true;
  std::uint32_t mask = 0;
  for (int r : ranks) {
    one_warp &= r / kWarp == ranks[0] / kWarp;
    mask |= 1u << (r % kWarp);
  }
  if (one_warp) return warp_sync(b, ranks[0] / kWarp, mask);
  for (int r : ranks) flush_member(b, r);
  clock_pair all;
  for (int r : ranks) {
    clock_pair c;
    publish(b.all[static_cast<std::size_t>(r)], c);
    all.join_with(c);
  }
  for (int r : ranks) b.all[static_cast<std::size_t>(r)].clocks->known = all;
  b.knows = true;
  if (!b.fencers.empty() || b.has_seen || b.has_told)
    share_some(b, std::vector<std::uint32_t>(ranks.begin(), ranks.end()));
}

void arrive_at_named(thread_state& t, int number) {
  block_state& b = *t.block;
  b.core->flush(t);
  b.named.resize(kNamedBarriers);
  named_arrivals& at = b.named[static_cast<std::size_t>(number)];
  clock_pair c;
  publish(t, c);
  at.clock.join_with(c);
  for (std::size_t reach = 0; reach < kReaches; ++reach) {
    at.fenced[reach].join_with(t.clocks->fenced[reach]);
    at.seen[reach] = join(at.seen[reach], t.clocks->acquirable[reach]);
  }
  if (!t.clocks->told) return;
  at.told.join_with(t.clocks->told);
  at.told_at = t.clocks->told_at;
}

void named_barrier(block_state& b, int number, std::span<const int> ranks) {
  b.meets_by_number = true;
  group_sync(b, ranks);
  if (b.named.empty()) return;
  named_arrivals& at = b.named[static_cast<std::size_t>(number)];
  for (const int r : ranks) {
    thread_state& t = b.all[static_cast<std::size_t>(r)];
    learn(t, at.clock);
    bool fenced = false;
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
      t.clocks->fenced[reach].join_with(at.fenced[reach]);
      fenced = fenced || at.fenced[reach];
      t.clocks->acquirable[reach] = join(t.clocks->acquirable[reach], at.seen[reach]);
    }
    if (at.seen[0]) t.has_acquirable = b.has_seen = b.dirty = true;
    if (at.told) {
      t.clocks->told.join_with(at.told);
      t.clocks->told_at = at.told_at;
      b.has_told = b.dirty = true;
    }
    if (fenced && !t.has_fenced) {
      t.has_fenced = true;
      b.fencers.push_back(t.rank);
    }
  }
  at = {};
}

void blocks_sync(std::span<block_state* const> blocks) {
  if (blocks.empty()) return;
  detector_core& d = *blocks[0]->core;
  launch_state& l = *blocks[0]->launch;
  if (blocks.size() > 1) l.blocks_meet.store(true, std::memory_order_relaxed);
  clock_pair all;
  for (block_state* b : blocks) {
    flush_all(*b);
    acquire_by_barrier(*b);
    share_fences(*b);
    share_seen(*b);
    share_told(*b);
    if (b->knows) all.join_with(b->known());
  }
  const epoch now = d.epochs.now();
  const bool whole = static_cast<std::int64_t>(blocks.size()) == l.blocks;
  if (whole) {
    for (block_state* b : blocks) b->grid_base = now;
  } else {
    for (block_state* b : blocks) {
      const vector_clock k = clock_of_block(key_of(*b), now, {});
      all.join_with({k, k});
    }
  }
  for (block_state* b : blocks) {
    b->ahead.drop();
    b->new_base(now);
    if (all) b->know(all);
  }
}

void release(thread_state& t, sync_object& s) {
  t.block->core->flush(t);
  clock_pair c;
  publish(t, c);
  s.get().clock.join_with(c);
}

void acquire(thread_state& t, sync_object& s) {
  t.block->core->flush(t);
  learn(t, s.get().clock);
}

void tell_object(thread_state& copy) {
  copy.block->core->flush(copy);
  clock_pair c;
  publish(copy, c);
  copy.block->owner->told_copies.join_with(c);
}

void wait_for_told_copies(thread_state& t) {
  t.block->core->flush(t);
  if (t.block->told_copies) learn(t, t.block->told_copies);
}

void fence(thread_state& t, order o, scope s) {
  detector_core& d = *t.block->core;
  d.flush(t);
  if (const auto& seen = t.block->seen; acquires(o) && (t.has_acquirable || seen[0])) {
    clock_pair c;
    for (std::size_t i = 1; i <= reach_of(s); ++i) c.scoped = join(c.scoped, join(t.clocks->acquirable[i], seen[i]));
    c.unscoped = join(t.clocks->acquirable[0], seen[0]);
    learn(t, c);
  }
  if (releases(o)) {
    publish(t, t.clocks->fenced[reach_of(s)]);
    if (s > scope::block) t.block->launch->blocks_meet.store(true, std::memory_order_relaxed);
  }
  if (releases(o) && !t.has_fenced) {
    t.has_fenced = true;
    t.block->fencers.push_back(t.rank);
  }
}

}  // namespace simt::check
