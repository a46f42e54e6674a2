// SPDX-License-Identifier: Apache-2.0
// The brute-force detector: full vector clocks for every agent, every pair of accesses compared at every byte.
//
// Shares no code and no idea with the fast one: no epochs, no pruning. Slow on purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "sim/check/detector.hpp"
#include "sim/check/padding.hpp"

namespace oracle {

using simt::check::atomic_op;
using simt::check::order;
using simt::check::scope;

using clock = std::vector<std::uint32_t>;  // by agent

inline void join(clock& a, const clock& b) {
  if (a.size() < b.size()) a.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) a[i] = std::max(a[i], b[i]);
}

struct both {
  clock real, wide;
  bool operator==(const both&) const = default;
  void join_with(const both& o) { join(real, o.real), join(wide, o.wide); }
};

struct agent {
  int launch = 0, block = 0, rank = 0;  // block: also unique for asynchronous copies and host work
  int cluster = 0;
  both now, by_barrier;
  struct fence {
    scope s;
    both at;
    bool operator==(const fence&) const = default;
  };
  std::vector<fence> fences;
  struct pending {  // a head seen by a load: may be acquired by a later fence
    int from;
    scope s;
    both at;
    bool linked;
    bool operator==(const pending&) const = default;
  };
  std::vector<pending> seen;
  bool host = false;  // else a thread of the device
};

enum class kind { plain_read, plain_write, atomic_read, atomic_write };
inline bool writes(kind k) { return k == kind::plain_write || k == kind::atomic_write; }
inline bool atomic(kind k) { return k == kind::atomic_read || k == kind::atomic_write; }

struct access {
  int agent;
  std::uint32_t time;
  kind what;
  scope s;
  std::uintptr_t address;
  std::size_t size;
  std::uintptr_t pc;
  int step;
  bool is_volatile;
  std::shared_ptr<const clock> known = nullptr;  // of atomic writes: what the agent knew by then
};

struct location {
  struct head {
    int from;
    scope s;
    both at;
    bool linked = true;  // every link of the sequence so far is between scopes that hold each other
  };
  std::vector<head> heads;
  int tail = 0;
  scope tail_scope = scope::thread;
};

class detector {
 public:
  std::vector<agent> agents;
  std::vector<access> accesses;
  std::map<std::pair<std::uintptr_t, std::size_t>, location> locations;
  std::set<std::uintptr_t> initialised;
  int step = 0;
  std::uintptr_t shared_from = ~std::uintptr_t{0};  // arrays of shared memory begin here
  // Per byte: step of the first race of any kind, and of the first that no scope would cure.
  std::map<std::uintptr_t, int> first_any, first_full;
  std::map<std::uintptr_t, int> first_uninit;
  std::set<int> uninit_steps;

  int add(int launch, int block, int rank, int cluster, const both& from) {
    const int id = static_cast<int>(agents.size());
    agents.push_back({launch, block, rank, cluster, from, {}, {}, {}, false});
    tick(id);
    return id;
  }

  bool mutual(int a, scope sa, int b, scope sb) const {
    const agent &x = agents[a], &y = agents[b];
    const scope narrow = std::min(sa, sb);
    if (a == b) return true;
    if (x.host != y.host) return narrow == scope::system;
    if (x.launch == y.launch && x.block == y.block) return narrow >= scope::block;
    if (x.launch == y.launch && x.cluster == y.cluster) return narrow >= scope::cluster;
    return narrow >= scope::device;
  }

  // The last write to an aligned word of 4 bytes, if it was a read-modify-write.
  struct update {
    int by;
    scope s;
    std::uintptr_t address;
    std::size_t size;
  };
  std::map<std::uintptr_t, update> updates;
  // `b` made the last update of the location, so it follows all atomic writes of it that the update can have observed.
  bool observed(const access& a, int b, std::uintptr_t byte) const {
    const auto it = updates.find(byte & ~std::uintptr_t{3});
    if (it == updates.end() || it->second.by != b || a.what != kind::atomic_write) return false;
    const update& u = it->second;
    const agent &x = agents[a.agent], &y = agents[b];
    const bool same_block = x.launch == y.launch && x.block == y.block;
    return u.address == a.address && u.size == a.size &&
           std::min(a.s, u.s) >= (x.host != y.host ? scope::system
                                  : same_block     ? scope::block
                                                   : scope::device);
  }

