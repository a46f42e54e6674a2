// SPDX-License-Identifier: Apache-2.0
// What the lanes of one warp did since they last were together, and which of it was one instruction of the warp.
//
// Lanes come one after the other, each with all that it did up to its next wait. Their steps are put together as
// hardware converges: of the lanes' next steps, the one that comes first in the program goes first, with all lanes that
// are at it. What comes first is known from the markers that the compiler's plugin puts into each basic block
// (sim/compile/markers.hpp); their numbers are an order in which a loop's blocks stand together and end with the jump
// back. So a lane that has left a loop waits for those still in it, and one that took no part in a branch waits for
// those inside. Without markers code addresses stand in for that order.
//
// A loop whose addresses move by the same distance each turn is told in short (sim/compile/counted_loops.hpp): how
// often it turns, the marker and the accesses of its first turn, and the accesses of the second. Where all lanes of a
// warp turn as often, turns that cost the same are visited once; else it is gone through turn by turn.
//
// Invariants
// - A strand is a run of neighbouring lanes that did the same steps at evenly spaced addresses; strands do not overlap.
// - A loop in short is turns, a marker, accesses, second_turn, as many accesses (fewer, if memory that is not counted
// is
//   reached: then the first turn's stand for all), loop_ends.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/profile/memory_model.hpp"

namespace simt::profile {

enum class operation : std::uint8_t {
  global_load,
  global_store,
  global_reduction,  // a read-modify-write whose old value nobody reads
  global_atomic,
  global_reduction_of_warp,  // one lane does it for all, which have one address
  global_atomic_of_warp,
  global_atomic_of_full_warp,  // likewise, if all 32 are there
  shared_load,
  shared_store,
  shared_increment,  // a reduction that adds 1
  shared_swap,       // a compare-and-swap
  shared_atomic_of_warp,
  shared_atomic_of_full_warp,
  shared_atomic,  // any other read-modify-write
  marker,
  // Of a loop in short; never visited.
  turns,  // the address is their number
  second_turn,
  loop_ends,
};

inline bool is_global_update(operation o) {
  return o >= operation::global_reduction && o <= operation::global_atomic_of_full_warp;
}
// One of these lanes does it for all.
inline bool is_of_one_lane(operation o, std::uint32_t lanes) {
  const bool if_full = o == operation::global_atomic_of_full_warp || o == operation::shared_atomic_of_full_warp;
  return if_full ? lanes == ~0U
                 : o == operation::global_reduction_of_warp || o == operation::global_atomic_of_warp ||
                       o == operation::shared_atomic_of_warp;
}

struct step {
  std::uintptr_t site = 0;
  std::uintptr_t address = 0;  // of the strand's first lane; of a marker: its number
  std::intptr_t stride = 0;    // to the next lane's
  std::uint32_t size = 0;
  operation what = operation::marker;
  std::uint16_t told = 0;  // which of the block's told steps it is of (known_pieces.hpp)
};
// Neighbouring accesses that may be one instruction, if their addresses suit (block_counts.cpp).
inline bool may_join(const step& a, const step& b) {
  return a.what == b.what && a.size < kWidestAccess && b.size < kWidestAccess;
}

class warp_trace {
 public:
  // Lanes first .. first + count - 1 did this.
  void add(std::uint32_t first, std::uint32_t count, const step& s);
  // Puts together what the lanes of `mask` did so far, and forgets it. visit(site, operation, warp_access) for each
  // instruction of the warp, in order; what comes after repeat(n) stands for n equal turns of a loop, until the next
  // call of repeat.
  template <class Visit, class Repeat>
  void put_together(std::uint32_t mask, Visit&& visit, Repeat&& repeat);
  // Calls together(a, b) with numbers of told steps whose distance in memory decides what they cost. False: it is not
  // known of all.
  template <class Together>
  bool bind(Together&& together) const;
  bool empty() const { return used_ == 0; }
  std::size_t steps() const { return steps_; }
  void forget() { used_ = 0, steps_ = 0; }

 private:
  struct strand {
    std::uint32_t first = 0, count = 0;
    std::vector<step> steps;
    std::uint32_t mask() const { return count == kLanes ? ~0U : ((1U << count) - 1) << first; }
  };
  // Where the steps of a loop in short are.
  struct short_loop {
    std::size_t first, length, after;  // the first turn, the marker included; what follows the loop
    bool moves;                        // the second turn is told of each access
  };
  struct cursor {
    const strand* of;
    std::size_t at = 0;
    std::uintptr_t block = 0;  // number of the marker that came last
    short_loop in{};
    std::uint64_t turn = 0, turns = 0;  // of the loop in short that this is in; no turns: in none

    void begin() { enter_loop(); }
    bool through() const { return at == of->steps.size(); }
    step next() const { return turns == 0 ? of->steps[at] : step_of_turn(*of, in, at - in.first, turn); }
    std::uintptr_t order() const {
      const step s = next();
      return s.what == operation::marker ? s.address : block;
    }
    void go_on() {
      ++at;
      if (turns != 0 && at == in.first + in.length) {
        at = in.first;
        if (++turn == turns) at = in.after, turns = 0;
      }
      if (turns == 0) enter_loop();
    }

