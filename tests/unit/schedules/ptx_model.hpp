// SPDX-License-Identifier: Apache-2.0
// The memory model of PTX by its axioms, for programs of a few instructions: every execution (which store each load
// reads, the coherence order of each cell, the order of fence.sc) is made, and those that an axiom forbids are left
// out. Shares nothing with the simulator's model (sim/exec/scheduler/weak_memory.hpp), which it is held against.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <vector>

#include "ptx_program.hpp"

namespace ptx_model {

struct program {
  int blocks = 2, threads = 1;                 // threads of a block
  std::vector<std::vector<instruction>> code;  // by thread
};
using outcome = std::vector<int>;  // what each load and swap has read, by thread and place

class executions {
 public:
  // as_simulated: only those that threads can show that run one after the other: a swap reads nothing that is stored
  // later, nobody reads what a swap stores later, it finds all stores before it done, a seq_cst access is one step with
  // its fence, and what base causality orders is done in that order.
  executions(const program& p, bool as_simulated) : p_(p), as_simulated_(as_simulated) {
    for (int t = 0; t < static_cast<int>(p.code.size()); ++t)
      for (const instruction& i : p.code[static_cast<std::size_t>(t)]) {
        if (i.o == order::seq_cst && i.what != op::fence) add({op::fence, 0, 0, order::seq_cst, i.s}, t);
        add(i, t);
      }
    rf_.assign(events_.size(), kInitial);
    choose_read(0);
  }
  std::set<outcome> outcomes;

 private:
  static constexpr int kInitial = -1;
  struct event {
    instruction i;
    int thread;
  };
  using relation = std::vector<std::vector<char>>;

  void add(const instruction& i, int thread) { events_.push_back({i, thread}); }
  int count() const { return static_cast<int>(events_.size()); }
  const event& at(int e) const { return events_[static_cast<std::size_t>(e)]; }
  bool reads(int e) const {
    return at(e).i.what == op::load || at(e).i.what == op::swap || at(e).i.what == op::plain_load;
  }
  bool writes(int e) const {
    return at(e).i.what == op::store || at(e).i.what == op::swap || at(e).i.what == op::plain_store;
  }
  bool fence(int e) const { return at(e).i.what == op::fence; }
  bool strong(int e) const { return at(e).i.what != op::plain_load && at(e).i.what != op::plain_store; }
  bool rel(int e) const { return strong(e) && at(e).i.o >= order::release; }
  bool acq(int e) const {
    const order o = at(e).i.o;
    return strong(e) && (o == order::acquire || o >= order::acq_rel);
  }
  bool po(int a, int b) const { return at(a).thread == at(b).thread && a < b; }
  bool reaches(int a, int b) const {
    return at(a).i.s != scope::block || at(a).thread / p_.threads == at(b).thread / p_.threads;
  }
  bool morally(int a, int b) const {  // strong
    if (at(a).thread == at(b).thread) return true;
    return strong(a) && strong(b) && reaches(a, b) && reaches(b, a);
  }
  bool same(int a, int b) const { return !fence(a) && !fence(b) && at(a).i.cell == at(b).i.cell; }
  relation none() const { return relation(events_.size(), std::vector<char>(events_.size(), 0)); }
  static void close(relation& r) {
    for (std::size_t k = 0; k < r.size(); ++k)
      for (std::size_t i = 0; i < r.size(); ++i)
        for (std::size_t j = 0; j < r.size() && r[i][k]; ++j) r[i][j] = static_cast<char>(r[i][j] | r[k][j]);
  }
  static bool cyclic(relation r) {
    close(r);
    for (std::size_t i = 0; i < r.size(); ++i)
      if (r[i][i]) return true;
    return false;
  }
  static char& in(relation& r, int a, int b) { return r[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]; }

  void choose_read(int e) {
    while (e < count() && !reads(e)) ++e;
    if (e == count()) return choose_coherence(0, none());
    for (int w = kInitial; w < count(); ++w)
      if (w == kInitial || (w != e && writes(w) && same(w, e))) {
        rf_[static_cast<std::size_t>(e)] = w;
        choose_read(e + 1);
      }
  }
  void choose_coherence(int cell, const relation& co) {
    std::vector<int> all;
    bool more = false;
    for (int e = 0; e < count(); ++e) {
      if (writes(e) && at(e).i.cell == cell) all.push_back(e);
      more = more || (!fence(e) && at(e).i.cell >= cell);
    }
    if (!more) return choose_fences(co);
    do {
      relation next = co;
      for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j) in(next, all[i], all[j]) = 1;
      choose_coherence(cell + 1, next);
    } while (std::ranges::next_permutation(all).found);
  }
  void choose_fences(const relation& co) {
    std::vector<int> all;
    for (int e = 0; e < count(); ++e)
      if (fence(e) && at(e).i.o == order::seq_cst) all.push_back(e);
    do {
      relation sc = none();
      for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
          if (morally(all[i], all[j])) in(sc, all[i], all[j]) = 1;
      judge(co, sc);
    } while (std::ranges::next_permutation(all).found);
  }

