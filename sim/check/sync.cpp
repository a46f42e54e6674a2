// SPDX-License-Identifier: Apache-2.0
// Order inside a launch: barriers, warp syncs, atomics, fences, sync objects. Follows PTX's memory model:
// a release pattern synchronises with an acquire pattern when the value read comes from the release's sequence, every
// link of that sequence is between operations whose scopes hold each other, and so are its two ends.
#include <cstring>

#include "sim/check/core.hpp"

namespace simt::check {
namespace {

constexpr std::size_t reach_of(scope s) { return static_cast<std::size_t>(s); }
std::uint64_t cluster_of(const block_state& b) {
  return std::uint64_t{b.launch->agent} << 32 | static_cast<std::uint32_t>(b.cluster);
}
std::uint64_t key_of(const block_state& b) { return std::uint64_t{b.launch->agent} << 32 | b.number; }

bool scopes_hold_each_other(const sync_location& x, const thread_state& t, scope s) {
  const block_state& b = *t.block;
  const scope narrow = std::min(x.tail_scope, s);
  if (x.tail_on_host != b.launch->on_host) return narrow == scope::system;
  if (x.tail_block == key_of(b)) return narrow >= scope::block || x.tail_rank == t.rank;
  if (x.tail_cluster == cluster_of(b) && narrow >= scope::cluster) return true;
  return narrow >= scope::device;
}

void add_head(sync_heads& h, const block_state& b, scope s, const clock_pair& c) {
  h.wide = join(h.wide, c.wide);
  if (s >= scope::system) h.system = join(h.system, c.real);
  if (b.launch->on_host) return;
  if (s >= scope::block) {
    auto& k = h.block[key_of(b)];
    k = join(k, c.real);
  }
  if (s >= scope::cluster) {
    auto& k = h.cluster[cluster_of(b)];
    k = join(k, c.real);
  }
  if (s >= scope::device) h.device = join(h.device, c.real);
}

template <class Map, class Key>
knowledge find_in(const Map& m, const Key& k) {
  auto it = m.find(k);
  return it == m.end() ? nullptr : it->second;
}

void learn(thread_state& t, const clock_pair& c) {
  if (!c) return;
  t.clocks->known.join_with(c);
  t.block->knows = t.block->dirty = true;
}

// Is it an element of an array of the block's shared memory? A single variable is a flag that lanes may poll.
bool in_shared_array(const block_state& b, std::uintptr_t address) {
  constexpr std::size_t kLargestFlag = 8;
  if (address - b.shared.base >= b.shared.size) return false;
  for (const shared_object& a : b.arrays)
    if (address - a.address < a.size) return a.size > kLargestFlag;
  return false;
}

void settle_all(block_state& b) {
  if (!b.owing) return;
  b.owing = false;
  for (int i = 0; i < b.threads; ++i)
    if (b.all[static_cast<std::size_t>(i)].pending) b.core->settle(b.all[static_cast<std::size_t>(i)]);
}

// Others than the members may be between the announcement of an access and the access.
void settle_member(block_state& b, int rank) {
  if (thread_state& t = b.all[static_cast<std::size_t>(rank)]; t.pending) b.core->settle(t);
}

// "The last block done": thread 0 draws a ticket with a relaxed read-modify-write, a barrier, then all read what the
// other blocks released before they drew theirs. The Programming Guide and its samples have no fence in between, so the
// barrier counts as one.
void acquire_by_barrier(block_state& b) {
  if (!b.barrier_learns) return;
  b.barrier_learns = false;
  for (int i = 0; i < b.threads; ++i) {
    thread_state& t = b.all[static_cast<std::size_t>(i)];
    learn(t, t.clocks->by_barrier);
    t.clocks->by_barrier = {};
  }
}

// Sequentially consistent fences are in one order, the writer's before the reader's if a flag was seen between them. So
// what a thread did before its fence is passed on by whoever comes after that fence through a barrier (all fence, a
// barrier, one stores the flag); and what a thread has seen is acquired by the fence of whoever comes after it through a
// barrier (one sees the flag, a barrier, all fence). PTX ISA, Fence-SC order; weaker fences are taken for such ones, and
// that both are there is not asked.
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
    std::array<knowledge, kReaches> all;
    for (const std::uint32_t r : ranks)
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = join(all[i], b.all[r].clocks->acquirable[i]);
    if (all[0])
      for (const std::uint32_t r : ranks) {
        b.all[r].clocks->acquirable = all;
        b.all[r].has_acquirable = true;
      }
  }
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

// ---- clocks ---------------------------------------------------------------------------------------------------

const knowledge& detector_core::inherited(launch_state& l) {
  if (!l.has_inherited.load(std::memory_order_acquire)) {
    std::lock_guard guard(pool_mutex);
    if (!l.has_inherited.load()) {
      // The stream's own work and the host's is always ordered before, so only news of other streams asks for all again.
      const int own = agent_of(l.agent).stream;
      auto& last = streams[static_cast<std::size_t>(own)].inherited;
      bool news = last.upto < first_agent;
      for (std::size_t i = 1; i < l.after.size(); ++i)
        news |= static_cast<int>(i) != own && l.after[i] != (i < last.after.size() ? last.after[i] : 0);
      if (news) last = {nullptr, {}, first_agent};
      for (std::uint32_t i = last.upto; i < l.agent; ++i)
        if (agent_ordered(l, i)) last.known = join(last.known, know_block(std::uint64_t{i} << 32 | kWholeAgent, kIdMask, {}));
      last.after = l.after;
      last.upto = l.agent;
      l.inherited = last.known;
      l.has_inherited.store(true, std::memory_order_release);
    }
  }
  return l.inherited;
}

void detector_core::publish(thread_state& t, clock_pair& out) {
  block_state& b = *t.block;
  const time_id now = descriptors.now();
  thread_times times;
  if (b.lanes_used) {
    const std::uint32_t first = t.rank / kWarp * kWarp;
    for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
      const std::uint32_t r = first + lane;
      const time_id until = r == t.rank ? now : b.lanes[std::size_t{t.rank} * kWarp + lane];
      if (until > b.base) times.emplace_back(r, until);
    }
  } else {
    times.emplace_back(t.rank, now);
  }
  knowledge own = join(know_block(key_of(b), b.base, std::move(times)), inherited(*b.launch));
  // Blocks of this launch share the grid barrier anyway; other launches learn of it here.
  if (b.grid_base) own = join(own, know_block(std::uint64_t{b.launch->agent} << 32 | kWholeAgent, b.grid_base, {}));
  const bool same = t.clocks->known.real == t.clocks->known.wide;
  out.real = join(t.clocks->known.real, own);
  out.wide = same ? out.real : join(t.clocks->known.wide, own);
  t.released = b.quiet_from = now;
  b.dirty = true;
}