  // An atomic load that is ordered before such a write: by coherence it comes before the update as well, but nothing
  // has observed it. The fast detector may tell of it, and may have dropped it for the write.
  bool observed_by_a_write(const access& a, int b, std::uintptr_t byte) const {
    if (a.what != kind::atomic_read) return false;
    return std::any_of(accesses.begin(), accesses.end(), [&](const access& later) {
      return later.known && at(*later.known, a.agent) >= a.time && later.s == a.s && later.address == a.address &&
             later.size == a.size && observed(later, b, byte);
    });
  }

  // 0: none, 1: only for want of scope, 2: race.
  int race(const access& a, int b, kind k, scope s, std::uintptr_t address, std::size_t size, bool is_volatile) const {
    if (!writes(a.what) && !writes(k)) return 0;
    if (a.agent == b) return 0;
    const bool real = at(agents[b].now.real, a.agent) >= a.time;
    const bool wide = at(agents[b].now.wide, a.agent) >= a.time;
    if (real) return 0;
    const agent &x = agents[a.agent], &y = agents[b];
    if (a.is_volatile && is_volatile && address >= shared_from && writes(a.what) != writes(k) && x.launch == y.launch &&
        x.block == y.block && x.rank / 32 == y.rank / 32)
      return wide ? 1 : 2;  // lanes of one warp
    if (atomic(a.what) && atomic(k) && a.address == address && a.size == size)
      return mutual(a.agent, a.s, b, s) ? 0 : 1;
    return wide ? 1 : 2;
  }

  // Whether the run of unwritten bytes around `byte` may be a gap of a structure.
  bool is_padding(kind k, std::uintptr_t address, std::size_t size, std::uintptr_t byte) const {
    if (atomic(k)) return false;
    std::uintptr_t from = byte, to = byte + 1;
    while (from > address && !initialised.count(from - 1)) --from;
    while (to < address + size && !initialised.count(to)) ++to;
    return simt::check::may_be_padding(address, size, from, to);
  }