  void judge(relation co, relation sc) {
    const int n = count();
    relation rf = none(), fr = none(), obs = none(), bco = none();
    for (int r = 0; r < n; ++r) {
      if (!reads(r)) continue;
      const int w = rf_[static_cast<std::size_t>(r)];
      if (w >= 0) in(rf, w, r) = 1;
      for (int x = 0; x < n; ++x)
        if (x != r && writes(x) && same(x, r) && (w == kInitial || in(co, w, x))) in(fr, r, x) = 1;
      if (w >= 0 && morally(w, r) && strong(w) && strong(r)) in(obs, w, r) = 1;
    }
    // Atomicity: nothing between what a swap reads and what it stores.
    for (int u = 0; u < n; ++u)
      for (int x = 0; x < n && at(u).i.what == op::swap; ++x)
        if (in(fr, u, x) && in(co, x, u)) return;
    for (int u = 0; u < n; ++u)  // and it does not follow itself
      if (at(u).i.what == op::swap && rf_[static_cast<std::size_t>(u)] >= 0 &&
          in(co, u, rf_[static_cast<std::size_t>(u)]))
        return;
    // Observation goes on through swaps.
    for (int z = 0; z < n; ++z)
      for (int w = 0; w < n && at(z).i.what == op::swap; ++w)
        for (int r = 0; r < n; ++r)
          if (in(obs, w, z) && in(obs, z, r)) in(obs, w, r) = 1;
    close_through_swaps(obs);
    // What orders: program order, patterns that synchronise, fence.sc.
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) in(bco, a, b) = static_cast<char>(po(a, b) || in(sc, a, b));
    for (int w = 0; w < n; ++w)
      for (int r = 0; r < n; ++r) {
        if (!in(obs, w, r)) continue;
        for (int x = 0; x < n; ++x) {
          const bool begins = (x == w && rel(w)) || (po(x, w) && rel(x) && (fence(x) || (writes(x) && same(x, w))));
          for (int y = 0; y < n && begins; ++y) {
            const bool ends = (y == r && acq(r)) || (po(r, y) && acq(y) && (fence(y) || (reads(y) && same(y, r))));
            if (ends && morally(x, y)) in(bco, x, y) = 1;
          }
        }
      }
    close(bco);
    relation cause = bco;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        for (int c = 0; c < n && in(obs, a, b); ++c)
          if (in(bco, b, c)) in(cause, a, c) = 1;
    for (int a = 0; a < n; ++a) {
      if (in(cause, a, a)) return;
      for (int b = 0; b < n; ++b) {
        if (!in(cause, a, b)) continue;
        if (in(sc, b, a)) return;                  // Fence-SC
        if (in(co, b, a)) return;                  // coherence
        if (in(rf, b, a) || in(fr, b, a)) return;  // causality
      }
    }
    // Sequential consistency for each location, among what is morally strong.
    relation local = none(), seen = none();
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        if (a == b || !same(a, b)) continue;
        in(local, a, b) =
            static_cast<char>(po(a, b) || (morally(a, b) && (in(rf, a, b) || in(co, a, b) || in(fr, a, b))));
      }
    if (cyclic(local)) return;
    if (as_simulated_) {
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          in(seen, a, b) = static_cast<char>(in(bco, a, b) ||
                                             (in(rf, a, b) && (at(a).i.what == op::swap || at(b).i.what == op::swap)) ||
                                             (at(a).i.what == op::swap && in(co, a, b)));
      join_fences(seen);
      if (cyclic(seen)) return;
    }
    outcome out;
    for (int r = 0; r < n; ++r)
      if (reads(r)) {
        const int w = rf_[static_cast<std::size_t>(r)];
        out.push_back(w == kInitial ? 0 : at(w).i.value);
      }
    outcomes.insert(out);
  }
  // A seq_cst access and its fence are one step.
  void join_fences(relation& seen) const {
    for (int e = 1; e < count(); ++e) {
      if (fence(e) || at(e).i.o != order::seq_cst) continue;
      for (int x = 0; x < count(); ++x) {
        if (x != e - 1 && in(seen, x, e)) in(seen, x, e - 1) = 1;
        if (x != e && in(seen, e - 1, x)) in(seen, e, x) = 1;
      }
    }
  }
  void close_through_swaps(relation& obs) {
    for (bool more = true; more;) {
      more = false;
      for (int z = 0; z < count(); ++z)
        for (int w = 0; w < count() && at(z).i.what == op::swap; ++w)
          for (int r = 0; r < count(); ++r)
            if (in(obs, w, z) && in(obs, z, r) && !in(obs, w, r)) in(obs, w, r) = 1, more = true;
    }
  }

  const program& p_;
  const bool as_simulated_;
  std::vector<event> events_;
  std::vector<int> rf_;
};

}  // namespace ptx_model