void block_barrier(block_state& b) {
  settle_all(b);
  acquire_by_barrier(b);
  share_fences(b);
  share_seen(b);
  if (b.knows) b.know(b.known());
  b.new_base(b.core->descriptors.now());
}

void warp_sync(block_state& b, int warp, std::uint32_t mask) {
  const int first = warp * kWarp;
  if (first + kWarp > b.threads) mask &= first >= b.threads ? 0 : 0xffffffffu >> (first + kWarp - b.threads);
  if (b.owing)
    for (std::uint32_t m = mask; m; m &= m - 1) settle_member(b, first + std::countr_zero(m));
  if (!b.lanes_used) {
    b.lanes.assign(static_cast<std::size_t>(b.threads) * kWarp, 0);
    b.lanes_used = b.dirty = true;
  }
  const time_id now = b.core->descriptors.now();
  std::array<time_id, kWarp> all{};
  clock_pair known;
  for (std::uint32_t m = mask; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const time_id* row = b.lanes.data() + static_cast<std::size_t>(first + lane) * kWarp;
    for (int i = 0; i < kWarp; ++i)
      all[static_cast<std::size_t>(i)] = std::max(all[static_cast<std::size_t>(i)], row[i]);
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
  if (b.fencers.empty() && !b.has_seen) return;
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
  for (int r : ranks) settle_member(b, r);
  clock_pair all;
  for (int r : ranks) {
    clock_pair c;
    b.core->publish(b.all[static_cast<std::size_t>(r)], c);
    all.join_with(c);
  }
  for (int r : ranks) b.all[static_cast<std::size_t>(r)].clocks->known = all;
  b.knows = true;
  if (!b.fencers.empty() || b.has_seen) share_some(b, std::vector<std::uint32_t>(ranks.begin(), ranks.end()));
}

void blocks_sync(std::span<block_state* const> blocks) {
  if (blocks.empty()) return;
  detector_core& d = *blocks[0]->core;
  launch_state& l = *blocks[0]->launch;
  if (blocks.size() > 1) l.blocks_meet.store(true, std::memory_order_relaxed);
  clock_pair all;
  for (block_state* b : blocks) {
    settle_all(*b);
    acquire_by_barrier(*b);
    share_fences(*b);
    share_seen(*b);
    if (b->knows) all.join_with(b->known());
  }
  const time_id now = d.descriptors.now();
  const bool whole = static_cast<std::int64_t>(blocks.size()) == l.blocks;
  if (whole) {
    for (block_state* b : blocks) b->grid_base = now;
  } else {
    for (block_state* b : blocks) {
      const knowledge k = know_block(key_of(*b), now, {});
      all.join_with({k, k});
    }
  }
  for (block_state* b : blocks) {
    b->new_base(now);
    if (all) b->know(all);
  }
}

void release(thread_state& t, sync_object& s) {
  t.block->core->settle(t);
  clock_pair c;
  t.block->core->publish(t, c);
  s.get().clock.join_with(c);
}

void acquire(thread_state& t, sync_object& s) {
  t.block->core->settle(t);
  learn(t, s.get().clock);
}

// ---- fences and atomics -----------------------------------------------------------------------------------------

void fence(thread_state& t, order o, scope s) {
  detector_core& d = *t.block->core;
  d.settle(t);
  if (const auto& seen = t.block->seen; acquires(o) && (t.has_acquirable || seen[0])) {
    clock_pair c;
    for (std::size_t i = 1; i <= reach_of(s); ++i)
      c.real = join(c.real, join(t.clocks->acquirable[i], seen[i]));
    c.wide = join(t.clocks->acquirable[0], seen[0]);
    learn(t, c);
  }
  if (releases(o)) {
    d.publish(t, t.clocks->fenced[reach_of(s)]);
    if (s > scope::block) t.block->launch->blocks_meet.store(true, std::memory_order_relaxed);
  }
  if (releases(o) && !t.has_fenced) {
    t.has_fenced = true;
    t.block->fencers.push_back(t.rank);
  }
}

sync_location* detector_core::find_sync(std::uintptr_t address, std::uint32_t size) {
  cell* c = cell_of(address);
  if (!c || !is_private(c->writer)) return nullptr;
  for (auto& s : extended_of(c->writer).syncs)
    if (s->address == address && s->size == size) return s.get();
  return nullptr;
}

void detector_core::overwrite_syncs(std::uintptr_t granule, std::uintptr_t address, std::size_t size, bool keep_same) {
  cell* c = cell_of(granule);
  const std::uint8_t back = extended_of(c->writer).sync_back;
  for (int k = 0; k < 4; ++k) {
    if (k && !(back >> k & 1)) continue;
    cell* owner = c - k;
    if (!is_private(owner->writer)) continue;
    std::erase_if(extended_of(owner->writer).syncs, [&](const auto& s) {
      if (keep_same && s->address == address && s->size == size) return false;
      return s->address < address + size && s->address + s->size > address;
    });
  }
}

void detector_core::acquire_location(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, bool now,
                                     bool by_barrier) {
  const sync_location* x = find_sync(address, size);
  if (!x) return;
  const block_state& b = *t.block;
  std::array<knowledge, kReaches> reach;
  reach[0] = x->heads.wide;
  if (scopes_hold_each_other(*x, t, s)) {
    reach[reach_of(scope::system)] = x->heads.system;
    if (!b.launch->on_host) {
      reach[reach_of(scope::block)] = find_in(x->heads.block, key_of(b));
      reach[reach_of(scope::cluster)] = find_in(x->heads.cluster, cluster_of(b));
      reach[reach_of(scope::device)] = x->heads.device;
    }
  }
  for (std::size_t i = 0; i < kReaches; ++i) t.clocks->acquirable[i] = join(t.clocks->acquirable[i], reach[i]);
  t.has_acquirable = t.block->has_seen = t.block->dirty = true;
  if (!now && !by_barrier) return;
  clock_pair c;
  c.wide = reach[0];
  for (std::size_t i = 1; i <= reach_of(s); ++i) c.real = join(c.real, reach[i]);
  if (now) {
    learn(t, c);
  } else if (c) {
    t.clocks->by_barrier.join_with(c);
    t.block->barrier_learns = true;
  }
}

void detector_core::atomic_access(operation& op, atomic_op what) {
  const bool writes = what != atomic_op::load, reads = what != atomic_op::store;
  const std::uintptr_t line = op.address & ~std::uintptr_t{3};
  const bool lanes = in_shared_array(*op.thread.block, op.address);
  for (std::uintptr_t at = line; at < op.address + op.size; at += 4) {
    cell* c = cell_of(at);
    if (!c) break;
    touch n{writes ? record_kind::atomic_write : record_kind::atomic_read,
            reads,
            op.scope,
            0xf,
            static_cast<std::int8_t>(static_cast<std::intptr_t>(op.address - at)),
            static_cast<std::uint8_t>(op.size),
            op.is_volatile,
            lanes};
    if (op.size < 4) n.mask = static_cast<std::uint8_t>(((1 << op.size) - 1) << (op.address - at));
    if (!(c->writer & kExtended)) {
      if (c->writer == 0 && opt.memory) {
        const memory_state m = look_up(op.thread, at);
        if (n.mask & ~m.valid) {
          if (!op.bad_memory)
            report_memory(op, m.object && !m.object->live ? rule::use_after_free : rule::out_of_bounds, at);
          op.bad_memory = true;
          continue;
        }
      }
      extend(op, *c, at);
    }
    extended_cell& e = extended_form(*c);
    if (writes) overwrite_syncs(at, op.address, op.size, true);
    extended_access(op, e, at, n);
  }
}

void detector_core::release_location(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what,
                                     order o, scope s) {
  cell* c = cell_of(address);
  if (!c || !is_private(c->writer)) return;
  block_state& b = *t.block;
  sync_location* x = find_sync(address, size);
  bool fenced = false;
  for (std::size_t i = 0; i < kReaches; ++i) fenced |= t.clocks->fenced[i] || b.fenced[i];
  if (!x && !releases(o) && !fenced) return;
  if (!x) {
    extended_cell& e = extended_of(c->writer);
    x = e.syncs.emplace_back(std::make_unique<sync_location>()).get();
    x->address = address;
    x->size = size;
    for (std::uint32_t k = 1; k * 4 < size; ++k)
      if (is_private(c[k].writer)) extended_of(c[k].writer).sync_back |= static_cast<std::uint8_t>(1 << k);
  } else if (what == atomic_op::store) {
    x->heads = {};
  } else if (!scopes_hold_each_other(*x, t, s)) {
    x->heads.clear_real();
  }
  x->tail_scope = s;
  x->tail_block = key_of(b);
  x->tail_cluster = cluster_of(b);
  x->tail_rank = t.rank;
  x->tail_on_host = b.launch->on_host;
  for (std::size_t i = 0; i < kReaches; ++i)
    for (const clock_pair* f : {&t.clocks->fenced[i], &b.fenced[i]})
      if (*f) add_head(x->heads, b, static_cast<scope>(i), *f);
  if (releases(o)) {
    clock_pair now;
    publish(t, now);
    add_head(x->heads, b, s, now);
    if (s > scope::block) b.launch->blocks_meet.store(true, std::memory_order_relaxed);
  }
}

namespace {

bool any_atomic(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what, order o, scope s,
                std::uintptr_t pc, bool is_volatile = false) {
  detector_core& d = *t.block->core;
  if (!d.cell_of(address)) return false;
  operation op{t, address, size, pc, access_kind::atomic, descriptor_for(t, pc)};
  op.scope = s;
  op.is_volatile = is_volatile;
  op.writes = what != atomic_op::load;
  if (address & (size - 1)) {
    if (d.opt.memory) d.report_memory(op, rule::misaligned, address);
    return true;
  }
  if (d.in_shared(address))
    for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4)
      d.refresh_shared(t, *d.cell_of(at), at);
  // The acquire comes first: what the value carries is ordered before this very access.
  if (what != atomic_op::store)
    d.acquire_location(t, address, size, s, acquires(o), what == atomic_op::rmw && s >= scope::device);
  d.atomic_access(op, what);
  if (what != atomic_op::load) d.release_location(t, address, size, what, o, s);
  return true;
}

}  // namespace