  void perform(int t, kind k, scope s, std::uintptr_t address, std::size_t size, std::uintptr_t pc, bool reads,
               bool is_volatile = false) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::uintptr_t byte = address + i;
      int worst = 0;
      for (const access& a : accesses)
        if (byte >= a.address && byte < a.address + a.size &&
            (k != kind::plain_write || !(observed(a, t, byte) || observed_by_a_write(a, t, byte))))
          worst = std::max(worst, race(a, t, k, s, address, size, is_volatile));
      if (worst >= 1) first_any.try_emplace(byte, step);
      if (worst >= 2) first_full.try_emplace(byte, step);
      if (reads && !initialised.count(byte) && !is_padding(k, address, size, byte)) {
        first_uninit.try_emplace(byte, step);
        uninit_steps.insert(step);
      }
      if (writes(k)) initialised.insert(byte);
    }
    if (writes(k))
      for (std::uintptr_t word = address & ~std::uintptr_t{3}; word < address + size; word += 4) {
        if (const auto it = updates.find(word); it != updates.end() && (k != kind::plain_write || it->second.by != t))
          updates.erase(it);
        if (atomic(k) && reads) updates[word] = {t, s, address, size};
      }
    tick(t);
    accesses.push_back({t, agents[t].now.real[t], k, s, address, size, pc, step, is_volatile});
    if (k == kind::atomic_write) accesses.back().known = std::make_shared<const clock>(agents[t].now.real);
  }

  void plain(int t, bool write, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
    perform(t, write ? kind::plain_write : kind::plain_read, scope::system, address, size, pc, !write);
    if (write) overwrite(address, size, false);
  }

  void atomic_access(int t, atomic_op op, order o, scope s, std::uintptr_t address, std::size_t size, std::uintptr_t pc,
                     bool is_volatile = false) {
    const bool is_acquire = o == order::acquire || o == order::acq_rel || o == order::seq_cst;
    const bool is_release = o == order::release || o == order::acq_rel || o == order::seq_cst;
    if (op != atomic_op::store) load(t, address, size, s, is_acquire, op == atomic_op::rmw && s >= scope::device);
    perform(t, op == atomic_op::load ? kind::atomic_read : kind::atomic_write, s, address, size, pc,
            op != atomic_op::store, is_volatile);
    if (op == atomic_op::load) return;
    overwrite(address, size, true);
    location& l = locations[{address, size}];
    if (op == atomic_op::store)
      l.heads.clear();
    else if (!l.heads.empty() && !mutual(l.tail, l.tail_scope, t, s))
      for (auto& h : l.heads) h.linked = false;
    l.tail = t;
    l.tail_scope = s;
    for (const auto& f : agents[t].fences) l.heads.push_back({t, f.s, f.at});
    if (is_release) l.heads.push_back({t, s, agents[t].now});
    tick(t);
  }

  void load(int t, std::uintptr_t address, std::size_t size, scope s, bool acquires, bool by_barrier = false) {
    auto it = locations.find({address, size});
    if (it == locations.end()) return;
    const location& l = it->second;
    const bool link = mutual(l.tail, l.tail_scope, t, s);
    for (const auto& h : l.heads) {
      const bool linked = link && h.linked;
      agents[t].seen.push_back({h.from, h.s, h.at, linked});
      if (!acquires && by_barrier) {
        if (linked && mutual(h.from, h.s, t, s)) join(agents[t].by_barrier.real, h.at.real);
        join(agents[t].by_barrier.wide, h.at.wide);
      }
      if (!acquires) continue;
      if (linked && mutual(h.from, h.s, t, s)) join(agents[t].now.real, h.at.real);
      join(agents[t].now.wide, h.at.wide);
    }
  }

  // A barrier of blocks: acquires what their read-modify-writes at device scope have read.
  void barrier(const std::vector<int>& ids) {
    for (int t : ids) {
      join(agents[t].now.real, agents[t].by_barrier.real);
      join(agents[t].now.wide, agents[t].by_barrier.wide);
      agents[t].by_barrier = {};
    }
    together(ids);
  }

  void fence(int t, order o, scope s) {
    if (o == order::acquire || o == order::acq_rel || o == order::seq_cst)
      for (const auto& p : agents[t].seen) {
        if (p.linked && mutual(p.from, p.s, t, s)) join(agents[t].now.real, p.at.real);
        join(agents[t].now.wide, p.at.wide);
      }
    if (o == order::release || o == order::acq_rel || o == order::seq_cst) {
      agents[t].fences.push_back({s, agents[t].now});
      tick(t);
    }
  }

  void together(const std::vector<int>& ids) {
    both all;
    for (int i : ids) all.join_with(agents[i].now);
    for (int i : ids) agents[i].now = all;
    // Within a block, fences count for those who come after them, and what was seen for the fences that come after.
    std::map<std::pair<int, int>, agent> blocks;
    for (int i : ids) {
      agent& b = blocks[{agents[i].launch, agents[i].block}];
      b.fences.insert(b.fences.end(), agents[i].fences.begin(), agents[i].fences.end());
      b.seen.insert(b.seen.end(), agents[i].seen.begin(), agents[i].seen.end());
    }
    for (int i : ids) {
      const agent& b = blocks[{agents[i].launch, agents[i].block}];
      keep_new(agents[i].fences, b.fences);
      keep_new(agents[i].seen, b.seen);
    }
    for (int i : ids) tick(i);
  }

  // A thread arrives at a named barrier and goes on: `at` takes what it has done, its fences and what it has seen.
  void arrive(int t, agent& at) {
    at.now.join_with(agents[t].now);
    pass_on(agents[t], at);
    tick(t);
  }
  void named_barrier(const std::vector<int>& ids, agent& at) {
    together(ids);
    for (int i : ids) {
      agents[i].now.join_with(at.now);
      pass_on(at, agents[i]);
    }
    at = {};
  }

  void tick(int t) {
    for (clock* c : {&agents[t].now.real, &agents[t].now.wide}) {
      if (c->size() <= static_cast<std::size_t>(t)) c->resize(t + 1);
      ++(*c)[t];
    }
    const std::uint32_t top = std::max(agents[t].now.real[t], agents[t].now.wide[t]);
    agents[t].now.real[t] = agents[t].now.wide[t] = top;
  }

 private:
  static void pass_on(const agent& from, agent& to) {
    agent all = from;
    all.fences.insert(all.fences.end(), to.fences.begin(), to.fences.end());
    all.seen.insert(all.seen.end(), to.seen.begin(), to.seen.end());
    keep_new(to.fences, all.fences);
    keep_new(to.seen, all.seen);
  }
  // Duplicates say nothing new, and would double at every barrier.
  template <class T>
  static void keep_new(std::vector<T>& mine, const std::vector<T>& all) {
    std::vector<T> out;
    for (const T& x : all)
      if (std::find(out.begin(), out.end(), x) == out.end()) out.push_back(x);
    mine = std::move(out);
  }
  static std::uint32_t at(const clock& c, int i) { return static_cast<std::size_t>(i) < c.size() ? c[i] : 0; }
  void overwrite(std::uintptr_t address, std::size_t size, bool keep_same) {
    std::erase_if(locations, [&](const auto& x) {
      if (keep_same && x.first.first == address && x.first.second == size) return false;
      return x.first.first < address + size && x.first.first + x.first.second > address;
    });
  }
};

}  // namespace oracle
