// SPDX-License-Identifier: Apache-2.0
#include "sim/check/sync_variables.hpp"

#include <algorithm>
#include <array>

#include "sim/check/clocks.hpp"

namespace simt::check {
namespace {

bool scopes_hold_each_other(const sync_variable& x, const thread_state& t, scope s) {
  const block_state& b = *t.block;
  const scope narrow = std::min(x.tail_scope, s);
  if (x.tail_on_host != b.launch->on_host) return narrow == scope::system;
  if (x.tail_block == key_of(b)) return narrow >= scope::block || x.tail_rank == t.rank;
  if (x.tail_cluster == cluster_key(b) && narrow >= scope::cluster) return true;
  return narrow >= scope::device;
}

void add_head(sync_heads& h, const block_state& b, scope s, const clock_pair& c) {
  h.unscoped = join(h.unscoped, c.unscoped);
  if (s >= scope::system) h.system = join(h.system, c.scoped);
  if (b.launch->on_host) return;
  if (s >= scope::block) {
    auto& k = h.block[key_of(b)];
    k = join(k, c.scoped);
  }
  if (s >= scope::cluster) {
    auto& k = h.cluster[cluster_key(b)];
    k = join(k, c.scoped);
  }
  if (s >= scope::device) h.device = join(h.device, c.scoped);
}

template <class Map, class Key>
vector_clock find_in(const Map& m, const Key& k) {
  auto it = m.find(k);
  return it == m.end() ? nullptr : it->second;
}

}  // namespace

sync_variable* sync_variables::find(std::uintptr_t address, std::uint32_t size) {
  cell* c = shadow_.cell_of(address);
  if (!c || !is_slow(c->writer)) return nullptr;
  for (auto& s : slow_cell_of(c->writer).syncs)
    if (s->address == address && s->size == size) return s.get();
  return nullptr;
}

void sync_variables::overwrite(std::uintptr_t granule, std::uintptr_t address, std::size_t size, bool keep_same) {
  cell* c = shadow_.cell_of(granule);
  const std::uint8_t back = slow_cell_of(c->writer).sync_back;
  for (int k = 0; k < 4; ++k) {
    if (k && !(back >> k & 1)) continue;
    cell* owner = c - k;
    if (!is_slow(owner->writer)) continue;
    std::erase_if(slow_cell_of(owner->writer).syncs, [&](const auto& s) {
      if (keep_same && s->address == address && s->size == size) return false;
      return s->address < address + size && s->address + s->size > address;
    });
  }
}

void sync_variables::acquire(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, bool now,
                             bool by_barrier) {
  const sync_variable* x = find(address, size);
  if (!x) return;
  const block_state& b = *t.block;
  std::array<vector_clock, kReaches> reach;
  reach[0] = x->heads.unscoped;
  if (scopes_hold_each_other(*x, t, s)) {
    reach[reach_of(scope::system)] = x->heads.system;
    if (!b.launch->on_host) {
      reach[reach_of(scope::block)] = find_in(x->heads.block, key_of(b));
      reach[reach_of(scope::cluster)] = find_in(x->heads.cluster, cluster_key(b));
      reach[reach_of(scope::device)] = x->heads.device;
    }
  }
  for (std::size_t i = 0; i < kReaches; ++i) t.clocks->acquirable[i] = join(t.clocks->acquirable[i], reach[i]);
  t.has_acquirable = t.block->has_seen = t.block->dirty = true;
  if (!now && !by_barrier) return;
  clock_pair c;
  c.unscoped = reach[0];
  for (std::size_t i = 1; i <= reach_of(s); ++i) c.scoped = join(c.scoped, reach[i]);
  if (now) {
    learn(t, c);
  } else if (c) {
    t.clocks->by_barrier.join_with(c);
    t.block->barrier_learns = true;
  }
}

void sync_variables::release(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what, order o,
                             scope s) {
  cell* c = shadow_.cell_of(address);
  if (!c || !is_slow(c->writer)) return;
  block_state& b = *t.block;
  sync_variable* x = find(address, size);
  bool fenced = false;
  for (std::size_t i = 0; i < kReaches; ++i) fenced |= t.clocks->fenced[i] || b.fenced[i];
  if (!x && !releases(o) && !fenced) return;
  if (!x) {
    slow_cell& e = slow_cell_of(c->writer);
    x = e.syncs.emplace_back(std::make_unique<sync_variable>()).get();
    x->address = address;
    x->size = size;
    for (std::uint32_t k = 1; k * 4 < size; ++k)
      if (is_slow(c[k].writer)) slow_cell_of(c[k].writer).sync_back |= static_cast<std::uint8_t>(1 << k);
  } else if (what == atomic_op::store) {
    x->heads = {};
  } else if (!scopes_hold_each_other(*x, t, s)) {
    x->heads.clear_scoped();
  }
  x->tail_scope = s;
  x->tail_block = key_of(b);
  x->tail_cluster = cluster_key(b);
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

}  // namespace simt::check