atomic_section::atomic_section(thread_state& t, std::uintptr_t address) {
  detector_core& d = *t.block->core;
  if (t.pending) d.settle(t);
  guard_ = d.guard_cells(address);
}
atomic_section::~atomic_section() { end_guard(guard_); }

void compared_and_swapped(thread_state& t, std::uintptr_t address, std::uint32_t size) {
  detector_core& d = *t.block->core;
  if (!d.opt.races) return;
  d.forget_guesses(t, address, size);
  if (!d.guesses.any()) return;
  std::lock_guard guard(d.found_mutex);
  d.guesses.redeem({t.block->launch->agent, t.block->number, t.rank, address});
}

bool atomic(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what, order o, scope s,
            std::uintptr_t pc) {
  return any_atomic(t, address, size, what, o, s, pc);
}

bool read_volatile(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  detector_core& d = *t.block->core;
  if (d.opt.volatile_is_plain) return read(t, address, size, pc);
  atomic_section guard(t, address);
  if (!any_atomic(t, address, size, atomic_op::load, order::relaxed, scope::system, pc, true)) return false;
  if (d.opt.volatile_reads_lag) {
    t.clocks->volatile_read = {address, size};
    t.pending = t.block->owing = t.block->dirty = true;
  }
  return true;
}

bool write_volatile(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  if (t.block->core->opt.volatile_is_plain) return write(t, address, size, pc);
  atomic_section guard(t, address);
  return any_atomic(t, address, size, atomic_op::store, order::relaxed, scope::system, pc, true);
}

}  // namespace simt::check