   private:
    void enter_loop() {
      while (turns == 0 && !through() && of->steps[at].what == operation::turns) {
        turns = of->steps[at].address;
        turn = 0;
        in = loop_at(*of, at);
        at = turns == 0 ? in.after : in.first;
      }
    }
  };
  strand& fresh(std::uint32_t first, std::uint32_t count);
  std::size_t holding(std::uint32_t lane) const;  // used_: none
  void split(std::size_t index, std::uint32_t lane);
  // One instruction. A block may stand in the code twice: what the marker's number says counts.
  static bool is_same(const step& a, const step& b) {
    return a.what == b.what && a.size == b.size &&
           (a.what >= operation::marker ? a.address == b.address : a.site == b.site);
  }
  static short_loop loop_at(const strand& s, std::size_t at);
  static step step_of_turn(const strand& s, const short_loop& l, std::size_t k, std::uint64_t turn);
  // After how many turns each costs what an earlier one did; 0: that is not known. For all lanes.
  static std::uint64_t period(const std::vector<cursor>& all, const short_loop& l);
  static bool same_steps(const std::vector<cursor>& all);
  static void append(warp_access& a, const strand& s, const step& at);
  static bool comes_before(const cursor& a, const cursor& b);

  std::vector<strand> strands_;  // the first used_ are in use
  std::size_t used_ = 0, last_ = 0, steps_ = 0;
  std::vector<cursor> cursors_;
};

template <class Together>
bool warp_trace::bind(Together&& together) const {
  for (std::size_t i = 0; i < used_; ++i) {
    const strand& s = strands_[i];
    const step* last = nullptr;  // that the next one may join
    for (std::size_t k = 0; k < s.steps.size(); ++k) {
      const step& now = s.steps[k];
      switch (now.what) {
        case operation::turns:
          if (!loop_at(s, k).moves) return false;  // what follows may join its first turn
          break;
        case operation::marker:
        case operation::second_turn:
          if (last != nullptr && !is_global_update(last->what)) last = nullptr;
          break;
        case operation::loop_ends:
          break;
        default:
          if (last != nullptr && may_join(*last, now)) together(last->told, now.told);
          last = &now;
      }
    }
  }
  return true;
}

template <class Visit, class Repeat>
void warp_trace::put_together(std::uint32_t mask, Visit&& visit, Repeat&& repeat) {
  for (std::size_t i = 0; i < used_; ++i) {  // strands of which only a part is meant
    const strand& s = strands_[i];
    if ((s.mask() & mask) == 0 || (s.mask() & ~mask) == 0) continue;
    const bool first_meant = (mask >> s.first & 1) != 0;
    std::uint32_t lane = s.first + 1;
    while (((mask >> lane & 1) != 0) == first_meant) ++lane;
    split(i, lane);
  }
  cursors_.clear();
  for (std::size_t i = 0; i < used_; ++i)
    if ((strands_[i].mask() & mask) != 0) cursors_.push_back({&strands_[i]});
  if (cursors_.empty()) return;
  warp_access a;
  if (same_steps(cursors_)) {
    const std::vector<step>& steps = cursors_.front().of->steps;
    const auto visit_turn = [&](const short_loop& l, std::uint64_t turn) {
      for (std::size_t k = 0; k < l.length; ++k) {
        const step& s = steps[l.first + k];
        a.mask = 0;
        a.size = s.size;
        for (const cursor& c : cursors_) append(a, *c.of, step_of_turn(*c.of, l, k, turn));
        visit(s.site, s.what, a);
      }
    };
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (steps[k].what != operation::turns) {
        a.mask = 0;
        a.size = steps[k].size;
        for (const cursor& c : cursors_) append(a, *c.of, c.of->steps[k]);
        visit(steps[k].site, steps[k].what, a);
        continue;
      }
      const std::uint64_t turns = steps[k].address;
      const short_loop l = loop_at(*cursors_.front().of, k);
      k = l.after - 1;
      if (turns == 0) continue;
      // The last turn by itself: what follows may belong to its last instruction.
      const std::uint64_t all_but_one = turns - 1, different = period(cursors_, l);
      if (different != 0 && different < all_but_one) {
        for (std::uint64_t t = 0; t < different; ++t) {
          repeat((all_but_one - t + different - 1) / different);
          visit_turn(l, t);
        }
        repeat(std::uint64_t{1});
      } else {
        for (std::uint64_t t = 0; t < all_but_one; ++t) visit_turn(l, t);
      }
      visit_turn(l, all_but_one);
    }
  } else {
    for (cursor& c : cursors_) c.begin();
    for (;;) {
      const cursor* first = nullptr;
      for (const cursor& c : cursors_)
        if (!c.through() && (first == nullptr || comes_before(c, *first))) first = &c;
      if (first == nullptr) break;
      const step now = first->next();
      a.mask = 0;
      a.size = now.size;
      for (cursor& c : cursors_) {
        if (c.through() || !is_same(c.next(), now)) continue;
        if (now.what == operation::marker) c.block = now.address;
        append(a, *c.of, c.next());
        c.go_on();
      }
      visit(now.site, now.what, a);
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    if ((strands_[i].mask() & mask) != 0) {
      steps_ -= strands_[i].steps.size();
      continue;
    }
    std::swap(strands_[kept++], strands_[i]);
  }
  used_ = kept;
}

}  // namespace simt::profile
