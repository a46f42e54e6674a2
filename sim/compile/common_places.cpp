// SPDX-License-Identifier: Apache-2.0
#include "common_places.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr unsigned kMostMembers = 16;  // of an array; all pairs are compared

// The array is written by the threads in `in`: behind the definition of `value`; or at the end, where a value that is
// no member comes to a phi that is one (null).
struct place_write {
  const Value* value;
  const region* in;
};
// A member is read there, when the region begins or ends.
struct place_read {
  const region* in;
  bool at_end;
};

class place_finder {
 public:
  place_finder(const region_map& m, function_ref<bool(Value*)> lies_in_array) : m_(m), lies_in_array_(lies_in_array) {}

  void run(DenseMap<const Value*, Value*>& leader) {
    for (const auto& r : m_.regions)
      for (PHINode& phi : r->head->phis())
        if (may_share(&phi))
          for (Value* v : phi.incoming_values())
            if (may_share(v)) join(&phi, v);
    for (const auto& set : sets_)
      if (set.size() > 1)
        for (Value* v : set) leader[v] = set.front();
  }

 private:
  using member_set = SmallVector<Value*, 4>;

  bool may_share(Value* v) const {
    const region* const home = m_.of(v);
    return home != nullptr && home->in == nullptr && lies_in_array_(v);
  }
  bool is_head_phi(const Value* v) const {
    auto* const phi = dyn_cast<PHINode>(v);
    return phi != nullptr && m_.of_head.count(const_cast<BasicBlock*>(phi->getParent())) != 0;
  }
  const region* end_of_way(const BasicBlock* from) const {
    return m_.is_tail(from) ? m_.before_tail.lookup(const_cast<BasicBlock*>(from))
                            : m_.of_block.lookup(const_cast<BasicBlock*>(from));
  }

  unsigned set_of(Value* v) {
    const auto [known, fresh] = set_.try_emplace(v, sets_.size());
    if (fresh) sets_.push_back({v});
    return known->second;
  }
  void join(Value* v, Value* w) {
    const unsigned a = set_of(v), b = set_of(w);
    if (a == b) return;
    member_set all(sets_[a]);
    all.append(sets_[b].begin(), sets_[b].end());
    if (all.size() > kMostMembers || !never_needed_together(all)) return;
    for (Value* moved : sets_[b]) set_[moved] = a;
    sets_[b].clear();
    sets_[a] = std::move(all);
  }

  bool never_needed_together(ArrayRef<Value*> members) const {
    SmallVector<place_write> writes;
    SmallPtrSet<const BasicBlock*, 8> heads;
    for (Value* m : members) {
      if (!is_head_phi(m)) {
        writes.push_back({m, m_.of(m)});
        continue;
      }
      auto* const phi = cast<PHINode>(m);
      if (!heads.insert(phi->getParent()).second) return false;
      for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
        if (!is_contained(members, phi->getIncomingValue(n)))
          writes.push_back({nullptr, end_of_way(phi->getIncomingBlock(n))});
    }
    return all_of(members, [&](Value* m) {
      const SmallVector<place_read> reads = reads_of(m, members);
      return all_of(writes, [&](const place_write& w) {
        return w.value == m || none_of(reads, [&](const place_read& r) { return comes_between(*m_.of(m), w, r); });
      });
    });
  }

  // Where m is taken out of the array, or has to be in it still.
  SmallVector<place_read> reads_of(Value* m, ArrayRef<Value*> members) const {
    SmallVector<place_read> reads;
    const region* const home = m_.of(m);
    for (User* u : m->users()) {
      if (is_head_phi(u)) {
        auto* const phi = cast<PHINode>(u);
        const bool stays = is_contained(members, static_cast<Value*>(phi));
        for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
          if (const region* const from = end_of_way(phi->getIncomingBlock(n));
              phi->getIncomingValue(n) == m && (stays || from != home))
            reads.push_back({from, stays});
      } else if (const region* const r = m_.of(u); r != home) {
        reads.push_back({r, false});
      }
    }
    return reads;
  }

  // Whether a write may change what `home` has left in the array before r reads it.
  bool comes_between(const region& home, const place_write& w, const place_read& r) const {
    if (r.in == nullptr || w.in == nullptr) return true;
    if (w.in != &home && !is_reached(home, *w.in, home)) return false;
    return (w.in == r.in && r.at_end) || is_reached(*w.in, *r.in, home);
  }
  // On a way on which `not_by` does not begin again.
  bool is_reached(const region& from, const region& to, const region& not_by) const {
    SmallPtrSet<const BasicBlock*, 16> seen;
    SmallVector<const BasicBlock*> ways(successors(from.last));
    while (!ways.empty()) {
      const BasicBlock* const bb = ways.pop_back_val();
      if (bb == not_by.head || !seen.insert(bb).second) continue;
      if (m_.of_block.lookup(const_cast<BasicBlock*>(bb)) == &to) return true;
      ways.append(succ_begin(bb), succ_end(bb));
    }
    return false;
  }

  const region_map& m_;
  const function_ref<bool(Value*)> lies_in_array_;
  DenseMap<Value*, unsigned> set_;
  std::vector<member_set> sets_;
};

}  // namespace

void common_places::find(const region_map& m, function_ref<bool(Value*)> lies_in_array) {
  place_finder(m, lies_in_array).run(leader_);
}

}  // namespace simt::compile
